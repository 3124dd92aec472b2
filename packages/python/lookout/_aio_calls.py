from __future__ import annotations

import asyncio
import weakref
from typing import Any, AsyncIterator, Callable, Generic, TypeVar

import grpc
from google.protobuf.message import Message
from lookout._aio_stream import AsyncStream, is_task_cancelled
from lookout._attempts import Answered, CallSettings, Metadata, OnReconnect, Repeats, StreamAttempts, texts
from lookout._call import Call, Q
from lookout._error import closed_error, to_lookout_error

A = TypeVar("A", bound=Message)
Item = TypeVar("Item")


class AsyncCalls:
    """Makes the calls of an asyncio client over its channel."""

    def __init__(self, channel: Any, settings: CallSettings) -> None:
        self.settings = settings
        self.is_closed = False
        self._channel = channel
        self._streams: weakref.WeakSet[AsyncStream[Any]] = weakref.WeakSet()

    def unary(self, method: str, request: type[Q], answer: type[A], repeats: Repeats) -> AsyncUnaryCall[Q, A]:
        return AsyncUnaryCall(self, self._unary(method, request, answer), method, request, repeats)

    def paged(
        self, method: str, request: type[Q], answer: type[A], repeats: Repeats, items: Callable[[A], Any], item: type[Item]
    ) -> AsyncPagedCall[Q, A, Item]:
        return AsyncPagedCall(self, self._unary(method, request, answer), method, request, repeats, items)

    def _unary(self, method: str, request: type[Message], answer: type[Message]) -> Any:
        return self._channel.unary_unary(method, request.SerializeToString, answer.FromString)

    def stream(
        self, method: str, request: type[Q], answer: type[A], repeats: Repeats, *, resumes: bool
    ) -> AsyncStreamCall[Q, A]:
        call = self._channel.unary_stream(method, request.SerializeToString, answer.FromString)
        return AsyncStreamCall(self, call, method, request, repeats, resumes)

    def opened(self, stream: AsyncStream[Any]) -> None:
        self._streams.add(stream)

    def close(self) -> None:
        self.is_closed = True
        for stream in list(self._streams):
            stream.end(closed_error())


class AsyncUnaryCall(Call[Q], Generic[Q, A]):
    """A call that answers once. Cancelling its task ends it."""

    def __init__(self, calls: AsyncCalls, call: Any, method: str, type_: type[Q], repeats: Repeats) -> None:
        super().__init__(calls.settings, method, type_, repeats)
        self._calls = calls
        self._call = call

    async def __call__(
        self, request: Q, *, timeout: float | None = None, metadata: Metadata = (), idempotency_key: str | None = None
    ) -> A:
        """Makes the call. Raises a LookoutError.

        timeout is in seconds and counts all tries; without it the client's holds. metadata are further headers. A creating
        call makes its own idempotency_key, unless the caller has one that outlives this process.
        """
        answer, _ = await self.with_call(request, timeout=timeout, metadata=metadata, idempotency_key=idempotency_key)
        return answer

    async def with_call(
        self, request: Q, *, timeout: float | None = None, metadata: Metadata = (), idempotency_key: str | None = None
    ) -> tuple[A, Answered]:
        """Makes the call, and returns the headers and the request's id beside the answer."""
        calls = self._calls
        self._check(request)
        attempts = self._attempts(request, timeout)
        sent = self._headers(request, metadata, idempotency_key)
        while True:
            if calls.is_closed:
                raise closed_error()
            call = self._call(request, timeout=attempts.remaining_s(), metadata=sent)
            try:
                answer: A = await call
                return answer, Answered(texts(await call.initial_metadata()), texts(await call.trailing_metadata()))
            except grpc.RpcError as error:
                failure = to_lookout_error(error, calls.settings.address)
                wait_s = attempts.wait_s(failure)
                if wait_s is None:
                    raise failure from error
            except asyncio.CancelledError:
                if calls.is_closed and not is_task_cancelled():
                    raise closed_error() from None
                raise
            await asyncio.sleep(wait_s)


class AsyncPagedCall(AsyncUnaryCall[Q, A], Generic[Q, A, Item]):
    """A call that answers a page of a list."""

    def __init__(
        self, calls: AsyncCalls, call: Any, method: str, type_: type[Q], repeats: Repeats, items: Callable[[A], Any]
    ) -> None:
        super().__init__(calls, call, method, type_, repeats)
        self._items = items

    async def all(self, request: Q, *, timeout: float | None = None, metadata: Metadata = ()) -> AsyncIterator[Item]:
        """Goes through all pages, and asks for each when it is needed. The request's limit is the size of a page."""
        page = self._first_page(request)
        while True:
            answer: Any = await self(page, timeout=timeout, metadata=metadata)
            for item in self._items(answer):
                yield item
            if not answer.next_cursor:
                return
            page.cursor = answer.next_cursor


class AsyncStreamCall(Call[Q], Generic[Q, A]):
    """A call that answers with a stream."""

    def __init__(
        self, calls: AsyncCalls, call: Any, method: str, type_: type[Q], repeats: Repeats, resumes: bool
    ) -> None:
        super().__init__(calls.settings, method, type_, repeats)
        self._calls = calls
        self._call = call
        self._resumes = resumes

    def __call__(
        self,
        request: Q,
        *,
        timeout: float | None = None,
        metadata: Metadata = (),
        on_reconnect: OnReconnect | None = None,
    ) -> AsyncStream[A]:
        """Opens the stream. timeout is how long its first message may take, in seconds; without it the client's holds.

        A stream that fails for a while is opened again: until its first message as often as a call is made, then for as long
        as it takes. on_reconnect is told the error and the wait in seconds each time.
        """
        calls = self._calls
        self._check(request)
        sent = calls.settings.metadata(request, metadata, "no", None)
        attempts = StreamAttempts(calls.settings, self._is_repeatable(request), self._resumes, timeout, request)

        def start() -> Any:
            if calls.is_closed:
                raise closed_error()
            return self._call(request, metadata=sent)

        stream: AsyncStream[A] = AsyncStream(start, calls.settings.address, attempts, on_reconnect)
        calls.opened(stream)
        return stream
