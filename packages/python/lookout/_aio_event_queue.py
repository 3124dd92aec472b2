from __future__ import annotations

import asyncio
import time
from typing import Any, Awaitable, Callable, Mapping

from lookout._error import LookoutError
from lookout._event_failures import as_lookout_error, is_blocking_error
from lookout._tracked_events import TrackedEvents
from lookout._waiting_events import EventOptions, WaitingEvents, report_all
from lookout.v1.ingest_pb2 import BatchRequest, BatchResponse

Send = Callable[[BatchRequest], Awaitable[BatchResponse]]


class AsyncEventQueue(TrackedEvents):
    """The queue of EventQueue for one event loop. close(), which the client's close() calls, has to be awaited before the loop ends."""

    def __init__(self, send: Send, website_id: str | None, options: EventOptions) -> None:
        self._send = send
        self._options = options
        self._events = WaitingEvents(website_id, options)
        self._changed = asyncio.Event()
        self._tried = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        """How many events wait to be sent."""
        return len(self._events)

    def _put(self, fields: Mapping[str, Any]) -> bool:
        dropped = self._events.add(self._events.event(fields))
        if dropped is not None:
            report_all([dropped])
            return False
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._run())
        self._changed.set()
        return True

    async def flush(self, timeout_s: float | None = None) -> None:
        """Sends what waits. Returns when everything that was tracked until now was sent or dropped.

        Raises a LookoutError: TIMEOUT when that takes longer than timeout_s, and at once the service's error when waiting does
        not help, such as INVALID_API_KEY. The events then stay in the queue.
        """
        allowed_s = self._options.close_timeout_s if timeout_s is None else timeout_s
        end_s = time.monotonic() + allowed_s
        events = self._events
        last, tries = events.numbered, events.tries
        events.due_s, events.flush_to = 0.0, last
        self._changed.set()
        while events.finished < last:
            error = events.last_error
            if error is not None and events.tries > tries and not events.is_sending and is_blocking_error(error):
                raise error
            left_s = end_s - time.monotonic()
            if left_s <= 0:
                raise events.timeout(allowed_s)
            self._tried.clear()
            try:
                await asyncio.wait_for(self._tried.wait(), left_s)
            except asyncio.TimeoutError:
                pass

    async def close(self, timeout_s: float | None = None) -> None:
        """Sends what waits, drops what cannot be sent in time, and takes no further events."""
        self._events.is_closed = True
        try:
            await self.flush(timeout_s)
        except LookoutError as error:
            report_all(self._events.give_up(error))
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
            self._task = None

    async def _run(self) -> None:
        events = self._events
        while True:
            while (wait_s := events.wait_s()) != 0.0:
                self._changed.clear()
                try:
                    await asyncio.wait_for(self._changed.wait(), wait_s)
                except asyncio.TimeoutError:
                    pass
            batch = events.next_batch()
            try:
                answer = await self._send(batch)
            except Exception as error:
                report_all(events.failed(batch, as_lookout_error(error)))
            else:
                report_all(events.sent(batch, answer))
            self._tried.set()
