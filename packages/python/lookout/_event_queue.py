from __future__ import annotations

import atexit
import os
import threading
import time
import weakref
from typing import Any, Callable, Mapping

from lookout._error import LookoutError
from lookout._event_failures import as_lookout_error, is_blocking_error
from lookout._tracked_events import TrackedEvents
from lookout._waiting_events import EventOptions, WaitingEvents, report_all
from lookout.v1.ingest_pb2 import BatchRequest, BatchResponse

Send = Callable[[BatchRequest], BatchResponse]


class EventQueue(TrackedEvents):
    """Sends events in the background, in batches and in order. Serves all threads.

    Events have ids from the beginning, so a batch whose answer got lost is sent again without counting twice. Whatever does
    not depend on the events is tried again for as long as they fit into the queue; what is given up is told to on_dropped.
    """

    def __init__(self, send: Send, website_id: str | None, options: EventOptions) -> None:
        self._send = send
        self._website_id = website_id
        self._options = options
        self._begin()

    def _begin(self) -> None:
        self._events = WaitingEvents(self._website_id, self._options)
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._at_exit: Callable[[], None] | None = None
        self._pid = os.getpid()

    def __len__(self) -> int:
        """How many events wait to be sent."""
        return len(self._events)

    def _put(self, fields: Mapping[str, Any]) -> bool:
        # The events of the process that this one was forked from are sent by that one, and its thread is not here.
        if self._pid != os.getpid():
            self._begin()
        event = self._events.event(fields)
        with self._changed:
            dropped = self._events.add(event)
            if dropped is None:
                self._start()
                self._changed.notify_all()
        if dropped is not None:
            report_all([dropped])
        return dropped is None

    def flush(self, timeout_s: float | None = None) -> None:
        """Sends what waits. Returns when everything that was tracked until now was sent or dropped.

        Raises a LookoutError: TIMEOUT when that takes longer than timeout_s, and at once the service's error when waiting does
        not help, such as INVALID_API_KEY. The events then stay in the queue.
        """
        allowed_s = self._options.close_timeout_s if timeout_s is None else timeout_s
        end_s = time.monotonic() + allowed_s
        with self._changed:
            events = self._events
            last, tries = events.numbered, events.tries
            events.due_s, events.flush_to = 0.0, last
            self._changed.notify_all()
            while events.finished < last:
                error = events.last_error
                if error is not None and events.tries > tries and not events.is_sending and is_blocking_error(error):
                    raise error
                left_s = end_s - time.monotonic()
                if left_s <= 0:
                    raise events.timeout(allowed_s)
                self._changed.wait(left_s)

    def close(self, timeout_s: float | None = None) -> None:
        """Sends what waits, drops what cannot be sent in time, and takes no further events."""
        self._events.is_closed = True
        reports = []
        try:
            self.flush(timeout_s)
        except LookoutError as error:
            with self._changed:
                reports = self._events.give_up(error)
        report_all(reports)
        with self._changed:
            self._changed.notify_all()
        if self._at_exit is not None:
            atexit.unregister(self._at_exit)
            self._at_exit = None

    def _start(self) -> None:
        if self._thread is not None:
            return
        # A daemon does not keep the process alive: what waits is sent when it ends.
        self._thread = threading.Thread(target=self._run, name="lookout-events", daemon=True)
        self._thread.start()
        this, pid = weakref.ref(self), self._pid

        def at_exit() -> None:
            queue = this()
            if queue is not None and pid == os.getpid():
                queue.close()

        self._at_exit = at_exit
        atexit.register(at_exit)

    def _run(self) -> None:
        events, changed = self._events, self._changed
        while True:
            with changed:
                while (wait_s := events.wait_s()) != 0.0:
                    if events.is_closed and len(events) == 0:
                        return
                    changed.wait(wait_s)
                batch = events.next_batch()
            try:
                answer = self._send(batch)
            except Exception as error:
                with changed:
                    reports = events.failed(batch, as_lookout_error(error))
                    changed.notify_all()
            else:
                with changed:
                    reports = events.sent(batch, answer)
                    changed.notify_all()
            report_all(reports)
