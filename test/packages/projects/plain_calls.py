"""What a service does with lookout-client without making messages. The test runs it outside the repository, and checks its types."""

import asyncio
import os
import pickle
from concurrent.futures import ProcessPoolExecutor
from datetime import date, datetime, timedelta, timezone
from multiprocessing import get_context
from typing import Any, Callable

from lookout import (
    AsyncLookout,
    Lookout,
    LookoutError,
    filter,
    from_datetime,
    query_request,
    to_datetime,
    to_datetime_or_none,
)
from lookout.query_types import GOAL_CONVERSIONS, LINK_TOTAL_CLICKS, PAGE_VIEWS, SUMMARY_METRICS, TOP_PAGES, UTM_CAMPAIGNS
from lookout.v1.links_pb2 import CreateLinkRequest, GetLinkRequest, ListLinksRequest
from lookout.v1.query_pb2 import QueryResponse

base, key, website = (os.environ[name] for name in ("BASE", "KEY", "WEBSITE"))
now = datetime.now(timezone.utc)


def refused(call: Callable[[], Any], kind: type[Exception], *words: str) -> None:
    """A mistake of the caller is told at once, and names what is wrong."""
    try:
        call()
    except kind as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError(f"it should have been refused: {words}")


def unknown_link(_: int) -> None:
    with Lookout(base, api_key=key) as lookout:
        lookout.links.get_link(id="00000000-0000-4000-8000-000000000000")


def main() -> None:
    with Lookout(base, api_key=f"{key}\n") as lookout:
        calls(lookout)
        queries(lookout)
        mistakes(lookout)
    for base_url, api_key in ((base, ""), (base, "ä"), (f"{base}/api", key)):
        refused(lambda: Lookout(base_url, api_key=api_key), ValueError, "base_url" if api_key == key else "api_key")
    refused(lambda: Lookout(base, timeout_s=0), ValueError, "timeout_s")
    error = LookoutError("NOT_FOUND", "There is none", request_id="req_1", status=404)
    copy = pickle.loads(pickle.dumps(error))
    assert (copy.code, copy.message, copy.request_id, copy.status, str(copy)) == ("NOT_FOUND", "There is none", "req_1", 404, str(error))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        refused(lambda: list(pool.map(unknown_link, [1])), LookoutError, "NOT_FOUND", " links.list_links lists those")
    asyncio.run(asynchronous())
    print("done")


def calls(lookout: Lookout) -> None:
    expires = now + timedelta(days=1)
    utm = {"source": "newsletter"}
    link = lookout.links.create_link(website_id=website, target_url="https://shop.example/1", expires_at=expires, utm=utm).link
    assert abs(to_datetime(link.expires_at) - expires) < timedelta(milliseconds=1), link.expires_at
    assert link.utm.source == "newsletter"
    again = lookout.links.get_link(id=link.id).link
    assert again == link and abs(to_datetime(again.created_at) - now) < timedelta(minutes=5)
    plain = lookout.links.create_link(website_id=website, target_url="https://shop.example/2", idempotency_key=website).link
    assert to_datetime_or_none(plain.expires_at) is None
    request = CreateLinkRequest(website_id=website, target_url="https://shop.example/2")
    repeated, answered = lookout.links.CreateLink.with_call(request, idempotency_key=website)
    assert repeated.link.id == plain.id and answered.is_replayed
    assert not lookout.links.ListLinks.with_call(ListLinksRequest(website_id=website))[1].is_replayed
    assert {each.id for each in lookout.links.all_links(website_id=website, limit=1)} == {link.id, plain.id}
    assert lookout.links.list_links(website_id=website, metadata=[("X-Mine", "1")]).total == 2
    signup = {"event_id": "1", "name": "signup", "anonymous_id": "a", "timestamp": now, "properties": {"plan": "pro", "seats": 3}}
    lookout.ingest.track(website_id=website, events=[signup])
    view = {"name": "page_view", "event_id": "2", "anonymous_id": "a", "path": "/plain", "utm_campaign": "spring"}
    assert lookout.ingest.batch(website_id=website, events=[{"flat": view}]).status == "success"
    export = lookout.data.create_export(
        website_id=website, start_date=date.today(), end_date=date.today(), format="csv", data_types=["events"]
    )
    assert lookout.data.get_export(export_id=export.export_id).status


