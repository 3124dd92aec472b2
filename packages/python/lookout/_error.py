from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, Iterable

import grpc
from google.rpc import error_details_pb2, status_pb2
from lookout.v1 import error_pb2

_TEMPORARY = frozenset(
    ("UNREACHABLE", "TIMEOUT", "BAD_ANSWER", "RATE_LIMIT_EXCEEDED", "INTERNAL_SERVER_ERROR", "SERVICE_UNAVAILABLE")
)


@dataclass(frozen=True)
class Detail:
    """What is wrong with one field of a request."""

    field: str
    """Its path, such as parameters[0]."""
    message: str
    suggestion: str | None = None
    """The nearest valid value, where one is near."""


class LookoutError(Exception):
    """The error of every call. Its message says what to do.

    code is one of the API's, such as NOT_FOUND, or where the service did not answer: UNREACHABLE (nothing answers at
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
    ) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        """Names the request in the service's log."""
        self.retry_after_s = retry_after_s
        """How long the service asks to wait before the next try, where it asks."""

    @property
    def is_temporary(self) -> bool:
        """Whether the same call may succeed later. Whether it may be made twice depends on the call."""
        # The first try of a creating call, with the same idempotency key, is still being carried out.
        is_under_way = self.code == "CONFLICT" and self.retry_after_s is not None
        return self.code in _TEMPORARY or is_under_way


def to_lookout_error(error: Any, address: str) -> LookoutError:
    """Turns an error of grpc or grpc.aio into a LookoutError."""
    trailers = _texts(error.trailing_metadata())
    status = status_pb2.Status()
    status.ParseFromString(trailers.get("grpc-status-details-bin", b""))
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
    if info.reason:
        hint = ". Check the api_key of Lookout" if info.reason == "INVALID_API_KEY" else ""
        wrong = (Detail(each.field, each.description) for each in bad.field_violations)
        details = tuple(replace(each, suggestion=suggestions.get(each.field)) for each in wrong)
        wait_s = retry.retry_delay.ToMilliseconds() / 1_000 or _seconds(trailers.get("retry-after"))
        return LookoutError(info.reason, f"{text}{hint}", details, request.request_id or None, wait_s)
    return _without_answer(error.code(), text, address)


def _without_answer(code: grpc.StatusCode, text: str, address: str) -> LookoutError:
    status = re.search(r"status: (429|502|503|504)", text)
    if status is not None:
        proxied = "RATE_LIMIT_EXCEEDED" if status[1] == "429" else "SERVICE_UNAVAILABLE"
        return LookoutError(proxied, f"A proxy before {address} answered {status[1]}. Try again later")
    if code == grpc.StatusCode.DEADLINE_EXCEEDED:
        return timeout_error(address)
    if code == grpc.StatusCode.CANCELLED:
        return LookoutError("CANCELLED", "The call was cancelled")
    # grpc says UNAVAILABLE also of servers that do not speak HTTP/2.
    if code == grpc.StatusCode.UNAVAILABLE:
        return LookoutError(
            "UNREACHABLE", f"Nothing answers at {address} ({text}). Check the address, and whether Lookout runs and speaks gRPC there"
        )
    return LookoutError(
        "BAD_ANSWER", f"The answer of {address} broke off or is not one of Lookout ({text}). Check the address and the proxies on the way"
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
    return float(retry_after) if retry_after is not None and retry_after.isdecimal() else None
