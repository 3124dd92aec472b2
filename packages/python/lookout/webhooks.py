"""Receives what a notification channel of the kind webhook sends, signed as Standard Webhooks specifies:

    event = parse(secret, request.headers, request.body)
    if isinstance(event, IncidentOpened):
        page(event.monitor.name, event.incident.first_error)
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files
from typing import Any, Iterable, Literal, Protocol, Sequence, Union

from lookout._times import to_datetime

DEFAULT_TOLERANCE_S = 300.0
"""How far a message's time may be from the receiver's."""


WebhookErrorCode = Literal["MISSING_HEADER", "WRONG_SIGNATURE", "TOO_OLD", "TOO_NEW", "BAD_BODY"]


class WebhookError(Exception):
    """The message is not from the channel with this secret, was changed, or was sent at a time too far from now. Answer 400."""

    def __init__(self, code: WebhookErrorCode, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return self.message


class Headers(Protocol):
    """A dict, the headers of http.server, or those of a framework: whatever has names and values."""

    def items(self) -> Iterable[tuple[str, str]]: ...


@dataclass(frozen=True)
class Monitor:
    """What is checked."""

    id: str
    name: str
    url: str
    """Its address without the query."""
    website_id: str


@dataclass(frozen=True)
class Incident:
    """A time in which a monitor's checks failed."""

    id: str
    url: str | None
    """Its page in the web app."""
    started_at: datetime
    resolved_at: datetime | None
    """None while it is open."""
    duration_ms: int
    """How long it lasted until the message, or in all."""
    first_error: str
    checks_affected: int
    regions: tuple[str, ...]


@dataclass(frozen=True)
class _Event:
    id: str
    """The header webhook-id. A repeat of the same message has the same one, so a receiver that has seen it can skip it."""
    timestamp: datetime
    """When it happened. Messages that waited can arrive after later ones."""


@dataclass(frozen=True)
class IncidentOpened(_Event):
    """A monitor's checks fail."""

    monitor: Monitor
    incident: Incident


@dataclass(frozen=True)
class IncidentEscalated(_Event):
    """An incident is still open and not acknowledged, so many minutes after it opened."""

    monitor: Monitor
    incident: Incident
    after_minutes: int


@dataclass(frozen=True)
class IncidentResolved(_Event):
    """An incident is over."""

    monitor: Monitor
    incident: Incident


@dataclass(frozen=True)
class CertificateExpiring(_Event):
    """The certificate of a monitor's address ends soon."""

    monitor: Monitor
    expires_at: datetime


@dataclass(frozen=True)
class Test(_Event):
    """The message of a test of the channel."""

    __test__ = False
    text: str


@dataclass(frozen=True)
class Unknown(_Event):
    """An event that a later version of Lookout sends."""

    type: str
    data: dict[str, Any]


Event = Union[IncidentOpened, IncidentEscalated, IncidentResolved, CertificateExpiring, Test, Unknown]

EventType = Literal["incident.opened", "incident.escalated", "incident.resolved", "certificate.expiring", "test"]


def parse(
    secret: str | Sequence[str],
    headers: Headers,
    body: bytes,
    *,
    tolerance_s: float = DEFAULT_TOLERANCE_S,
    now_s: float | None = None,
) -> Event:
    """Verifies and reads a message. body must be the bytes that were received.

    secret is the channel's, with whsec_ before it; while it is changed, a list of the old one and the new one. Raises a
    WebhookError for a message that must not be believed, and a ValueError for a secret that is none.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"body must be the bytes that were received, not {type(body).__name__}")
    values = {name.lower(): value for name, value in headers.items()}
    keys = [_key(each) for each in ([secret] if isinstance(secret, str) else secret)]
    if not keys:
        raise ValueError("There is no secret")
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not values.get(name):
            raise WebhookError("MISSING_HEADER", f"The header {name} is missing")
    id, sent = values["webhook-id"], values["webhook-timestamp"]
    right = [_signature(key, id, sent, bytes(body)).encode() for key in keys]
    signatures = [each.encode() for each in values["webhook-signature"].split()]
    # Each is compared, so that the time does not tell which one is right.
    if sum(hmac.compare_digest(one, other) for one in signatures for other in right) == 0:
        raise WebhookError(
            "WRONG_SIGNATURE", "The signature does not match. Check the channel's secret, and pass the body as it was received"
        )
    _check_time(sent, time.time() if now_s is None else now_s, tolerance_s)
    try:
        return _read(id, json.loads(bytes(body)))
    except (KeyError, TypeError, ValueError) as error:
        raise WebhookError("BAD_BODY", "The body is not one of Lookout") from error


def _check_time(sent: str, now_s: float, tolerance_s: float) -> None:
    if not sent.isdecimal() or now_s - int(sent) > tolerance_s:
        raise WebhookError("TOO_OLD", "It was sent too long ago. It may be a replay, or check this machine's clock")
    if int(sent) - now_s > tolerance_s:
        raise WebhookError("TOO_NEW", "It was sent at a time that is still to come. Check this machine's clock")


def sign(secret: str, id: str, body: bytes, sent_at_s: float | None = None) -> dict[str, str]:
    """The headers of a message, for tests of a receiver."""
    sent = str(int(time.time() if sent_at_s is None else sent_at_s))
    return {"webhook-id": id, "webhook-timestamp": sent, "webhook-signature": _signature(_key(secret), id, sent, body)}


def sample(type: EventType) -> bytes:
    """The body of a message, for tests of a receiver."""
    samples = json.loads(files("lookout").joinpath("_webhook_samples.json").read_bytes())
    return json.dumps(samples[type]).encode()


def _key(secret: str) -> bytes:
    prefix, _, text = secret.strip().partition("_")
    try:
        key = base64.b64decode(text, validate=True) if prefix == "whsec" else b""
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("secret must be whsec_ and base64, as the answer to the channel's creation has it")
    return key


def _signature(key: bytes, id: str, sent: str, body: bytes) -> str:
    digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"


def _read(id: str, message: dict[str, Any]) -> Event:
    type, data, at = message["type"], message["data"], to_datetime(message["timestamp"])
    if type == "incident.opened":
        return IncidentOpened(id, at, _monitor(data), _incident(data))
    if type == "incident.escalated":
        return IncidentEscalated(id, at, _monitor(data), _incident(data), data["afterMinutes"])
    if type == "incident.resolved":
        return IncidentResolved(id, at, _monitor(data), _incident(data))
    if type == "certificate.expiring":
        return CertificateExpiring(id, at, _monitor(data), to_datetime(data["certificate"]["expiresAt"]))
    if type == "test":
        return Test(id, at, data["text"])
    return Unknown(id, at, type, data)


def _monitor(data: dict[str, Any]) -> Monitor:
    monitor = data["monitor"]
    return Monitor(monitor["id"], monitor["name"], monitor["url"], monitor["websiteId"])


def _incident(data: dict[str, Any]) -> Incident:
    incident = data["incident"]
    resolved = incident["resolvedAt"]
    return Incident(
        id=incident["id"],
        url=incident.get("url"),
        started_at=to_datetime(incident["startedAt"]),
        resolved_at=None if resolved is None else to_datetime(resolved),
        duration_ms=incident["durationMs"],
        first_error=incident["firstError"],
        checks_affected=incident["checksAffected"],
        regions=tuple(incident["regions"]),
    )
