from __future__ import annotations

import threading
import weakref
from typing import Any, Callable, Generic, Iterator, TypeVar

import grpc
from google.protobuf.message import Message
from lookout._attempts import Answered, CallSettings, Metadata, OnReconnect, Repeats, StreamAttempts, texts
from lookout._call import Call, Q
from lookout._error import closed_error, to_lookout_error
from lookout._stream import Stream

A = TypeVar("A", bound=Message)
Item = TypeVar("Item")


class Calls:
    """Makes the calls of a client over its channel."""

    def __init__(self, channel: grpc.Channel, settings: CallSettings) -> None:
        self.settings = settings
        self._channel: Any = channel
        self._closed = threading.Event()
        self._streams: weakref.WeakSet[Stream[Any]] = weakref.WeakSet()

    def unary(self, method: str, request: type[Q], answer: type[A], repeats: Repeats) -> UnaryCall[Q, A]:
        return UnaryCall(self, self._unary(method, request, answer), method, request, repeats)

    def paged(
        self, method: str, request: type[Q], answer: type[A], repeats: Repeats, items: Callable[[A], Any], item: type[Item]
    ) -> PagedCall[Q, A, Item]:
        return PagedCall(self, self._unary(method, request, answer), method, request, repeats, items)

    def _unary(self, method: str, request: type[Message], answer: type[Message]) -> Any:
        return self._channel.unary_unary(method, request.SerializeToString, answer.FromString)

    def stream(
        self, method: str, request: type[Q], answer: type[A], repeats: Repeats, *, resumes: bool
    ) -> StreamCall[Q, A]:
        call = self._channel.unary_stream(method, request.SerializeToString, answer.FromString)
        return StreamCall(self, call, method, request, repeats, resumes)

    def start(self, call: Callable[[], Any]) -> Any:
        """Makes a call of grpc, which refuses it as a ValueError when the channel is closed."""
        if self._closed.is_set():
            raise closed_error()
        try:
            return call()
        except ValueError as error:
            if "closed channel" in str(error):
                raise closed_error() from error
            raise

    def wait(self, seconds: float) -> None:
        if self._closed.wait(seconds):
            raise closed_error()

    def opened(self, stream: Stream[Any]) -> None:
        self._streams.add(stream)

    def close(self) -> None:
        self._closed.set()
        for stream in list(self._streams):
            stream.end(closed_error())


class UnaryCall(Call[Q], Generic[Q, A]):
    """A call that answers once."""

    def __init__(self, calls: Calls, call: Any, method: str, type_: type[Q], repeats: Repeats) -> None:
        super().__init__(calls.settings, method, type_, repeats)
        self._calls = calls
        self._call = call

    def __call__(
        self, request: Q, *, timeout: float | None = None, metadata: Metadata = (), idempotency_key: str | None = None
    ) -> A:
        """Makes the call. Raises a LookoutError.

        timeout is in seconds and counts all tries; without it the client's holds. metadata are further headers. A creating
        call makes its own idempotency_key, unless the caller has one that outlives this process.
        """
        return self.with_call(request, timeout=timeout, metadata=metadata, idempotency_key=idempotency_key)[0]

    def with_call(
        self, request: Q, *, timeout: float | None = None, metadata: Metadata = (), idempotency_key: str | None = None
    ) -> tuple[A, Answered]:
        """Makes the call, and returns the headers and the request's id beside the answer."""
        calls = self._calls
        self._check(request)
        attempts = self._attempts(request, timeout)
        sent = self._headers(request, metadata, idempotency_key)
        while True:
            try:
                answer, call = calls.start(
                    lambda: self._call.with_call(request, timeout=attempts.remaining_s(), metadata=sent)
                )
                return answer, Answered(texts(call.initial_metadata()), texts(call.trailing_metadata()))
            except grpc.RpcError as error:
                failure = to_lookout_error(error, calls.settings.address)
                wait_s = attempts.wait_s(failure)
                if wait_s is None:
                    raise failure from error
            calls.wait(wait_s)


class PagedCall(UnaryCall[Q, A], Generic[Q, A, Item]):
    """A call that answers a page of a list."""

    def __init__(
        self, calls: Calls, call: Any, method: str, type_: type[Q], repeats: Repeats, items: Callable[[A], Any]
    ) -> None:
        super().__init__(calls, call, method, type_, repeats)
        self._items = items

    def all(self, request: Q, *, timeout: float | None = None, metadata: Metadata = ()) -> Iterator[Item]:
        """Goes through all pages, and asks for each when it is needed. The request's limit is the size of a page."""
        page = self._first_page(request)
        while True:
            answer: Any = self(page, timeout=timeout, metadata=metadata)
            yield from self._items(answer)
            if not answer.next_cursor:
                return
            page.cursor = answer.next_cursor


class StreamCall(Call[Q], Generic[Q, A]):
    """A call that answers with a stream."""

    def __init__(self, calls: Calls, call: Any, method: str, type_: type[Q], repeats: Repeats, resumes: bool) -> None:
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
    ) -> Stream[A]:
        """Opens the stream. timeout is how long its first message may take, in seconds; without it the client's holds.

        A stream that fails for a while is opened again: until its first message as often as a call is made, then for as long
        as it takes. on_reconnect is told the error and the wait in seconds each time.
        """
        calls = self._calls
        self._check(request)
        sent = calls.settings.metadata(request, metadata, "no", None)
        attempts = StreamAttempts(calls.settings, self._is_repeatable(request), self._resumes, timeout, request)

        def start() -> Any:
            return calls.start(lambda: self._call(request, metadata=sent))

        stream: Stream[A] = Stream(start, calls.settings.address, attempts, on_reconnect)
        calls.opened(stream)
        return stream
