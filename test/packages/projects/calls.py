"""What a service does with lookout-client. The test runs it outside the repository."""

import os

from google.protobuf.struct_pb2 import Value
from lookout import Lookout, LookoutError
from lookout.v1.ingest_pb2 import BatchRequest, Event, FlatEvent
from lookout.v1.query_pb2 import Query, QueryFilter, QueryParameter, QueryRequest, WatchRequest

base, key, website, broken = (os.environ[name] for name in ("BASE", "KEY", "WEBSITE", "BROKEN"))
path = "/python"


def query(name: str) -> Query:
    of_path = QueryFilter(field="path", op="eq", value=Value(string_value=path))
    return Query(preset="today", parameters=[QueryParameter(name=name)], filters=[of_path])


def error_of(lookout: Lookout, name: str) -> LookoutError:
    try:
        lookout.queries.Query(QueryRequest(website_id=website, query=query(name)))
    except LookoutError as error:
        return error
    raise AssertionError("the call should have failed")


with Lookout(base, api_key=key) as lookout:
    # The same event twice counts once.
    view = Event(flat=FlatEvent(event_id="view", name="page_view", anonymous_id="visitor", path=path))
    sent = lookout.ingest.Batch(BatchRequest(website_id=website, events=[view, view]))
    assert sent.status == "success"

    for message in lookout.queries.Watch(WatchRequest(website_id=website, query=query("summary_metrics"))):
        if message.answer.data[0].data[0]["pageviews"] == 1:
            break

    answer = lookout.queries.Query(QueryRequest(website_id=website, query=query("top_pages")))
    row = answer.single.data[0].data[0]
    assert (row["path"], row["views"]) == (path, 1)

    unknown = error_of(lookout, "top_pagse")
    assert unknown.code == "VALIDATION_ERROR" and (unknown.request_id or "").startswith("req_")
    assert unknown.details[0].field == "parameters[0]"
    assert "Did you mean top_pages?" in unknown.details[0].message

assert error_of(Lookout(base, api_key="wrong"), "top_pages").code == "INVALID_API_KEY"
assert error_of(Lookout("http://127.0.0.1:9"), "top_pages").code == "UNREACHABLE"
assert error_of(Lookout(broken, timeout_s=3), "top_pages").code in ("UNREACHABLE", "BAD_ANSWER")
assert error_of(Lookout(os.environ["SILENT"], timeout_s=0.3), "top_pages").code == "TIMEOUT"
try:
    Lookout("lookout.example.com")
except ValueError as error:
    assert "http://" in str(error)
print("done")
