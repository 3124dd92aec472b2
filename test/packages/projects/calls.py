"""What a service does with lookout-client. The test runs it outside the repository, and checks its types."""

import asyncio
import os
import pickle
import threading
import time
from datetime import datetime, timedelta, timezone
from http.client import HTTPMessage

import grpc
from google.protobuf.struct_pb2 import Value
from lookout import AsyncLookout, AsyncStream, Lookout, LookoutError
from lookout.query_types import (
    LINK_TOTAL_CLICKS,
    PAGE_VIEWS,
    PERFORMANCE_OVERVIEW,
    SESSION_LIST,
    SUMMARY_METRICS,
    TOP_PAGES,
)
from lookout import webhooks
from lookout.v1.ingest_pb2 import BatchRequest, Event, FlatEvent
from lookout.v1.links_pb2 import CreateLinkRequest, ListLinksRequest
from lookout.v1.query_pb2 import Query, QueryAnswer, QueryFilter, QueryParameter, QueryRequest, WatchRequest, WatchResponse

base, key, website, broken = (os.environ[name] for name in ("BASE", "KEY", "WEBSITE", "BROKEN"))
path = "/python"


def query(*parameters: QueryParameter) -> Query:
    of_path = QueryFilter(field="path", op="eq", value=Value(string_value=path))
    return Query(preset="today", parameters=parameters, filters=[of_path])


def ask(lookout: Lookout, *parameters: QueryParameter) -> QueryAnswer:
    return lookout.queries.Query(QueryRequest(website_id=website, query=query(*parameters))).single


def error_of(lookout: Lookout, parameter: QueryParameter = TOP_PAGES.parameter()) -> LookoutError:
    try:
        ask(lookout, parameter)
    except LookoutError as error:
        return error
    raise AssertionError("the call should have failed")


with Lookout(base, api_key=key) as lookout:
    # The same event twice counts once.
    view = Event(flat=FlatEvent(event_id="view", name="page_view", anonymous_id="visitor", path=path))
    sent = lookout.ingest.Batch(BatchRequest(website_id=website, events=[view, view]))
    assert sent.status == "success"

    watched = query(SUMMARY_METRICS.parameter())
    with lookout.queries.Watch(WatchRequest(website_id=website, query=watched)) as stream:
        for message in stream:
            if SUMMARY_METRICS.rows(message.answer)[0]["pageviews"] == 1:
                break
    assert list(stream) == [], "a closed stream is over"

    hours = PAGE_VIEWS.named("by hour")
    answer = ask(
        lookout,
        hours.parameter(granularity="hourly"),
        TOP_PAGES.parameter(),
        SESSION_LIST.parameter(),
        PERFORMANCE_OVERVIEW.parameter(),
    )
    page = TOP_PAGES.rows(answer)[0]
    assert (page["path"], page["views"]) == (path, 1) and isinstance(page["views"], int)
    session = SESSION_LIST.rows(answer)[0]
    first_visit = session["first_visit"]
    assert first_visit is not None and datetime.now(timezone.utc) - first_visit < timedelta(hours=1)
    assert len(session["events"] or []) == 1
    assert PERFORMANCE_OVERVIEW.rows(answer)[0]["avg_load_time"] is None
    assert ":" in hours.rows(answer)[0]["date"]
    try:
        PAGE_VIEWS.rows(answer)
    except LookoutError as error:
        assert error.code == "NOT_ASKED"

    unknown = error_of(lookout, QueryParameter(name="top_pagse"))
    assert unknown.code == "VALIDATION_ERROR" and (unknown.request_id or "").startswith("req_")
    assert unknown.details[0].field == "parameters[0]"
    assert unknown.details[0].suggestion == "top_pages" and not unknown.is_temporary
    assert 'did you mean "top_pages"?' in unknown.details[0].message

    links = ask(lookout, LINK_TOTAL_CLICKS.parameter())
    try:
        LINK_TOTAL_CLICKS.rows(links)
        raise AssertionError("a parameter that could not be answered")
    except LookoutError as error:
        assert error.code == "QUERY_ERROR"

    answered, call = lookout.queries.Query.with_call(QueryRequest(website_id=website, query=query(TOP_PAGES.parameter())))
    assert (call.request_id or "").startswith("req_") and "x-ratelimit-limit" in call.headers, call

    # Lists are gone through page by page.
    for once in ("one", "two", "two", "three"):
        shop = CreateLinkRequest(website_id=website, target_url="https://example.com")
        lookout.links.CreateLink(shop, idempotency_key=f"{website} {once}")
    targets = [link.target_url for link in lookout.links.ListLinks.all(ListLinksRequest(website_id=website, limit=2))]
    assert len(targets) == 3 and targets[0].startswith("https://example.com")
    today = QueryRequest(website_id=website, query=Query(preset="today", limit=2))
    assert [row["path"] for row in TOP_PAGES.all(lookout, today)] == [path]

