"""Queries of plain values, for both clients."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

from lookout._query_type import QueryType
from lookout._requests import request_of, value_of
from lookout.v1.query_pb2 import Comparison, Query, QueryFilter, QueryGoal, QueryParameter, QueryRequest, WatchRequest

if TYPE_CHECKING:
    from lookout.values import ComparedPeriod, DatePreset, FilterOperator, Granularity

# How often a watch says that it is alive: proxies end a stream that is quiet for a minute.
_KEEP_ALIVE_S = 30


def filter(field: str, op: FilterOperator, value: str | float | Sequence[str | float] | None = None) -> QueryFilter:
    """A condition of a query: filter("utm_campaign", "eq", "spring"), filter("country", "in", ["DE", "AT"]).

    is_empty and is_not_empty take no value.
    """
    if op in ("is_empty", "is_not_empty", "is empty", "is not empty"):
        return QueryFilter(field=field, op=op)
    return QueryFilter(field=field, op=op, value=value_of(value))


def query_request(
    website_id: str | None = None,
    *,
    parameters: Iterable[QueryType[Any] | QueryParameter | str],
    preset: DatePreset | None = None,
    start_date: date | str | None = None,
    end_date: date | str | None = None,
    granularity: Granularity | None = None,
    filters: Sequence[QueryFilter] = (),
    limit: int | None = None,
    page: int | None = None,
    compare: ComparedPeriod | Comparison | Mapping[str, Any] | None = None,
    goal: QueryGoal | Mapping[str, Any] | None = None,
    timezone: str | None = None,
    website_ids: Sequence[str] = (),
    organization_id: str | None = None,
) -> QueryRequest:
    """The request of a query.

    Args:
        website_id: The website; or website_ids of several, or an organization_id.
        parameters: What to query: types of lookout.query_types, or what their parameter() makes. A type whose rows are gone
            through by all() needs none.
        preset: A range, such as last_7d, instead of start_date and end_date.
        start_date: First day, or a datetime with a time zone.
        end_date: Last day, included, or a datetime, not included.
        granularity: Size of a bucket of series. The default value is daily.
        filters: Conditions, which must all hold: filter("path", "eq", "/pricing").
        limit: Rows of each parameter, 1 to 10,000. The default value is 100.
        page: Page of rows of each parameter, from 1.
        compare: Also answers another period: previous, weekdays, year, or {"start_date": …, "end_date": …}.
        goal: {"event": "signed_up"} or {"page": {"path": "/thanks"}}: breakdowns of visits say how many visitors reached it.
        timezone: IANA time zone of presets, bounds and buckets. The default value is UTC.
        website_ids: Several websites.
        organization_id: The organization, without a website.

    Raises a ValueError where none of the three is given.
    """
    if not (website_id or website_ids or organization_id):
        raise ValueError("What to query is missing: website_id, website_ids or organization_id")
    query = request_of(
        Query,
        {
            "parameters": [_parameter(each) for each in parameters],
            "preset": preset,
            "start_date": start_date,
            "end_date": end_date,
            "granularity": granularity,
            "filters": filters,
            "limit": limit,
            "page": page,
            "compare": {"period": compare} if isinstance(compare, str) else compare,
            "goal": goal,
        },
    )
    scope = {"website_id": website_id, "website_ids": website_ids, "organization_id": organization_id}
    return request_of(QueryRequest, {**scope, "timezone": timezone, "query": query})


def watch_request(request: QueryRequest) -> WatchRequest:
    """The same question, to be watched."""
    return WatchRequest(
        website_id=request.website_id,
        website_ids=request.website_ids,
        organization_id=request.organization_id,
        timezone=request.timezone,
        query=request.query,
        keep_alive_seconds=_KEEP_ALIVE_S,
    )


def _parameter(parameter: QueryType[Any] | QueryParameter | str) -> QueryParameter:
    if isinstance(parameter, QueryType):
        return parameter.parameter()
    return QueryParameter(name=parameter) if isinstance(parameter, str) else parameter
