from __future__ import annotations

import threading
from typing import Any, Callable, Iterator, TypeVar

import grpc
from lookout._attempts import OnReconnect, StreamAttempts, texts
from lookout._error import LookoutError, timeout_error, to_lookout_error

A = TypeVar("A", covariant=True)


class Stream(Iterator[A]):
    """The messages of a stream, for one loop. Open it with `with`, or end it with close() or cancel() from any thread.

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
        self._ended = threading.Event()
        self._failure: LookoutError | None = None
        self._call = start()

    def __iter__(self) -> Stream[A]:
        return self

    def __next__(self) -> A:
        self._attempts.begin()
        while not self._ended.is_set():
            try:
                message = self._next_message()
                if self._attempts.message_came(message):
                    return message
            except LookoutError as failure:
                self._wait(failure)
        if self._failure is not None:
            raise self._failure
        raise StopIteration

    def _next_message(self) -> A:
        """Of the call that is under way. Raises its LookoutError."""
        call, late = self._call, threading.Event()

        def end() -> None:
            late.set()
            call.cancel()

        timer = _timer(self._attempts.remaining_s(), end)
        try:
            message: A = next(call)
            return message
        except grpc.RpcError as error:
            failure = timeout_error(self._address) if late.is_set() else to_lookout_error(error, self._address)
            raise failure from error
        finally:
            if timer is not None:
                timer.cancel()

    def _wait(self, failure: LookoutError) -> None:
        """Opens the stream again after a while. Raises the failure if it is for good."""
        if self._ended.is_set():
            return
        wait_s = self._attempts.wait_s(failure)
        if wait_s is None:
            raise failure
        if self._on_reconnect is not None:
            self._on_reconnect(failure, wait_s)
        if self._ended.wait(wait_s):
            return
        self._call = self._start()
        # It may have been ended between the wait and the call.
        if self._ended.is_set():
            self._call.cancel()

    def end(self, failure: LookoutError) -> None:
        """Ends the stream with an error."""
        self._failure = failure
        self.cancel()

    def headers(self) -> dict[str, str]:
        """The answer's headers by name in lower case. Waits for them."""
        return texts(self._call.initial_metadata())

    def cancel(self) -> None:
        """Ends the stream, also while another thread waits for its next message: that loop is over."""
        self._ended.set()
        self._call.cancel()

    def close(self) -> None:
        """The same as cancel."""
        self.cancel()

    def __enter__(self) -> Stream[A]:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()


def _timer(seconds: float | None, end: Callable[[], object]) -> threading.Timer | None:
    if seconds is None:
        return None
    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()
    return timer
