"""What becomes of events that wait in the queue of lookout-client when something fails that does not pass by itself. The test runs it outside the repository."""

import asyncio
import os
import time
from pathlib import Path
from typing import Any, Callable, Sequence

import grpc
from lookout import AsyncLookout, EventOptions, Lookout, LookoutError
from lookout.v1.ingest_pb2 import FlatEvent
from lookout.v1.links_pb2 import ListLinksRequest

base, secure, refusing_proxy = (os.environ[name] for name in ("INTERRUPTED", "SECURE", "REFUSING_PROXY"))
told: list[str] = []


def on_dropped(events: Sequence[FlatEvent], error: LookoutError) -> None:
    told.append(" ".join(["dropped", *(event.name for event in events), error.code]))


options = EventOptions(flush_interval_s=60, on_dropped=on_dropped, on_blocked=lambda error: told.append(f"blocked {error.code}"))


def failure_of(call: Callable[[], None]) -> LookoutError:
    try:
        call()
    except LookoutError as error:
        return error
    raise AssertionError("the call should have failed")


def with_events(key: str, *events: str) -> Lookout:
    told.clear()
    client = Lookout(base, key, website_id="w", events=options)
    for name in events:
        client.events.track(name)
    return client


def is_told(expected: str) -> bool:
    """Whether this is all that was told. Queues call back on a thread of their own, perhaps only after flush()."""
    end_s = time.monotonic() + 5
    while not told and time.monotonic() < end_s:
        time.sleep(0.001)
    return told == [expected]


def tries(client: Lookout) -> str:
    return client.links.ListLinks.with_call(ListLinksRequest())[1].headers["x-tries"]


# An error that the caller must fix is reported, flush() fails at once, and the events wait.
for key, code in (
    ("status-403 queue", "BAD_ANSWER"),
    ("status-407 queue", "BAD_ANSWER"),
    ("fails-NOT_IMPLEMENTED", "NOT_IMPLEMENTED"),
    ("fails-PAYMENT_REQUIRED", "PAYMENT_REQUIRED"),
):
    with with_events(key, "a", "b") as client:
        assert failure_of(client.events.flush).code == code and len(client.events) == 2, told
        client.events.flush()
    assert is_told(f"blocked {code}"), told

# An answer without a result of each event is none of Lookout: no event counts as stored.
with with_events("lacking", "a", "b") as client:
    lacking = failure_of(client.events.flush)
    assert lacking.code == "BAD_ANSWER" and not lacking.is_temporary and len(client.events) == 2, lacking
    assert lacking.message.startswith("The answer has results of 1 events, not of the 2 that were sent"), lacking
    client.events.flush()
    assert is_told("blocked BAD_ANSWER") and tries(client) == "3", told

# Only the event that the service names is dropped. Those of its batch are sent.
with with_events("fails-VALIDATION_ERROR", "a", "b", "c") as client:
    client.events.flush()
    assert is_told("dropped b VALIDATION_ERROR") and tries(client) == "3", told

# What a proxy takes not even alone is dropped. What it takes not at once goes in smaller batches.
with with_events("limit-1000", "a") as client:
    client.events.track("b", title="b" * 2_000)
    client.events.track("c")
    client.events.flush()
    assert is_told("dropped b BAD_ANSWER"), told
with with_events("status-413 queue", "a", "b") as client:
    client.events.flush()
    assert told == [] and tries(client) == "4", "refused, each event alone, and the list"

# A proxy that asks for a password does not let anything through until it has one.
told.clear()
trusted = grpc.ssl_channel_credentials(root_certificates=Path(os.environ["AUTHORITY"]).read_bytes())
through: Any = [("grpc.http_proxy", refusing_proxy), ("grpc.enable_http_proxy", 1)]
with Lookout(secure, "key", website_id="w", credentials=trusted, options=through, events=options) as client:
    client.events.track("a")
    refused = failure_of(client.events.flush)
    assert (refused.code, refused.status) == ("BAD_ANSWER", 407) and "asks for a name and a password" in refused.message, refused
    assert is_told("blocked BAD_ANSWER"), told


async def asynchronous() -> None:
    told.clear()
    async with AsyncLookout(base, "lacking aio", website_id="w", events=options) as client:
        client.events.track("a")
        client.events.track("b")
        try:
            await client.events.flush()
            raise AssertionError("the answer lacks a result")
        except LookoutError as error:
            assert error.code == "BAD_ANSWER" and len(client.events) == 2, error
        await client.events.flush()
        assert told == ["blocked BAD_ANSWER"], told


asyncio.run(asynchronous())
print("done")
