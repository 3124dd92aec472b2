"""The events that wait to be sent, for both clients. Nothing here waits or sends."""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence

from lookout._attempts import wait_before_retry_s
from lookout._error import LookoutError
from lookout._event_failures import culprits, is_blocking_error, is_too_large, may_pass, require_results
from lookout._requests import request_of
from lookout.v1.ingest_pb2 import BatchRequest, BatchResponse, Event, FlatEvent

_LOG = logging.getLogger("lookout")

_MOST_EVENTS = 100
# Half of what the service takes in one call.
_MOST_BYTES = 524_288
# The service recognizes an event id for 24 hours: what has waited almost that long may not be sent again.
_MOST_AGE_S = 23 * 3_600.0
_MOST_WAIT_S = 30.0


def _log_dropped(events: Sequence[FlatEvent], error: LookoutError) -> None:
    _LOG.warning("%d events were dropped: %s", len(events), error)


def _log_blocked(error: LookoutError) -> None:
    _LOG.warning("events cannot be sent and wait: %s", error)


@dataclass(frozen=True)
class EventOptions:
    """How events wait to be sent."""

    max_events: int = 10_000
    """Events that wait at most; further ones are dropped."""
    flush_interval_s: float = 1.0
    """How long an event waits for others to be sent with."""
    close_timeout_s: float = 5.0
    """How long close() and the end of the process wait for events to be sent."""
    on_dropped: Callable[[Sequence[FlatEvent], LookoutError], None] = _log_dropped
    """Called with events that were not and will not be stored, and why."""
    on_blocked: Callable[[LookoutError], None] = _log_blocked
    """Called when events cannot be sent until somebody changes something, such as a wrong key or a proxy that refuses, once for each code
    until events are sent again. They wait and are tried again."""


@dataclass(frozen=True)
class _Waiting:
    event: FlatEvent
    number: int
    queued_s: float


Report = Callable[[], None]
"""Tells the caller something, to be called outside of locks."""


