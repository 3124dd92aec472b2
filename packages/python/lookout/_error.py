from __future__ import annotations

from dataclasses import dataclass

import grpc
from google.rpc import error_details_pb2, status_pb2


@dataclass(frozen=True)
class Detail:
    """What is wrong with one field of a request."""

    field: str
    """Its path, such as parameters[0]."""
    message: str


class LookoutError(Exception):
    """The error of every call. Its message says what to do.

    code is one of the API's, such as NOT_FOUND, or where the service did not answer: UNREACHABLE (nothing answers at
    the address), TIMEOUT (no complete answer in time), BAD_ANSWER (the answer broke off, or something else than Lookout
    answers) or CANCELLED. QueryType.rows raises NOT_ASKED where the query did not have the type.
    """

    def __init__(self, code: str, message: str, details: tuple[Detail, ...] = (), request_id: str | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.message = message
        self.details = details
        self.request_id = request_id
        """Names the request in the service's log."""


def to_lookout_error(error: grpc.RpcError, address: str) -> LookoutError:
    """Turns an error of grpc into a LookoutError."""
    status = status_pb2.Status()
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            status.ParseFromString(value)
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.RequestInfo()
    bad = error_details_pb2.BadRequest()
    for detail in status.details:
        for message in (info, request, bad):
            if detail.Is(message.DESCRIPTOR):
                detail.Unpack(message)
    text = error.details() or ""
    if info.reason:
        hint = ". Check the api_key of Lookout" if info.reason == "INVALID_API_KEY" else ""
        details = tuple(Detail(each.field, each.description) for each in bad.field_violations)
        return LookoutError(info.reason, f"{text}{hint}", details, request.request_id or None)
    code = error.code()
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
