from __future__ import annotations

import threading
from typing import Any, Iterator, TypeVar

import grpc
from lookout._attempts import texts
from lookout._error import LookoutError, timeout_error, to_lookout_error

A = TypeVar("A", covariant=True)


class Stream(Iterator[A]):
    """The messages of a stream, for one loop. Open it with `with`, or end it with close() or cancel() from any thread.

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

    def __iter__(self) -> Stream[A]:
        return self

    def __next__(self) -> A:
        if self._is_closed:
            raise StopIteration
        timer = None if self._has_begun else self._start_timer()
        try:
            message: A = next(self._call)
            self._has_begun = True
            return message
        except grpc.RpcError as error:
            if self._is_closed:
                raise StopIteration from None
            raise self._failure or to_lookout_error(error, self._address) from error
        finally:
            if timer is not None:
                timer.cancel()

    def _start_timer(self) -> threading.Timer:
        timer = threading.Timer(self._timeout_s, self.end, (timeout_error(self._address),))
        timer.daemon = True
        timer.start()
        return timer

    def end(self, failure: LookoutError) -> None:
        """Ends the stream with an error."""
        self._failure = failure
        self._call.cancel()

    def headers(self) -> dict[str, str]:
        """The answer's headers by name in lower case. Waits for them."""
        return texts(self._call.initial_metadata())

    def cancel(self) -> None:
        """Ends the stream, also while another thread waits for its next message: that loop is over."""
        self._is_closed = True
        self._call.cancel()

    def close(self) -> None:
        """The same as cancel."""
        self.cancel()

    def __enter__(self) -> Stream[A]:
        return self

    def __exit__(self, *_: object) -> None:
        self.cancel()
