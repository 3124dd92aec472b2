"""What a service does with lookout-client. The test runs it outside the repository, and checks its types."""

import os

from google.protobuf.struct_pb2 import Value
from lookout import Lookout, LookoutError
from lookout.query_types import (
    LINK_TOTAL_CLICKS,
    PAGE_VIEWS,
    PERFORMANCE_OVERVIEW,
    SESSION_LIST,
    SUMMARY_METRICS,
    TOP_PAGES,
)
from lookout.v1.ingest_pb2 import BatchRequest, Event, FlatEvent
from lookout.v1.query_pb2 import Query, QueryAnswer, QueryFilter, QueryParameter, QueryRequest, WatchRequest

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
    for message in lookout.queries.Watch(WatchRequest(website_id=website, query=watched)):
        if SUMMARY_METRICS.rows(message.answer)[0]["pageviews"] == 1:
            break

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
    assert session["first_visit"] is not None and len(session["events"] or []) == 1
    assert PERFORMANCE_OVERVIEW.rows(answer)[0]["avg_load_time"] is None
    assert ":" in hours.rows(answer)[0]["date"]
    try:
        PAGE_VIEWS.rows(answer)
    except LookoutError as error:
        assert error.code == "NOT_ASKED"

    unknown = error_of(lookout, QueryParameter(name="top_pagse"))
    assert unknown.code == "VALIDATION_ERROR" and (unknown.request_id or "").startswith("req_")
    assert unknown.details[0].field == "parameters[0]"
    assert 'did you mean "top_pages"?' in unknown.details[0].message

    links = ask(lookout, LINK_TOTAL_CLICKS.parameter())
    try:
        LINK_TOTAL_CLICKS.rows(links)
        raise AssertionError("a parameter that could not be answered")
    except LookoutError as error:
        assert error.code == "QUERY_ERROR"

# Each failure has a code, and a message that says what to do.
for what, address, failing_key, code, advice in (
    ("wrong key", base, "wrong", "INVALID_API_KEY", "Check the api_key"),
    ("nothing listens", "http://127.0.0.1:9", "key", "UNREACHABLE", "Check the address"),
    ("no such host", "http://lookout.invalid", "key", "UNREACHABLE", "Check the address"),
    ("no gRPC", os.environ["NO_GRPC"], "key", "UNREACHABLE", "speaks gRPC"),
    ("cut answer", broken, "cut", "BAD_ANSWER", "Check the address"),
    ("reset answer", broken, "reset", "BAD_ANSWER", "Check the address"),
    ("another server", broken, "other", "BAD_ANSWER", "Check the address"),
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
print("done")
