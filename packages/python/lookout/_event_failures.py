"""What a failed batch of events means for its events."""

from __future__ import annotations

import re
from typing import Sequence

from lookout._error import LookoutError
from lookout.v1.ingest_pb2 import EventResult


def is_blocking_error(error: LookoutError) -> bool:
    """Whether it stays and is not about the events, but about the key, the website or the way to Lookout: a person can put that right."""
    return not may_pass(error) and not is_too_large(error) and not _is_about_events(error)


def may_pass(error: LookoutError) -> bool:
    """Whether waiting helps. Nobody cancels the calls of a queue but a proxy, which ends their connection so."""
    return error.is_temporary or error.code == "CANCELLED"


def is_too_large(error: LookoutError) -> bool:
    """Whether a proxy takes no request of this size."""
    return error.status == 413


def _is_about_events(error: LookoutError) -> bool:
    """VALIDATION_ERROR may also be about something else than events, such as the website."""
    is_of_request = not error.details or any(re.match(r"$|events\b", detail.field) for detail in error.details)
    return error.code == "VALIDATION_ERROR" and is_of_request


def culprits(error: LookoutError, count: int) -> set[int]:
    """The events of a batch that it is about, by their index: those that its details name; all of them where it names none."""
    found = (re.match(r"events\[(\d+)\]", detail.field) for detail in error.details)
    named = {int(match[1]) for match in found if match is not None}
    return {index for index in named if index < count} or set(range(count))


def require_results(results: Sequence[EventResult], count: int) -> None:
    """Raises BAD_ANSWER for an answer that does not say of each event what became of it."""
    known = sum(1 for result in results if result.status in ("success", "error"))
    if known == count and len(results) == count:
        return
    raise LookoutError(
        "BAD_ANSWER",
        f"The answer has results of {known} events, not of the {count} that were sent, so it is not one of Lookout."
        " Check the address and the proxies on the way",
        is_temporary=False,
    )


def as_lookout_error(error: Exception) -> LookoutError:
    return error if isinstance(error, LookoutError) else LookoutError("BAD_ANSWER", f"The events could not be sent: {error!r}")