# Each failure has a code, and a message that says what to do.
for what, address, failing_key, code, advice in (
    ("wrong key", base, "wrong", "INVALID_API_KEY", "Check the api_key"),
    ("nothing listens", "http://127.0.0.1:9", "key", "UNREACHABLE", "Check the address"),
    ("no such host", "http://lookout.invalid", "key", "UNREACHABLE", "Check the address"),
    ("no gRPC", os.environ["NO_GRPC"], "key", "UNREACHABLE", "speaks gRPC"),
    ("cut answer", broken, "cut", "BAD_ANSWER", "Check the address"),
    ("reset answer", broken, "reset", "BAD_ANSWER", "Check the address"),
    ("another server", broken, "other", "BAD_ANSWER", "Check the address"),
    ("a proxy", broken, "proxy", "SERVICE_UNAVAILABLE", "A proxy"),
    ("no answer", broken, "hang", "TIMEOUT", "timeout_s"),
):
    with Lookout(address, api_key=failing_key, timeout_s=0.3 if code == "TIMEOUT" else 5) as failing:
        failure = error_of(failing)
    assert failure.code == code and advice in failure.message, (what, failure)
with Lookout(broken, api_key="hang", timeout_s=0.3) as late:
    try:
        next(late.queries.Watch(WatchRequest(website_id=website)))
        raise AssertionError("no message comes")
    except LookoutError as error:
        assert error.code == "TIMEOUT", error
try:
    Lookout("lookout.example.com")
except ValueError as wrong:
    assert "http://" in str(wrong)
unreliable = os.environ["UNRELIABLE"]
request = QueryRequest()


def unreliably(failing_key: str, max_retries: int = 2) -> Lookout:
    return Lookout(unreliable, api_key=failing_key, max_retries=max_retries)


# Calls that fail for a while are made again where that is allowed.
with unreliably("busy py") as failing:
    assert failing.queries.Query.with_call(request)[1].headers["x-tries"] == "3"
with unreliably("busy py 2", 0) as failing:
    failure = error_of(failing)
    assert failure.code == "SERVICE_UNAVAILABLE" and failure.retry_after_s == 0.05 and failure.is_temporary
with unreliably("far py") as failing:
    failure = error_of(failing)
    assert failure.retry_after_s == 61
with unreliably("lost py") as failing:
    failing.queries.Query(request)
with unreliably("lost create py") as failing:
    created = failing.links.CreateLink(CreateLinkRequest()).link.slug
    assert created == "1 of 2", f"two tries with one key: {created}"
with Lookout(broken, api_key="hang") as hanging:
    try:
        hanging.queries.Query(request, timeout=0.1)
        raise AssertionError("no answer comes")
    except LookoutError as error:
        assert error.code == "TIMEOUT", error

# A stream ends from another thread, with its client as well.
for end in ("stream", "client"):
    streaming = unreliably(f"watch {end}")
    stream = streaming.queries.Watch(WatchRequest())
    next(stream)
    ended: list[str] = []

    def wait_for_more() -> None:
        try:
            next(stream)
        except StopIteration:
            ended.append("over")
        except LookoutError as error:
            ended.append(error.code)

    thread = threading.Thread(target=wait_for_more)
    thread.start()
    time.sleep(0.1)
    if end == "stream":
        stream.cancel()
    else:
        streaming.close()
    thread.join(20)
    assert ended == ["over" if end == "stream" else "CANCELLED"], (end, ended)
    streaming.close()

# A channel of one's own.
with grpc.insecure_channel(base.removeprefix("http://")) as channel, Lookout(base, api_key=key, channel=channel) as own:
    ask(own, TOP_PAGES.parameter())
try:
    Lookout(base, credentials=grpc.ssl_channel_credentials())
except ValueError as wrong:
    assert "https://" in str(wrong)