def queries(lookout: Lookout) -> None:
    goal = {"event": "signup"}
    for message in lookout.watch(website, preset="today", parameters=[TOP_PAGES]):
        if TOP_PAGES.rows(message):
            break
    answer = lookout.query(
        website,
        start_date=now - timedelta(hours=2),
        end_date=now + timedelta(hours=2),
        parameters=[SUMMARY_METRICS, UTM_CAMPAIGNS.parameter(limit=1), GOAL_CONVERSIONS.parameter(split_by="utm_campaign")],
        goal=goal,
    )
    assert SUMMARY_METRICS.rows(answer)[0]["pageviews"] == 1
    [campaign] = UTM_CAMPAIGNS.rows(answer)
    assert (campaign["name"], campaign["conversions"]) == ("spring", 1)
    assert GOAL_CONVERSIONS.rows(answer)
    only = lookout.query(website, start_date=date.today(), end_date=date.today(), parameters=[UTM_CAMPAIGNS], filters=[filter("utm_campaign", "eq", "autumn")])
    assert UTM_CAMPAIGNS.rows(only) == []
    several = filter("utm_campaign", "in", ["autumn", "spring"])
    whole = lookout.queries.query(website_id=website, query={"preset": "today", "parameters": [UTM_CAMPAIGNS.parameter()], "filters": [several]})
    assert isinstance(whole, QueryResponse)
    [row] = UTM_CAMPAIGNS.rows(whole)
    # None without a goal: a key that is always there passes pyright too.
    assert row["conversions"] is None
    hours = lookout.query(website, preset="today", granularity="hourly", timezone="Europe/Berlin", parameters=[PAGE_VIEWS])
    begin = PAGE_VIEWS.rows(hours)[0]["date"]
    assert isinstance(begin, str) and to_datetime(begin).utcoffset() is not None
    assert [each["path"] for each in TOP_PAGES.all(lookout, query_request(website, preset="today", parameters=[]))] == ["/plain"]
    by_path = lookout.query(website, preset="today", parameters=[LINK_TOTAL_CLICKS], filters=[filter("path", "eq", "/plain")])
    try:
        LINK_TOTAL_CLICKS.rows(by_path)
        raise AssertionError("a parameter that could not be answered")
    except LookoutError as error:
        assert error.code == "QUERY_ERROR" and (error.request_id or "").startswith("req_")
        assert error.details[0].field == "filters[0].field" and error.details[0].message in error.message


def mistakes(lookout: Lookout) -> None:
    links: Any = lookout.links
    create, target = links.create_link, "https://shop.example"
    refused(lambda: create(target_url=target, expires_at=datetime.now()), ValueError, "expires_at", "time zone")
    refused(lambda: from_datetime(datetime.now()), ValueError, "time zone")
    refused(lambda: create(target_url=target, expires_at=date.today()), TypeError, "expires_at", "datetime")
    refused(lambda: create(target_url=7), TypeError, "target_url", "int 7")
    refused(lambda: create(target_url=target, utm={"sourec": "x"}), TypeError, "utm.sourec", "source")
    refused(lambda: create(target=target), TypeError, "target")
    refused(lambda: create(target_url=target, utm="x"), TypeError, "utm", "dict")
    refused(lambda: create(target_url=target, click_limit="3"), TypeError, "click_limit", "number")
    refused(lambda: create(target_url=target, click_limit=-1), ValueError, "click_limit")
    refused(lambda: create(target_url=target, idempotency_key="ä"), ValueError, "idempotency_key")
    refused(lambda: create(target_url=target, metadata=[("x mine", "1")]), ValueError, "metadata")
    refused(lambda: create(target_url=target, metadata=[("x-mine", "a\n")]), ValueError, "x-mine")
    refused(lambda: create(target_url=target, timeout_s=0), ValueError, "timeout")
    refused(lambda: links.ListLinks({"limit": 1}), TypeError, "ListLinksRequest", "dict")
    refused(lambda: links.ListLinks(GetLinkRequest()), TypeError, "ListLinksRequest", "GetLinkRequest")
    refused(lambda: next(links.ListLinks.all(GetLinkRequest())), TypeError, "ListLinksRequest")
    track: Any = lookout.ingest.track
    refused(lambda: track(website_id=website, events="signup"), TypeError, "events", "list")
    event = {"name": "signup", "properties": {"at": now}}
    refused(lambda: track(website_id=website, events=[event]), TypeError, "events[0].properties.at", "datetime")
    refused(lambda: track(website_id=website, events=[{"name": "a", "timestamp": datetime.now()}]), ValueError, "events[0].timestamp")
    export: Any = lookout.data.create_export
    days = {"website_id": website, "start_date": now, "end_date": date.today(), "format": "csv", "data_types": ["events"]}
    refused(lambda: export(**days), TypeError, "start_date", "day")
    refused(lambda: to_datetime(""), ValueError, "not set")
    refused(lambda: lookout.query(preset="today", parameters=[TOP_PAGES]), ValueError, "website_id")


async def asynchronous() -> None:
    async with AsyncLookout(base, api_key=key) as lookout:
        made = await lookout.links.create_link(website_id=website, target_url="https://shop.example/3", expires_at=now + timedelta(days=1))
        assert made.link.slug
        assert len([link.id async for link in lookout.links.all_links(website_id=website, limit=2)]) == 3
        assert TOP_PAGES.rows(await lookout.query(website, preset="today", parameters=[TOP_PAGES]))[0]["path"] == "/plain"
        async with lookout.watch(website, preset="today", parameters=[SUMMARY_METRICS]) as stream:
            async for message in stream:
                assert SUMMARY_METRICS.rows(message)[0]["pageviews"] == 1
                break
        try:
            await lookout.links.create_link(target_url="https://shop.example", expires_at=datetime.now())
            raise AssertionError("a time without a zone")
        except ValueError as error:
            assert "expires_at" in str(error)


if __name__ == "__main__":
    main()
