"""What lookout-client does while the service, a proxy or the network fails. The test runs it outside the repository."""

import asyncio
import os
import threading
from pathlib import Path
from typing import Any

import grpc
from lookout import AsyncLookout, Lookout, LookoutError
from lookout.v1.ingest_pb2 import BatchRequest, Event, FlatEvent, OutgoingLinkPayload
from lookout.v1.links_pb2 import ListLinksRequest
from lookout.v1.query_pb2 import WatchRequest

base, secure, proxy = (os.environ[name] for name in ("INTERRUPTED", "SECURE", "PROXY"))


def tries(client: Lookout) -> int:
    return int(client.links.ListLinks.with_call(ListLinksRequest())[1].headers["x-tries"])


def failure_of(client: Lookout) -> LookoutError:
    try:
        client.links.list_links()
    except LookoutError as error:
        return error
    raise AssertionError("the call should have failed")


# What a proxy answers for a while is tried again, after a longer wait than for Lookout itself: gRPC hides its Retry-After.
for status, code in ((429, "RATE_LIMIT_EXCEEDED"), (502, "SERVICE_UNAVAILABLE"), (503, "SERVICE_UNAVAILABLE"), (504, "SERVICE_UNAVAILABLE")):
    with Lookout(base, f"status-{status} again") as client:
        assert tries(client) == 2
    with Lookout(base, f"status-{status} once", max_retries=0) as client:
        failure = failure_of(client)
        assert (failure.code, failure.status, failure.is_temporary) == (code, status, True), failure
# What it answers for good is not, and says what to do.
for status, advice in ((301, "redirect"), (403, "let the call through"), (404, "passes on gRPC"), (413, "larger")):
    with Lookout(base, f"status-{status}") as client:
        failure = failure_of(client)
        assert (failure.code, failure.status, failure.is_temporary) == ("BAD_ANSWER", status, False), failure
        assert advice in failure.message, failure
        assert tries(client) == 2, "the failed call was made once"

with Lookout(base, "asks") as client:
    assert tries(client) == 2
with Lookout(base, "asks once", max_retries=0) as client:
    assert failure_of(client).retry_after_s == 0
with Lookout(base, "lost") as client:
    assert tries(client) == 2
with Lookout(base, "lost once", max_retries=0) as client:
    failure = failure_of(client)
    assert failure.code == "BAD_ANSWER" and "was lost" in failure.message and failure.is_temporary, failure

# Events are sent again if each has an id, in any of their forms.
flat, link = FlatEvent(name="a", event_id="1"), OutgoingLinkPayload(href="https://shop.example", event_id="2")
with Lookout(base, "lost events") as client:
    batch = BatchRequest(events=[Event(flat=flat), Event(outgoing_link=link)])
    assert client.ingest.Batch.with_call(batch)[1].headers["x-tries"] == "2"
with Lookout(base, "lost track") as client:
    client.ingest.track(events=[{"event_id": "1", "name": "a"}])
for key, ids in (("lost one", ["1", ""]), ("lost none", [])):
    with Lookout(base, key) as client:
        try:
            client.ingest.batch(events=[{"flat": {"name": "a", "event_id": id}} for id in ids])
            raise AssertionError("an event without an id might count twice")
        except LookoutError as error:
            assert error.code == "BAD_ANSWER"

# A certificate that is not trusted, one that is, and a proxy on the way.
with Lookout(secure, "key") as client:
    failure = failure_of(client)
    assert failure.code == "UNREACHABLE" and "certificate" in failure.message and not failure.is_temporary, failure
    assert "root_certificates" in failure.message
trusted = grpc.ssl_channel_credentials(root_certificates=Path(os.environ["AUTHORITY"]).read_bytes())
with Lookout(secure, "trusted", credentials=trusted) as client:
    assert tries(client) == 1
through: Any = [("grpc.http_proxy", proxy), ("grpc.enable_http_proxy", 1)]
with Lookout(secure, "through a proxy", credentials=trusted, options=through) as client:
    assert tries(client) == 1

# A watch goes on after a failure, and tells so.
told: list[str] = []
with Lookout(base, "interrupted") as client:
    with client.queries.Watch(WatchRequest(), on_reconnect=lambda error, wait_s: told.append(error.code)) as stream:
        for message in stream:
            if message.answer.request_id == "try 3":
                break
assert told == ["BAD_ANSWER", "BAD_ANSWER"], told
# One that says nothing any more is lost, and its signs of life are not answers.
told.clear()
with Lookout(base, "quiet") as client:
    quiet = client.queries.watch(website_id="w", query={}, keep_alive_seconds=1, on_reconnect=lambda error, _: told.append(error.code))
    assert [next(quiet).answer.request_id for _ in range(2)] == ["try 1", "try 2"] and told == ["TIMEOUT"], told
    quiet.close()
# Also one that answers and then never says anything.
told.clear()
with Lookout(base, "still") as client:
    still = client.queries.watch(website_id="w", query={}, keep_alive_seconds=1, on_reconnect=lambda error, _: told.append(error.code))
    timer = threading.Timer(20, still.close)
    timer.start()
    assert [message.answer.request_id for _, message in zip(range(2), still)] == ["try 1", "try 2"] and told == ["TIMEOUT"], told
    timer.cancel()
    still.close()
with Lookout(base, "status-503 watch") as client:
    assert next(client.watch("w", parameters=[])).answer.request_id == "try 2"
with Lookout(base, "interrupted never again", max_retries=0) as client:
    try:
        for message in client.watch("w", parameters=[]):
            pass
        raise AssertionError("the stream has failed")
    except LookoutError as error:
        assert error.code == "BAD_ANSWER"


try:
    AsyncLookout(base, "key")
    raise AssertionError("no event loop runs")
except RuntimeError as outside:
    assert "Make AsyncLookout in a coroutine" in str(outside), outside


async def asynchronous() -> None:
    told.clear()
    async with AsyncLookout(base, "interrupted aio") as client:
        stream = client.watch("w", parameters=[], on_reconnect=lambda error, wait_s: told.append(error.code))
        async for message in stream:
            if message.answer.request_id == "try 3":
                break
    assert told == ["BAD_ANSWER", "BAD_ANSWER"], told
    told.clear()
    async with AsyncLookout(base, "quiet aio") as client:
        quiet = client.queries.watch(website_id="w", query={}, keep_alive_seconds=1, on_reconnect=lambda error, _: told.append(error.code))
        assert [(await anext(quiet)).answer.request_id for _ in range(2)] == ["try 1", "try 2"] and told == ["TIMEOUT"], told
    told.clear()
    async with AsyncLookout(base, "still aio") as client:
        still = client.queries.watch(website_id="w", query={}, keep_alive_seconds=1, on_reconnect=lambda error, _: told.append(error.code))
        answers = [(await asyncio.wait_for(anext(still), 20)).answer.request_id for _ in range(2)]
        assert answers == ["try 1", "try 2"] and told == ["TIMEOUT"], told
    async with AsyncLookout(base, "status-503 aio") as client:
        assert (await anext(client.watch("w", parameters=[]))).answer.request_id == "try 2"
    async with AsyncLookout(base, "lost aio") as client:
        _, answered = await client.links.ListLinks.with_call(ListLinksRequest())
        assert answered.headers["x-tries"] == "2"


asyncio.run(asynchronous())
print("done")
