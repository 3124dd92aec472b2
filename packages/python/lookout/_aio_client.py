from __future__ import annotations

import grpc
from lookout._aio_calls import AsyncCalls
from lookout._aio_services import AsyncServices
from lookout._attempts import CallSettings
from lookout._channel import ChannelOptions, open_channel
from lookout._client import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_S


class AsyncLookout(AsyncServices):
    """The client for asyncio, to be made in a coroutine. Its options, services and errors are those of Lookout.

    Calls are awaited, streams and all() are for `async for`, and cancelling a task ends its call.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        *,
        max_retries: int = DEFAULT_MAX_RETRIES,
        channel: grpc.aio.Channel | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
    ) -> None:
        self._own_channel = open_channel(grpc.aio, base_url, credentials, options) if channel is None else None
        settings = CallSettings(base_url, api_key, timeout_s, max_retries)
        self._calls = AsyncCalls(channel or self._own_channel, settings)
        super().__init__(self._calls)

    async def close(self) -> None:
        """Closes the connection. Calls and streams that are under way end with a LookoutError: CANCELLED."""
        self._calls.close()
        if self._own_channel is not None:
            await self._own_channel.close()

    async def __aenter__(self) -> AsyncLookout:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
