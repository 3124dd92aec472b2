from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping


class TrackedEvents:
    """What the queues for threads and for asyncio have in common: how an event is given."""

    def _put(self, fields: Mapping[str, Any]) -> bool:
        """Takes an event of these fields. False when it was dropped."""
        raise NotImplementedError

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
        return self._put(
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