class WaitingEvents:
    """In the order in which they came. All times are of time.monotonic(), in seconds."""

    def __init__(self, website_id: str | None, options: EventOptions) -> None:
        self.options = options
        self.is_closed = False
        self.is_sending = False
        self.last_error: LookoutError | None = None
        self.failures = 0
        self.tries = 0
        self.due_s = float("inf")
        """When the next batch is to be sent."""
        self.numbered = 0
        """How many events were taken."""
        self.flush_to = 0
        """Up to which of them somebody waits for them to be sent."""
        self._website_id = website_id
        self._waiting: deque[_Waiting] = deque()
        self._blocked_by: str | None = None
        self._most = _MOST_EVENTS
        """Events in one call at most: fewer once a proxy has refused that many as too large."""

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def finished(self) -> int:
        """How many events, the first ones, were sent or dropped."""
        return self._waiting[0].number - 1 if self._waiting else self.numbered

    def event(self, fields: Mapping[str, Any]) -> FlatEvent:
        """Raises a ValueError or a TypeError for fields that no event has."""
        if self._website_id is None:
            raise ValueError("Events need a website: Lookout(base_url, website_id=…)")
        event = request_of(FlatEvent, fields)
        if not event.event_id:
            event.event_id = secrets.token_urlsafe(18)
        if not event.HasField("timestamp"):
            event.timestamp = time.time() * 1_000
        return event

    def add(self, event: FlatEvent) -> Report | None:
        """Takes an event. Answers what to report where it was dropped."""
        if self.is_closed:
            return self._dropped([event], LookoutError("CLOSED", "The event came after close()"))
        if len(self._waiting) >= self.options.max_events:
            why = "" if self.last_error is None else f". The last failure: {self.last_error}"
            full = LookoutError("QUEUE_FULL", f"{self.options.max_events} events wait already{why}")
            return self._dropped([event], full)
        now_s = time.monotonic()
        self.numbered += 1
        self._waiting.append(_Waiting(event, self.numbered, now_s))
        if self.failures == 0:
            wait_s = 0.0 if len(self._waiting) >= _MOST_EVENTS else self.options.flush_interval_s
            self.due_s = min(self.due_s, now_s + wait_s)
        return None

    def wait_s(self) -> float | None:
        """How long until the next batch is due; None if nothing waits."""
        return None if not self._waiting else max(0.0, self.due_s - time.monotonic())

    def next_batch(self) -> BatchRequest:
        """As much as one call takes. It stays here until it is sent."""
        self.is_sending, self.tries = True, self.tries + 1
        batch, size = BatchRequest(website_id=self._website_id or ""), 0
        for waiting in list(self._waiting)[: self._most]:
            size += waiting.event.ByteSize()
            if batch.events and size > _MOST_BYTES:
                break
            batch.events.append(Event(flat=waiting.event))
        return batch

    def sent(self, batch: BatchRequest, answer: BatchResponse) -> list[Report]:
        try:
            require_results(answer.results, len(batch.events))
        except LookoutError as lacking:
            return self.failed(batch, lacking)
        events = self._finish(len(batch.events))
        self.is_sending, self.failures, self.last_error, self._blocked_by = False, 0, None, None
        is_wanted = self.finished < self.flush_to or len(self._waiting) >= _MOST_EVENTS
        self._schedule(0.0 if is_wanted else self.options.flush_interval_s)
        return [
            self._dropped([event], LookoutError("VALIDATION_ERROR", result.message or "The service refused the event"))
            for event, result in zip(events, answer.results)
            if result.status == "error"
        ]

    def failed(self, batch: BatchRequest, error: LookoutError) -> list[Report]:
        self.is_sending, self.last_error = False, error
        if self.is_closed and not self._waiting:
            return []
        count = len(batch.events)
        if is_too_large(error) and count > 1:
            self._most = count // 2
            self._schedule(0.0)
            return []
        is_blocking = is_blocking_error(error)
        if not may_pass(error) and not is_blocking:
            refused = self._refuse(culprits(error, count))
            self._schedule(0.0)
            return [self._dropped(refused, error)]
        self.failures += 1
        self._schedule(min(_MOST_WAIT_S, wait_before_retry_s(error, self.failures)))
        reports: list[Report] = []
        oldest_s = time.monotonic() - _MOST_AGE_S
        old = sum(1 for waiting in self._waiting if waiting.queued_s < oldest_s)
        if old > 0:
            reports.append(self._dropped(self._finish(old), error))
        if is_blocking and self._blocked_by != error.code:
            self._blocked_by = error.code
            reports.append(lambda: self.options.on_blocked(error))
        return reports

    def give_up(self, error: LookoutError) -> list[Report]:
        rest = self._finish(len(self._waiting))
        return [self._dropped(rest, error)] if rest else []

    def timeout(self, timeout_s: float) -> LookoutError:
        """The error of a flush that takes longer."""
        why = "" if self.last_error is None else f". {self.last_error}"
        return LookoutError("TIMEOUT", f"{len(self._waiting)} events are not sent after {timeout_s:g} s{why}")

    def _schedule(self, wait_s: float) -> None:
        self.due_s = time.monotonic() + wait_s if self._waiting else float("inf")

    def _finish(self, count: int) -> list[FlatEvent]:
        """Removes the first ones, which are those that are sent."""
        done = [self._waiting.popleft() for _ in range(min(count, len(self._waiting)))]
        return [waiting.event for waiting in done]

    def _refuse(self, places: set[int]) -> list[FlatEvent]:
        """Removes those of the first ones that have these places."""
        refused = [self._waiting[place].event for place in sorted(places)]
        for place in sorted(places, reverse=True):
            del self._waiting[place]
        return refused

    def _dropped(self, events: Sequence[FlatEvent], error: LookoutError) -> Report:
        return lambda: self.options.on_dropped(events, error)


def report_all(reports: Sequence[Report]) -> None:
    for report in reports:
        try:
            report()
        # An error of the callback must not stop the queue.
        except Exception:
            _LOG.exception("on_dropped or on_blocked failed")
