from __future__ import annotations

from datetime import datetime


def to_datetime(text: str) -> datetime:
    """A time of a message, which is text as on the wire: to_datetime(link.created_at). Raises a ValueError for a text that is none.

    A field that is not set is an empty text: to_datetime_or_none reads those.
    """
    if text == "":
        raise ValueError("The time is not set: an empty text. to_datetime_or_none answers None for it")
    # Python 3.10 does not read the Z that stands for UTC.
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def to_datetime_or_none(text: str) -> datetime | None:
    """The same for a field that may not be set, such as link.expires_at, which is None then."""
    return None if text == "" else to_datetime(text)
