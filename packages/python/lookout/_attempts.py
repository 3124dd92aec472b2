"""When a call is made again, for both clients."""

from __future__ import annotations

import random
import re
import secrets
import time
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Literal, Sequence

from lookout._error import LookoutError
from lookout._numbers import check_numbers

Repeats = Literal["safe", "with key", "with event ids", "no"]
"""Whether a call may be made more than once: as it is, with an idempotency key, if each event has an id, or not at all."""

Metadata = Sequence[tuple[str, str]]

OnReconnect = Callable[[LookoutError, float], None]
"""Gets why a stream was interrupted, and after how many seconds it is opened again."""

FIRST_WAIT_S = 0.2
# A proxy that answers an error says when to come back in a header that gRPC does not pass on, so the wait is longer.
FIRST_WAIT_FOR_PROXY_S = 1.0
_MOST_WAIT_S = 60.0


@dataclass(frozen=True)
class CallSettings:
    """What all calls of a client have in common."""

    address: str
    api_key: str | None
    timeout_s: float
    max_retries: int

    def __post_init__(self) -> None:
        _check_timeout("timeout_s", self.timeout_s)
        if self.max_retries < 0:
            raise ValueError(f"max_retries must be at least 0, not {self.max_retries}")
        if self.api_key is not None:
            # A file or a secret often ends with a line break.
            key = self.api_key.strip()
            if not re.fullmatch(r"[ -~]+", key):
                raise ValueError("api_key must be ASCII in one line, as it was shown when it was made; None is for calls without one")
            object.__setattr__(self, "api_key", key)

    def metadata(self, request: Any, own: Metadata, repeats: Repeats, idempotency_key: str | None) -> list[tuple[str, str]]:
        """What is sent as headers. All tries of a creating call have the same key, so that it creates one object."""
        sent = [_checked_header(*each) for each in own]
        if self.api_key is not None:
            sent.append(("authorization", f"Bearer {self.api_key}"))
        if idempotency_key is not None and not re.fullmatch(r"[ -~]{1,255}", idempotency_key):
            raise ValueError(f"idempotency_key must be 1 to 255 printable characters of ASCII, not {idempotency_key!r}")
        if repeats == "with key" and not request.HasField("idempotency_key"):
            sent.append(("idempotency-key", idempotency_key or secrets.token_urlsafe(18)))
        return sent


def check_request(request: Any, type_: type[Any], call: str) -> None:
    """Raises a TypeError for what is no request of the call, and a ValueError for a number that JSON does not have."""
    if not isinstance(request, type_):
        hint = ". The call in small letters takes the fields as arguments" if isinstance(request, dict) or request is None else ""
        raise TypeError(f"{call} takes a {type_.__name__}, not {type(request).__name__}{hint}")
    check_numbers(request)


def is_repeatable(repeats: Repeats, request: Any) -> bool:
    if repeats == "with event ids":
        events = request.events if hasattr(request, "events") else [request.event]
        return len(events) > 0 and all(_has_id(event) for event in events)
    return repeats != "no"


def _has_id(event: Any) -> bool:
    """Whether the event, or what it wraps, has an event_id."""
    if hasattr(event, "event_id"):
        return bool(event.event_id)
    kind = event.WhichOneof("payload")
    return kind is not None and bool(getattr(event, kind).event_id)


class Attempts:
    """The tries of one call, which share its timeout."""

    def __init__(self, settings: CallSettings, is_repeatable: bool, timeout_s: float | None) -> None:
        if timeout_s is not None:
            _check_timeout("timeout", timeout_s)
        self._left = settings.max_retries if is_repeatable else 0
        self._end_s = time.monotonic() + (settings.timeout_s if timeout_s is None else timeout_s)
        self._failures = 0

    def remaining_s(self) -> float:
        return max(0.0, self._end_s - time.monotonic())

    def wait_s(self, failure: LookoutError) -> float | None:
        """How long to wait before the next try; None if the call has failed."""
        self._failures += 1
        if self._failures > self._left or not failure.is_temporary:
            return None
        wait = wait_before_retry_s(failure, self._failures)
        return wait if wait < self.remaining_s() else None


