from __future__ import annotations

import re
import time
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Any, Iterable

from google.rpc import error_details_pb2, status_pb2
from lookout._call_names import in_python
from lookout._unanswered import unanswered
from lookout.v1 import error_pb2

_TEMPORARY = frozenset(
    ("UNREACHABLE", "TIMEOUT", "BAD_ANSWER", "RATE_LIMIT_EXCEEDED", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE")
)


@dataclass(frozen=True)
class Detail:
    """What is wrong with one field of a request."""

    field: str
    """Its path as JSON names it, such as parameters[0] or targetUrl, which is target_url in Python. Empty for the request as a whole."""
    message: str
    suggestion: str | None = None
    """The nearest valid value, where one is near."""


class LookoutError(Exception):
    """The error of every call. Its message says what to do.

    code is one of the API's, such as NOT_FOUND or ACCESS_DENIED (the key lacks a scope, which the message names), or where the service did not answer: UNREACHABLE (nothing answers at
    the address), TIMEOUT (no complete answer in time), BAD_ANSWER (the answer broke off, or something else than Lookout
    answers) or CANCELLED. QueryType.rows raises NOT_ASKED where the query did not have the type.
    """

    def __init__(
        self,
        code: str,
        message: str,
        details: tuple[Detail, ...] = (),
        request_id: str | None = None,
        retry_after_s: float | None = None,
        status: int | None = None,
        is_temporary: bool | None = None,
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        """Names the request in the service's log."""
        self.retry_after_s = retry_after_s
        """How long the service asks to wait before the next try, where it asks."""
        self.status = status
        """The HTTP status with which a proxy answered instead of Lookout; None for all other errors."""
        # The first try of a creating call, with the same idempotency key, is still being carried out.
        is_under_way = code == "CONFLICT" and retry_after_s is not None
        self.is_temporary = code in _TEMPORARY or is_under_way if is_temporary is None else is_temporary
        """Whether the same call may succeed later. Whether it may be made twice depends on the call."""

    def __reduce__(self) -> tuple[Any, ...]:
        # Exception would make it of its text only, so it could not come back from another process.
        return type(self), (
            self.code, self.message, self.details, self.request_id, self.retry_after_s, self.status, self.is_temporary
        )


def to_lookout_error(error: Any, address: str) -> LookoutError:
    """Turns an error of grpc or grpc.aio into a LookoutError."""
    headers = {**_texts(error.initial_metadata()), **_texts(error.trailing_metadata())}
    status = status_pb2.Status()
    status.ParseFromString(headers.get("grpc-status-details-bin", b""))
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.RequestInfo()
    retry = error_details_pb2.RetryInfo()
    bad = error_details_pb2.BadRequest()
    suggestions: dict[str, str] = {}
    for detail in status.details:
        for message in (info, request, retry, bad):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
        suggestion = error_pb2.FieldSuggestion()
        if detail.Unpack(suggestion):
            suggestions.setdefault(suggestion.field, suggestion.suggestion)
    text = error.details() or ""
    wait_s = retry.retry_delay.ToMilliseconds() / 1_000 or _seconds(headers.get("retry-after"))
    if info.reason:
        hint = ". Check the api_key of Lookout" if info.reason == "INVALID_API_KEY" else ""
        wrong = (Detail(each.field, in_python(each.description)) for each in bad.field_violations)
        details = tuple(replace(each, suggestion=suggestions.get(each.field)) for each in wrong)
        return LookoutError(info.reason, f"{in_python(text)}{hint}", details, request.request_id or None, wait_s)
    facts = unanswered(error.code(), text, address)
    request_id = headers.get("x-request-id")
    return LookoutError(
        facts.code, facts.message, (), request_id, wait_s, status=facts.status, is_temporary=facts.is_temporary
    )


def timeout_error(address: str) -> LookoutError:
    """The error of a call that was not answered in time."""
    return LookoutError("TIMEOUT", f"{address} gave no complete answer in time. Try again, or allow more with timeout_s")


def closed_error() -> LookoutError:
    """The error of a call whose client was closed."""
    return LookoutError("CANCELLED", "The client is closed")


def _texts(metadata: Iterable[tuple[str, Any]] | None) -> dict[str, Any]:
    return {key: value for key, value in metadata or ()}


def _seconds(retry_after: str | None) -> float | None:
    """The wait that Retry-After asks for, which is seconds or a date of HTTP."""
    if retry_after is None:
        return None
    if re.fullmatch(r"\d+(\.\d+)?", retry_after):
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
