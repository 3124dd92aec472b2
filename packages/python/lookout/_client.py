from __future__ import annotations

import grpc
from lookout._attempts import CallSettings
from lookout._calls import Calls
from lookout._channel import ChannelOptions, open_channel
from lookout._services import Services

DEFAULT_TIMEOUT_S = 35.0
"""How long a call may take: 5 s more than the service takes at most for a query."""

DEFAULT_MAX_RETRIES = 2
"""How often a call is repeated that may be."""


class Lookout(Services):
    """All services that take an API key, over gRPC. Every call raises a LookoutError. One client serves all threads.

    base_url is the address of Lookout, such as https://lookout.example.com. A call with all its tries ends after timeout_s,
    a stream if its first message has not come by then. max_retries is how often a call is repeated that fails for a while:
    those whose contract says that they may be, and creating calls, with an idempotency key; 0 means never.

    credentials are for an own certificate authority: grpc.ssl_channel_credentials(root_certificates=pem). options are those
    of the channel, such as ("grpc.http_proxy", "http://proxy:3128"). A channel of one's own, for example to a Unix socket
    or with interceptors, takes the place of both and is left open by close().
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        *,
        max_retries: int = DEFAULT_MAX_RETRIES,
        channel: grpc.Channel | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
    ) -> None:
        self._own_channel = open_channel(grpc, base_url, credentials, options) if channel is None else None
        settings = CallSettings(base_url, api_key, timeout_s, max_retries)
        self._calls = Calls(channel or self._own_channel, settings)
        super().__init__(self._calls)

    def close(self) -> None:
        """Closes the connection. Calls and streams that are under way end with a LookoutError: CANCELLED."""
        self._calls.close()
        if self._own_channel is not None:
            self._own_channel.close()

    def __enter__(self) -> Lookout:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
