from __future__ import annotations

from typing import Any, Sequence
from urllib.parse import urlsplit

import grpc

ChannelOptions = Sequence[tuple[str, Any]]

# A query may answer more than the usual 4 MB.
_OPTIONS = (("grpc.max_receive_message_length", -1),)


def open_channel(module: Any, base_url: str, credentials: grpc.ChannelCredentials | None, options: ChannelOptions) -> Any:
    """A channel of the module grpc or grpc.aio. Raises a ValueError for what is no address with http:// or https://."""
    url = urlsplit(base_url)
    all_options = [*_OPTIONS, *options]
    if url.scheme not in ("http", "https") or url.hostname is None:
        raise ValueError(f"base_url must begin with http:// or https:// and name a host, not {base_url!r}")
    if url.scheme == "https":
        trusted = credentials or grpc.ssl_channel_credentials()
        return module.secure_channel(f"{url.hostname}:{url.port or 443}", trusted, all_options)
    if credentials is not None:
        raise ValueError(f"credentials need a base_url with https://, not {base_url!r}")
    return module.insecure_channel(f"{url.hostname}:{url.port or 80}", all_options)
