"""The queue of events of lookout-client, while the service fails. The test runs it outside the repository; it ends without close()."""

import asyncio
import os
import threading
from datetime import datetime, timezone
from typing import Any, Sequence

from lookout import AsyncLookout, EventOptions, Lookout, LookoutError
from google.protobuf.struct_pb2 import Struct, Value
from lookout.v1.ingest_pb2 import BatchRequest, Event, FlatEvent

base = os.environ["INTERRUPTED"]
dropped: list[tuple[str, str]] = []
blocked: list[str] = []


def on_dropped(events: Sequence[FlatEvent], error: LookoutError) -> None:
    dropped.extend((event.event_id, error.code) for event in events)


def options(max_events: int = 10_000, flush_interval_s: float = 60, close_timeout_s: float = 20) -> EventOptions:
    on_blocked = lambda error: blocked.append(error.code)
    return EventOptions(max_events, flush_interval_s, close_timeout_s, on_dropped, on_blocked)


# 250 events of ten threads go in three batches, of which the first one's answer is lost.
with Lookout(base, "lost queue", website_id="w", events=options()) as client:
    def track_some(thread: int) -> None:
        for number in range(25):
            at = datetime.now(timezone.utc)
            assert client.events.track("a", event_id=f"many-{thread}-{number}", timestamp=at, properties={"n": number})

    threads = [threading.Thread(target=track_some, args=[thread]) for thread in range(10)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    client.events.flush()
    assert len(client.events) == 0
assert dropped == []

# close() sends what waits. What the service refuses is told, and so is what comes afterwards.
with Lookout(base, "closing", website_id="w", events=options()) as client:
    client.events.track("a", event_id="closing-1")
    client.events.track("bad", event_id="closing-2")
    client.events.track("a", event_id="closing-3")
assert not client.events.track("a", event_id="closing-4")
assert dropped == [("closing-2", "VALIDATION_ERROR"), ("closing-4", "CLOSED")], dropped
dropped.clear()

# The bound holds. What cannot be sent in time is told.
with Lookout("http://127.0.0.1:9", "nobody", website_id="w", events=options(2, 60, 0.2)) as client:
    taken = [client.events.track("a", event_id=f"bound-{number}") for number in range(3)]
    assert taken == [True, True, False]
assert dropped[0] == ("bound-2", "QUEUE_FULL") and [id for id, _ in dropped[1:]] == ["bound-0", "bound-1"], dropped
assert dropped[1][1] in ("TIMEOUT", "UNREACHABLE"), dropped
dropped.clear()

# A wrong key loses nothing: it is told once, and the events are sent when it has been put right.
with Lookout(base, "wrong", website_id="w", events=options()) as client:
    client.events.track("a", event_id="wrong-1")
    for _ in range(2):
        try:
            client.events.flush()
            raise AssertionError("a wrong key")
        except LookoutError as error:
            assert error.code == "INVALID_API_KEY", error
    assert len(client.events) == 1 and blocked == ["INVALID_API_KEY"], blocked
    client.ingest.track(events=[{"name": "put right"}])
    client.events.flush()
assert dropped == []

mistakes: tuple[dict[str, Any], ...] = ({"timestamp": datetime.now()}, {"properties": {"a": object()}})
for fields in mistakes:
    with Lookout(base, "mistakes", website_id="w") as client:
        try:
            client.events.track("a", **fields)
            raise AssertionError(f"a mistake: {fields}")
        except (TypeError, ValueError) as error:
            assert next(iter(fields)) in str(error), error

# What JSON does not have is refused where it is given, by its name, and neither blocks nor takes other events with it.
itself: dict[str, Any] = {}
itself["itself"] = itself
made = Struct(fields={"price": Value(number_value=float("nan"))})
no_json: tuple[tuple[dict[str, Any], str], ...] = (
    ({"properties": {"price": float("nan")}}, "properties.price: JSON has no nan"),
    ({"properties": {"items": [1, {"price": float("-inf")}]}}, "properties.items[1].price: JSON has no -inf"),
    ({"properties": {"order": 2**53 + 1}}, "properties.order: JSON's numbers of 64 bits would round 9007199254740993"),
    ({"properties": {"order": 10**400}}, "properties.order: JSON has no number so large"),
    ({"properties": {"cut": "\ud83d"}}, "properties.cut: "),
    ({"properties": itself}, "properties is more than 100 deep"),
    ({"properties": {"made": made.fields["price"]}}, "properties.made: JSON has no nan"),
    ({"properties": made}, "properties.price: JSON has no nan"),
    ({"timestamp": float("inf")}, "timestamp: JSON has no inf"),
)
with Lookout(base, "closing", website_id="w", events=options()) as client:
    client.events.track("a", event_id="closing-5")
    for fields, expected in no_json:
        try:
            client.events.track("a", **fields)
            raise AssertionError(f"no JSON: {fields}")
        except ValueError as error:
            assert str(error).startswith(expected), error
    assert client.events.track("a", event_id="closing-6", properties={"most": 2**53, "share": 0.1, "none": None})
    batch = BatchRequest(website_id="w", events=[Event(flat=FlatEvent(name="a")), Event(flat=FlatEvent(name="a", properties=made))])
    try:
        client.ingest.Batch(batch)
        raise AssertionError("no JSON in a message")
    except ValueError as error:
        assert str(error) == "events[1].flat.properties.price: JSON has no nan", error
assert dropped == [], dropped
try:
    Lookout(base, "no website").events.track("a")
except ValueError as error:
    assert "website_id" in str(error)


async def asynchronous() -> None:
    async with AsyncLookout(base, "lost aio queue", website_id="w", events=options()) as client:
        for number in range(150):
            client.events.track("a", event_id=f"aio-{number}")
        await client.events.flush()
        client.events.track("a", event_id="aio-150")
    assert len(client.events) == 0 and dropped == []
    async with AsyncLookout("http://127.0.0.1:9", "nobody", website_id="w", events=options(2, 60, 0.2)) as client:
        assert [client.events.track("a", event_id=f"aio-bound-{number}") for number in range(3)] == [True, True, False]
    assert [id for id, _ in dropped] == ["aio-bound-2", "aio-bound-0", "aio-bound-1"], dropped


asyncio.run(asynchronous())
# Sent at the end of the process.
Lookout(base, "exit", website_id="w", events=options()).events.track("a", event_id="exit-1")
left_open = Lookout(base, "exit", website_id="w", events=options())
left_open.events.track("a", event_id="exit-2")
print("done")
