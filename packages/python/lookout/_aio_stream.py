from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, TypeVar

import grpc
from lookout._attempts import texts
from lookout._error import LookoutError, timeout_error, to_lookout_error

A = TypeVar("A", covariant=True)


class AsyncStream(AsyncIterator[A]):
    """The messages of a stream, for one loop. Open it with `async with`, or end it with close() or cancel().

    The loop waits for the next message. It is over when the stream is closed here, and raises a LookoutError when the
    stream fails, when its first message does not come in time, or when the client is closed.
    """

    def __init__(self, call: Any, address: str, timeout_s: float) -> None:
        self._call = call
        self._address = address
        self._timeout_s = timeout_s
        self._has_begun = False
        self._is_closed = False
        self._failure: LookoutError | None = None

    def __aiter__(self) -> AsyncStream[A]:
        return self

    async def __anext__(self) -> A:
        if self._is_closed:
            raise StopAsyncIteration
        if self._failure is not None:
            raise self._failure
        try:
            message = await asyncio.wait_for(self._call.read(), None if self._has_begun else self._timeout_s)
        except asyncio.TimeoutError:
            self.end(timeout_error(self._address))
            raise self._failure from None  # type: ignore[misc]
        except (grpc.RpcError, asyncio.CancelledError) as error:
            if isinstance(error, asyncio.CancelledError) and is_task_cancelled():
                self._call.cancel()
                raise
            if self._is_closed:
                raise StopAsyncIteration from None
            if self._failure is not None:
                raise self._failure from None
            if isinstance(error, asyncio.CancelledError):
                raise
            raise to_lookout_error(error, self._address) from error
        self._has_begun = True
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        result: A = message
        return result

    def end(self, failure: LookoutError) -> None:
        """Ends the stream with an error."""
        self._failure = failure
        self._call.cancel()

    async def headers(self) -> dict[str, str]:
        """The answer's headers by name in lower case."""
        return texts(await self._call.initial_metadata())

    def cancel(self) -> None:
        """Ends the stream, also while another task waits for its next message: that loop is over."""
        self._is_closed = True
        self._call.cancel()

    async def close(self) -> None:
        """The same as cancel."""
        self.cancel()

    async def __aenter__(self) -> AsyncStream[A]:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.cancel()


def is_task_cancelled() -> bool:
    """Whether the running task is to end. Python 3.10 does not say, so there it is assumed not to."""
    task = asyncio.current_task()
    cancelling = getattr(task, "cancelling", None)
    return cancelling is not None and cancelling() > 0
