from __future__ import annotations

import asyncio
import time
from datetime import datetime
from typing import Any, Awaitable, Callable, Mapping

from lookout._error import LookoutError
from lookout._waiting_events import EventOptions, WaitingEvents, as_lookout_error, is_blocking_error, report_all
from lookout.v1.ingest_pb2 import BatchRequest, BatchResponse

Send = Callable[[BatchRequest], Awaitable[BatchResponse]]


class AsyncEventQueue:
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

    def track(
        self,
        name: str,
        *,
        event_id: str | None = None,
        anonymous_id: str | None = None,
        session_id: str | None = None,
        timestamp: datetime | float | None = None,
        path: str | None = None,
        title: str | None = None,
        referrer: str | None = None,
        language: str | None = None,
        timezone: str | None = None,
        utm_source: str | None = None,
        utm_medium: str | None = None,
        utm_campaign: str | None = None,
        utm_term: str | None = None,
        utm_content: str | None = None,
        properties: Mapping[str, Any] | None = None,
        ip: str | None = None,
        user_agent: str | None = None,
        browser: str | None = None,
        os: str | None = None,
        device: str | None = None,
        country: str | None = None,
        region: str | None = None,
        city: str | None = None,
    ) -> bool:
        """Puts an event into the queue and returns at once. False when it was dropped, because the queue is full or closed.

        Args:
            name: What happened: page_view is a page view, every other name but page_exit a custom event.
            event_id: For deduplication; a random one by default. The same id counts once in 24 hours.
            anonymous_id: The visitor, as the tracker of the page names it.
            session_id: The session, as the tracker of the page names it.
            timestamp: When it happened: a datetime with a time zone, or Unix ms. The default is now.
            path: Path or absolute URL of the page.
            title: Title of the page.
            referrer: Where the visitor came from.
            language: Language of the visitor, such as en-US.
            timezone: IANA time zone of the visitor.
            utm_source: Campaign source.
            utm_medium: Campaign medium.
            utm_campaign: Campaign name.
            utm_term: Campaign search term.
            utm_content: Campaign content.
            properties: Properties of the event: what JSON has.
            ip: The visitor's address, looked up for the place and then dropped. This and what follows needs a key with
                write:events.
            user_agent: The visitor's User-Agent header.
            browser: Instead of the user agent: a name such as Chrome.
            os: Instead of the user agent: a name such as Windows.
            device: Instead of the user agent: desktop, mobile, tablet or tv.
            country: Instead of the address: ISO 3166-1 alpha-2.
            region: Instead of the address: an English name such as Bavaria.
            city: Instead of the address: an English name such as Munich.

        Raises:
            TypeError, ValueError: A wrong argument, or the client has no website_id.
        """
        event = self._events.event(
            {
                "name": name,
                "event_id": event_id,
                "anonymous_id": anonymous_id,
                "session_id": session_id,
                "timestamp": timestamp,
                "path": path,
                "title": title,
                "referrer": referrer,
                "language": language,
                "timezone": timezone,
                "utm_source": utm_source,
                "utm_medium": utm_medium,
                "utm_campaign": utm_campaign,
                "utm_term": utm_term,
                "utm_content": utm_content,
                "properties": properties,
                "ip": ip,
                "user_agent": user_agent,
                "browser": browser,
                "os": os,
                "device": device,
                "country": country,
                "region": region,
                "city": city,
            }
        )
        dropped = self._events.add(event)
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
