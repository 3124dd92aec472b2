from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, AsyncIterator, Generic, Iterator, TypeVar, Union, cast

from google.protobuf.struct_pb2 import Struct, Value
from lookout._error import Detail, LookoutError
from lookout._requests import request_of
from lookout._times import to_datetime
from lookout.v1.query_pb2 import (
    ParameterResult,
    QueryAnswer,
    QueryParameter,
    QueryRequest,
    QueryResponse,
    QueryResult,
    WatchResponse,
)

if TYPE_CHECKING:
    from lookout._aio_client import AsyncLookout
    from lookout._client import Lookout
    from lookout.values import Attribution, Granularity

Answer = Union[QueryAnswer, QueryResult, QueryResponse, WatchResponse]
"""What a query answers: whole, one result of a batch, or as a message of Watch."""

Row = TypeVar("Row")

_PAGE_SIZE = 1_000
"""The limit of a query that names none."""


class QueryType(Generic[Row]):
    """A query type whose rows are of the type Row. lookout.query_types has all of them."""

    def __init__(
        self, name: str, id: str | None = None, times: tuple[str, ...] = (), of_goal: tuple[str, ...] = ()
    ) -> None:
        self._name = name
        self._id = id
        self._times = times
        self._of_goal = of_goal

    @property
    def name(self) -> str:
        """The name of the type, such as top_pages."""
        return self._name

    def named(self, id: str) -> QueryType[Row]:
        """The same type under an id of its own, for a query that asks it more than once."""
        return QueryType(self._name, id, self._times, self._of_goal)

    def parameter(
        self,
        *,
        start_date: date | str | None = None,
        end_date: date | str | None = None,
        granularity: Granularity | None = None,
        limit: int | None = None,
        split_by: str | None = None,
        attribution: Attribution | None = None,
    ) -> QueryParameter:
        """Asks for the type in a query. What is given here overrides the query's own, for this type only.

        Args:
            start_date: First day, or a datetime with a time zone.
            end_date: Last day, included, or a datetime, not included.
            granularity: Size of a bucket of series.
            limit: Rows, 1 to 10,000. The default value is 100.
            split_by: Splits goal_conversions by this field of visits, such as referrer_group or utm_campaign.
            attribution: Which source a visit has in a split by a source: visit, its own, or last_non_direct, that of the
                visitor's latest visit of the last 30 days that has one.
        """
        fields = {"name": self._name, "id": self._id, "start_date": start_date, "end_date": end_date, "granularity": granularity}
        return request_of(QueryParameter, {**fields, "limit": limit, "split_by": split_by, "attribution": attribution})

    def rows(self, answer: Answer) -> list[Row]:
        """The rows of the type in an answer, in a message of a watch, or in one result of a batch.

        Raises a LookoutError: QUERY_ERROR if the service could not answer this parameter, with the wrong field and the
        nearest one in its details where they are known; NOT_ASKED if the query did not have it.
        """
        parameter = self._id or self._name
        result_of = _single(answer)
        request_id = result_of.request_id or None if isinstance(result_of, QueryAnswer) else None
        for at, result in enumerate(result_of.data):
            if result.parameter != parameter:
                continue
            if not result.success:
                detail = _detail(result) or Detail(f"parameters[{at}]", result.error)
                raise LookoutError("QUERY_ERROR", f"{parameter}: {result.error}", (detail,), request_id)
            return [self._row(row) for row in result.data]
        advice = f"The answer has no {parameter}. Add its parameter() to the query's parameters"
        raise LookoutError("NOT_ASKED", advice, (), request_id)

    def all(self, lookout: Lookout, request: QueryRequest) -> Iterator[Row]:
        """Goes through the rows of the type in all pages of a query, and asks for each when it is needed.

        The query's own parameters are replaced by this type; its limit is the size of a page.
        """
        page = self._first_page(request)
        while True:
            rows = self.rows(lookout.queries.Query(page).single)
            yield from rows
            if len(rows) != page.query.limit:
                return
            page.query.page += 1

    async def all_async(self, lookout: AsyncLookout, request: QueryRequest) -> AsyncIterator[Row]:
        """The same with the client for asyncio."""
        page = self._first_page(request)
        while True:
            rows = self.rows((await lookout.queries.Query(page)).single)
            for row in rows:
                yield row
            if len(rows) != page.query.limit:
                return
            page.query.page += 1

    def _first_page(self, request: QueryRequest) -> QueryRequest:
        page = QueryRequest()
        page.CopyFrom(request)
        del page.query.parameters[:]
        page.query.parameters.append(self.parameter())
        # A summary has one row on every page, so a limit of 1 would never end.
        page.query.limit = max(2, page.query.limit) if page.query.HasField("limit") else _PAGE_SIZE
        page.query.page = max(1, page.query.page)
        return page

    def _row(self, struct: Struct) -> Row:
        row = _object(struct)
        for name in self._times:
            text = row.get(name)
            if text is not None:
                row[name] = to_datetime(text)
        for name in self._of_goal:
            row.setdefault(name, None)
        return cast(Row, row)


def _detail(result: ParameterResult) -> Detail | None:
    """Which field of the query is wrong for a parameter, where the service says so."""
    if not result.HasField("detail"):
        return None
    detail = result.detail
    return Detail(detail.field, detail.message, detail.suggestion if detail.HasField("suggestion") else None)


def _single(answer: Answer) -> QueryAnswer | QueryResult:
    if isinstance(answer, WatchResponse):
        return answer.answer
    if not isinstance(answer, QueryResponse):
        return answer
    if answer.HasField("batch"):
        raise TypeError("rows() of a batch takes one of its results: answer.batch.results[0]")
    return answer.single


def _object(struct: Struct) -> dict[str, Any]:
    return {name: _plain(value) for name, value in struct.fields.items()}


def _plain(value: Value) -> Any:
    """A value as the json module reads it: whole numbers are ints."""
    kind = value.WhichOneof("kind")
    if kind == "string_value":
        return value.string_value
    if kind == "number_value":
        number = value.number_value
        return int(number) if number.is_integer() else number
    if kind == "bool_value":
        return value.bool_value
    if kind == "struct_value":
        return _object(value.struct_value)
    if kind == "list_value":
        return [_plain(item) for item in value.list_value.values]
    return None
