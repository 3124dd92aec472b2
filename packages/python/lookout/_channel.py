from __future__ import annotations

from typing import Any, Sequence
from urllib.parse import urlsplit

import grpc

ChannelOptions = Sequence[tuple[str, Any]]

_OPTIONS = (
    # A query may answer more than the usual 4 MB.
    ("grpc.max_receive_message_length", -1),
    # A stream may be silent for hours: a connection that has died without a word is noticed by a ping that is not answered.
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    # gRPC waits up to two minutes before it looks again whether the service is back, and fails calls without a try until then.
    ("grpc.max_reconnect_backoff_ms", 10_000),
)


def open_channel(module: Any, base_url: str, credentials: grpc.ChannelCredentials | None, options: ChannelOptions) -> Any:
    """A channel of the module grpc or grpc.aio. Raises a ValueError for what is no address with http:// or https://."""
    url = urlsplit(base_url)
    all_options = [*_OPTIONS, *options]
    if url.scheme not in ("http", "https") or url.hostname is None:
        raise ValueError(f"base_url must begin with http:// or https:// and name a host, not {base_url!r}")
    if url.path not in ("", "/"):
        raise ValueError(f"base_url must end after the host and port, since gRPC has its own paths: {base_url!r}")
    host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
    if url.scheme == "https":
        trusted = credentials or grpc.ssl_channel_credentials()
        return module.secure_channel(f"{host}:{url.port or 443}", trusted, all_options)
    if credentials is not None:
        raise ValueError(f"credentials need a base_url with https://, not {base_url!r}")
    return module.insecure_channel(f"{host}:{url.port or 80}", all_options)
