"""When a call is made again, for both clients."""

from __future__ import annotations

import random
import secrets
import time
from dataclasses import dataclass
from typing import Any, Iterable, Literal, Sequence

from lookout._error import LookoutError

Repeats = Literal["safe", "with key", "no"]
"""Whether a call may be made more than once: as it is, with an idempotency key, or not at all."""

Metadata = Sequence[tuple[str, str]]

_FIRST_WAIT_S = 0.2
_MOST_WAIT_S = 60.0


@dataclass(frozen=True)
class CallSettings:
    """What all calls of a client have in common."""

    address: str
    api_key: str | None
    timeout_s: float
    max_retries: int

    def metadata(self, request: Any, own: Metadata, repeats: Repeats, idempotency_key: str | None) -> list[tuple[str, str]]:
        """What is sent as headers. All tries of a creating call have the same key, so that it creates one object."""
        sent = list(own)
        if self.api_key is not None:
            sent.append(("authorization", f"Bearer {self.api_key}"))
        if repeats == "with key" and not request.HasField("idempotency_key"):
            sent.append(("idempotency-key", idempotency_key or secrets.token_urlsafe(18)))
        return sent


class Attempts:
    """The tries of one call, which share its timeout."""

    def __init__(self, settings: CallSettings, repeats: Repeats, timeout_s: float | None) -> None:
        self._left = 0 if repeats == "no" else settings.max_retries
        self._end_s = time.monotonic() + (settings.timeout_s if timeout_s is None else timeout_s)
        self._failures = 0

    def remaining_s(self) -> float:
        return max(0.0, self._end_s - time.monotonic())

    def wait_s(self, failure: LookoutError) -> float | None:
        """How long to wait before the next try; None if the call has failed."""
        self._failures += 1
        if self._failures > self._left or not failure.is_temporary:
            return None
        wait = _wait_s(failure, self._failures)
        return wait if wait < self.remaining_s() else None


def _wait_s(failure: LookoutError, failures: int) -> float:
    """What the service asks for and up to a tenth more, or a time that doubles and half of which is random.

    So clients that failed together do not return together. A service that asks for more than a minute is not asked again.
    """
    if failure.retry_after_s is not None:
        asked = failure.retry_after_s
        return float("inf") if asked > _MOST_WAIT_S else asked * (1 + random.random() / 10)
    wait: float = min(_MOST_WAIT_S, _FIRST_WAIT_S * 2 ** (failures - 1))
    return wait * (0.5 + random.random() / 2)


@dataclass(frozen=True)
class Answered:
    """What an answer has beside its message."""

    headers: dict[str, str]
    """By name in lower case."""
    trailers: dict[str, str]

    @property
    def request_id(self) -> str | None:
        """Names the request in the service's log."""
        return self.headers.get("x-request-id")


def texts(metadata: Iterable[tuple[str, Any]] | None) -> dict[str, str]:
    """Metadata of grpc as a dict, without binary values."""
    return {key: value for key, value in metadata or () if isinstance(value, str)}
