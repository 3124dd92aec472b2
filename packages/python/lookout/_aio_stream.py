from __future__ import annotations

import asyncio
from typing import Any, AsyncIterator, Callable, TypeVar

import grpc
from lookout._attempts import OnReconnect, StreamAttempts, texts
from lookout._error import LookoutError, timeout_error, to_lookout_error

A = TypeVar("A", covariant=True)


class AsyncStream(AsyncIterator[A]):
    """The messages of a stream, for one loop. Open it with `async with`, or end it with close() or cancel().

    The loop waits for the next message, also while the stream is opened again after a failure. It is over when the stream is
    closed here, and raises a LookoutError when the stream fails for good, when its first message does not come in time, or
    when the client is closed.
    """

    def __init__(
        self, start: Callable[[], Any], address: str, attempts: StreamAttempts, on_reconnect: OnReconnect | None
    ) -> None:
        self._start = start
        self._address = address
        self._attempts = attempts
        self._on_reconnect = on_reconnect
        self._ended = asyncio.Event()
        self._failure: LookoutError | None = None
        self._call = start()

    def __aiter__(self) -> AsyncStream[A]:
        return self

    async def __anext__(self) -> A:
        self._attempts.begin()
        while not self._ended.is_set():
            try:
                message: Any = await self._next_message()
            except LookoutError as failure:
                await self._wait(failure)
                continue
            if message is grpc.aio.EOF:
                break
            if self._attempts.message_came(message):
                result: A = message
                return result
        if self._failure is not None:
            raise self._failure
        raise StopAsyncIteration

    async def _next_message(self) -> Any:
        """Of the call that is under way. Raises its LookoutError."""
        try:
            return await asyncio.wait_for(self._call.read(), self._attempts.remaining_s())
        except asyncio.TimeoutError:
            self._call.cancel()
            raise timeout_error(self._address) from None
        except grpc.RpcError as error:
            raise to_lookout_error(error, self._address) from error
        except asyncio.CancelledError:
            # grpc cancels the wait when the call is cancelled here, which is not the caller's task.
            if is_task_cancelled() or not self._ended.is_set():
                self._call.cancel()
                raise
            raise LookoutError("CANCELLED", "The stream is closed") from None

    async def _wait(self, failure: LookoutError) -> None:
        """Opens the stream again after a while. Raises the failure if it is for good."""
        if self._ended.is_set():
            return
        wait_s = self._attempts.wait_s(failure)
        if wait_s is None:
            raise failure
        if self._on_reconnect is not None:
            self._on_reconnect(failure, wait_s)
        try:
            await asyncio.wait_for(self._ended.wait(), wait_s)
        except asyncio.TimeoutError:
            self._call = self._start()

    def end(self, failure: LookoutError) -> None:
        """Ends the stream with an error."""
        self._failure = failure
        self.cancel()

    async def headers(self) -> dict[str, str]:
        """The answer's headers by name in lower case."""
        return texts(await self._call.initial_metadata())

    def cancel(self) -> None:
        """Ends the stream, also while another task waits for its next message: that loop is over."""
        self._ended.set()
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