async def asynchronous() -> None:
    async with AsyncLookout(base, api_key=key) as lookout:
        request = QueryRequest(website_id=website, query=query(TOP_PAGES.parameter()))
        both = await asyncio.gather(lookout.queries.Query(request), lookout.queries.Query(request))
        assert [TOP_PAGES.rows(each.single)[0]["views"] for each in both] == [1, 1]
        links = [link async for link in lookout.links.ListLinks.all(ListLinksRequest(website_id=website, limit=2))]
        assert len(links) == 3
        assert [row["path"] async for row in TOP_PAGES.all_async(lookout, today)] == [path]
        watched = WatchRequest(website_id=website, query=query(SUMMARY_METRICS.parameter()))
        async with lookout.queries.Watch(watched) as stream:
            async for message in stream:
                assert SUMMARY_METRICS.rows(message.answer)[0]["pageviews"] == 1
                break
        try:
            await lookout.queries.Query(QueryRequest(website_id=website, query=query(QueryParameter(name="top_pagse"))))
            raise AssertionError("the call should have failed")
        except LookoutError as error:
            assert error.details[0].suggestion == "top_pages"
    async with AsyncLookout(unreliable, api_key="busy aio") as failing:
        _, call = await failing.queries.Query.with_call(QueryRequest())
        assert call.headers["x-tries"] == "3"
        stream = failing.queries.Watch(WatchRequest())
        await anext(stream)
        waiting = asyncio.create_task(collect(stream))
        await asyncio.sleep(0.1)
        stream.cancel()
        assert await waiting == "over"
        waiting = asyncio.create_task(collect(failing.queries.Watch(WatchRequest())))
        await asyncio.sleep(0.1)
    assert await waiting == "CANCELLED"
    async with AsyncLookout(broken, api_key="hang", timeout_s=0.3) as late:
        assert await collect(late.queries.Watch(WatchRequest())) == "TIMEOUT"
        task = asyncio.create_task(late.queries.Query(QueryRequest(), timeout=10))
        await asyncio.sleep(0.1)
        task.cancel()
        try:
            await task
            raise AssertionError("the task is cancelled")
        except asyncio.CancelledError:
            pass


async def collect(stream: AsyncStream[WatchResponse]) -> str:
    try:
        async for _ in stream:
            pass
    except LookoutError as error:
        return error.code
    return "over"


asyncio.run(asynchronous())

secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
kinds: tuple[webhooks.EventType, ...] = (
    "incident.opened", "incident.escalated", "incident.resolved", "certificate.expiring", "test"
)
for kind in kinds:
    body = webhooks.sample(kind)
    headers = webhooks.sign(secret, "msg_1", body)
    event = webhooks.parse(secret, headers, body)
    assert event.id == "msg_1" and not isinstance(event, webhooks.Unknown)
    if isinstance(event, webhooks.IncidentEscalated):
        assert event.after_minutes == 15 and event.incident.resolved_at is None and event.monitor.name == "Shop"
    assert webhooks.parse(["whsec_b2xkIHNlY3JldCBvZiB0aGU=", secret], headers, body) == event, "while the secret is changed"
    cases = ((body + b" ", None, "WRONG_SIGNATURE"), (body, time.time() + 360, "TOO_OLD"), (body, time.time() - 360, "TOO_NEW"))
    for changed, now_s, code in cases:
        try:
            webhooks.parse(secret, headers, changed, now_s=now_s)
            raise AssertionError("a changed body, or a replay")
        except webhooks.WebhookError as error:
            assert error.code == code and pickle.loads(pickle.dumps(error)).code == code, error
body = webhooks.sample("incident.opened")
headers = webhooks.sign(secret, "msg_1", body)
for headers_of_none, code in (({}, "MISSING_HEADER"), (webhooks.sign(secret, "m", b"[]"), "BAD_BODY")):
    try:
        webhooks.parse(secret, headers_of_none, b"[]")
        raise AssertionError("no message of Lookout")
    except webhooks.WebhookError as error:
        assert error.code == code, error
# The headers of http.server, which are no dict for mypy.
received = HTTPMessage()
for name, value in webhooks.sign(secret, "m", webhooks.sample("test")).items():
    received[name.title()] = value
assert isinstance(webhooks.parse(secret, received, webhooks.sample("test")), webhooks.Test)
for malformed in ("nope", "whsec_", "whsec_%", secret.removeprefix("whsec_")):
    try:
        webhooks.parse(malformed, {}, body)
        raise AssertionError("no secret of a channel")
    except ValueError as wrong:
        assert "whsec_" in str(wrong)
# The signature of the specification of Standard Webhooks.
signed = webhooks.sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", b'{"test": 2432232314}', 1614265330)
assert signed["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", signed
print("done")