def wait_before_retry_s(failure: LookoutError, failures: int) -> float:
    """What the service asks for and up to a tenth more, or a time that doubles and half of which is random.

    So clients that failed together do not return together. A service that asks for more than a minute is not asked again.
    """
    if failure.retry_after_s is not None:
        asked = failure.retry_after_s
        return float("inf") if asked > _MOST_WAIT_S else asked * (1 + random.random() / 10)
    first_s = FIRST_WAIT_S if failure.status is None else FIRST_WAIT_FOR_PROXY_S
    wait: float = min(_MOST_WAIT_S, first_s * 2 ** (failures - 1))
    return wait * (0.5 + random.random() / 2)


class StreamAttempts:
    """The tries of one stream: those to open it share its timeout, and one that was interrupted is opened again without end."""

    def __init__(
        self, settings: CallSettings, is_repeatable: bool, resumes: bool, timeout_s: float | None, request: Any = None
    ) -> None:
        if timeout_s is not None:
            _check_timeout("timeout", timeout_s)
        self._first_s = settings.timeout_s if timeout_s is None else timeout_s
        self._settings = settings
        self._is_repeatable = is_repeatable
        self._is_watch = resumes
        self._resumes = resumes and settings.max_retries > 0
        self._opening: Attempts | None = None
        self._has_begun = False
        self._failures = 0
        self._keep_alive_s = float(getattr(request, "keep_alive_seconds", 0))

    def begin(self) -> None:
        """The caller waits for the first message, from now on."""
        if self._opening is None:
            self._opening = Attempts(self._settings, self._is_repeatable, self._first_s)

    def message_came(self, message: Any) -> bool:
        """Whether the caller gets the message: one without an answer only says that the stream is alive."""
        self._has_begun, self._failures = True, 0
        return self._keep_alive_s == 0 or bool(message.HasField("answer"))

    def remaining_s(self) -> float | None:
        """How long the next message may take; None if it may take any time."""
        if not self._has_begun:
            return self._first_s if self._opening is None else self._opening.remaining_s()
        # The parts of a file come one after another.
        if self._failures > 0 or not self._is_watch:
            return self._first_s
        return self._keep_alive_s * 2.5 if self._keep_alive_s > 0 else None

    def wait_s(self, failure: LookoutError) -> float | None:
        """How long to wait before the stream is opened again; None if it has failed."""
        if not self._has_begun:
            return None if self._opening is None else self._opening.wait_s(failure)
        if not self._resumes or not failure.is_temporary:
            return None
        self._failures += 1
        return min(_MOST_WAIT_S, wait_before_retry_s(failure, self._failures))


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

    @property
    def is_replayed(self) -> bool:
        """Whether the service had answered a call with the same idempotency key before, and made nothing this time."""
        return self.headers.get("idempotency-replayed") == "true"


def texts(metadata: Iterable[tuple[str, Any]] | None) -> dict[str, str]:
    """Metadata of grpc as a dict, without binary values."""
    return {key: value for key, value in metadata or () if isinstance(value, str)}


def _checked_header(name: str, value: str) -> tuple[str, str]:
    """HTTP/2 has names in small letters only."""
    if not isinstance(name, str) or not re.fullmatch(r"[0-9a-z_.-]+", name.lower()):
        raise ValueError(f"metadata: {name!r} is no name of a header")
    if not isinstance(value, str) or not re.fullmatch(r"[ -~]*", value):
        raise ValueError(f"metadata: the value of {name} must be a text of ASCII without line breaks, not {value!r}")
    return name.lower(), value


def _check_timeout(name: str, seconds: float) -> None:
    if not seconds > 0:
        raise ValueError(f"{name} must be more than 0 s, not {seconds}")
