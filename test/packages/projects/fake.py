"""Tests of a program with lookout.testing. The test runs it outside the repository, and checks its types."""

import asyncio
from datetime import datetime, timezone
from typing import Any, Callable

from lookout import EventOptions, Lookout, LookoutError
from lookout import query_types
from lookout.query_types import ACTIVE_STATS, SUMMARY_METRICS, TOP_PAGES
from lookout.testing import FakeAnswer, FakeService
from lookout.v1.links_pb2 import CreateLinkResponse, GetLinkRequest, GetLinkResponse, Link
from lookout.v1.uptime_pb2 import CreateMonitorRequest


def found(asked: GetLinkRequest) -> GetLinkResponse:
    if asked.id == "gone":
        raise LookoutError("NOT_FOUND", "The link is gone")
    return GetLinkResponse(link=Link(id=asked.id))


def error_of(call: Callable[[], object]) -> LookoutError:
    try:
        call()
    except LookoutError as error:
        return error
    raise AssertionError("the call should have failed")


def page(path: str) -> dict[str, Any]:
    return {"path": path, "name": path, "views": 1, "pageviews": 1, "visitors": 1, "percentage": 33.3}


answers: dict[str, FakeAnswer] = {
    "links.create_link": {"link": {"slug": "summer", "created_at": datetime(2026, 1, 1, tzinfo=timezone.utc)}},
    "links.get_link": found,
    "links.delete_link": LookoutError("ACCESS_DENIED", "The key lacks a scope"),
    "data.download_export": [{"data": b"one"}, {"data": b"two"}, {"data": b"three"}],
}
rows = {TOP_PAGES: [page("/a"), page("/b"), page("/c")], "summary_metrics": [{"pageviews": 7}]}
service = FakeService(answers, rows=rows)
with service.client(website_id="shop") as client:
    assert client.links.create_link(target_url="https://shop.example").link.slug == "summer"
    assert client.links.create_link(target_url="https://shop.example").link.created_at == "2026-01-01T00:00:00Z"
    assert client.links.get_link(id="l1").link.id == "l1"
    assert error_of(lambda: client.links.get_link(id="gone")).message == "The link is gone"
    assert error_of(lambda: client.links.delete_link(id="l1")).code == "ACCESS_DENIED"
    assert [part.data for part in client.data.download_export(export_id="e1")] == [b"one", b"two", b"three"]
    unanswered = error_of(lambda: client.websites.list_websites())
    assert unanswered.code == "NOT_IMPLEMENTED" and "'websites.list_websites'" in unanswered.message, unanswered
    answer = client.query(preset="today", limit=2, page=2, parameters=[TOP_PAGES])
    assert [row["path"] for row in TOP_PAGES.rows(answer)] == ["/c"] and TOP_PAGES.rows(answer)[0]["conversions"] is None
    summary = SUMMARY_METRICS.rows(client.query(preset="today", parameters=[SUMMARY_METRICS]))[0]
    assert summary["pageviews"] == 7 and summary["sessions"] is None
    assert [len(TOP_PAGES.rows(message)) for message in client.watch(preset="today", parameters=[TOP_PAGES])] == [3]
    assert "rows={'active_stats': […]}" in error_of(lambda: client.query(preset="today", parameters=[ACTIVE_STATS])).message
    assert client.events.track("signed_up", properties={"plan": "pro"})
assert [event.name for event in service.events] == ["signed_up"]
names = [call.name for call in service.calls]
assert names[1:5] == ["links.create_link", "links.get_link", "links.get_link", "links.delete_link"], names

# What Lookout would refuse or never answer is found where the test or the program gives it.
wrong: tuple[tuple[dict[str, Any], dict[Any, Any], str], ...] = (
    ({"links.crete_link": {}}, {}, "Did you mean 'links.create_link'?"),
    ({"links.create_link": GetLinkResponse()}, {}, "a CreateLinkResponse, not a GetLinkResponse"),
    ({"links.create_link": CreateLinkResponse()}, {}, "link is required"),
    ({"links.create_link": {"lnk": {}}}, {}, "did you mean 'link'?"),
    ({"links.create_link": [{"link": {}}]}, {}, "answers one message"),
    ({"data.download_export": {"data": b""}}, {}, "answers a list of messages"),
    ({"uptime.list_monitors": {"monitors": [{"interval": "7 parsecs"}]}}, {}, "monitors[0].interval must be one of"),
    ({}, {"top_pagse": []}, "Did you mean 'top_pages'?"),
    ({}, {TOP_PAGES: [{"pth": "/"}]}, "no column 'pth'. Did you mean 'path'?"),
    ({}, {ACTIVE_STATS: [{"active_users": 2.5, "active_sessions": 1}]}, "active_users must be of the kind integer"),
    ({}, {ACTIVE_STATS: [{"active_users": 2}]}, "active_sessions is missing"),
)
for given, given_rows, words in wrong:
    try:
        FakeService(given, rows=given_rows)
        raise AssertionError(f"it should have been refused: {words}")
    except (TypeError, ValueError) as error:
        assert words in str(error), error
with FakeService({"links.get_link": lambda asked: {}}).client() as client:
    try:
        client.links.get_link(id="l1")
        raise AssertionError("an answer without its link")
    except ValueError as error:
        assert "link is required" in str(error), error
    refused = error_of(lambda: client.uptime.CreateMonitor(CreateMonitorRequest(website_id="shop", interval="5mn")))  # type: ignore
    assert refused.code == "VALIDATION_ERROR" and {each.field: each.suggestion for each in refused.details} == {"url": None, "interval": "5m"}, refused.details

# Every call and every query type is known by the name that programs use.
for name, part in vars(Lookout("http://test.invalid")).items():
    if type(part).__module__ == "lookout._services":
        for call in vars(type(part)):
            if not call.startswith(("_", "all_")):
                FakeService({f"{name}.{call}": LookoutError("TEST", "known")})
types = [each for each in vars(query_types).values() if isinstance(each, type(TOP_PAGES))]
assert len(types) > 100
FakeService(rows={each: [] for each in types})


async def slow(asked: GetLinkRequest) -> GetLinkResponse:
    await asyncio.sleep(0)
    return found(asked)


async def asynchronous() -> None:
    service = FakeService({**answers, "links.get_link": slow}, rows=rows)
    async with service.async_client(website_id="shop", events=EventOptions(flush_interval_s=0)) as client:
        assert (await client.links.create_link(target_url="https://shop.example")).link.slug == "summer"
        assert (await client.links.get_link(id="l1")).link.id == "l1"
        for id, code in (("gone", "NOT_FOUND"), ("", "VALIDATION_ERROR")):
            try:
                await client.links.get_link(id=id)
                raise AssertionError("the call should have failed")
            except LookoutError as error:
                assert error.code == code, error
        assert [part.data async for part in client.data.download_export(export_id="e1")] == [b"one", b"two", b"three"]
        assert len(TOP_PAGES.rows(await client.query(preset="today", parameters=[TOP_PAGES]))) == 3
        assert [len(TOP_PAGES.rows(message)) async for message in client.watch(preset="today", parameters=[TOP_PAGES])] == [3]
        client.events.track("signed_up")
        await client.events.flush()
    assert [event.name for event in service.events] == ["signed_up"]


asyncio.run(asynchronous())
with FakeService({"links.get_link": slow}).client() as client:
    try:
        client.links.get_link(id="l1")
        raise AssertionError("a coroutine without a loop")
    except TypeError as error:
        assert "async_client()" in str(error)
print("done")
