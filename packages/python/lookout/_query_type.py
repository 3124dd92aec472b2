from __future__ import annotations

from typing import Any, Generic, TypeVar, cast

from google.protobuf.struct_pb2 import Struct, Value
from lookout._error import LookoutError
from lookout.v1.query_pb2 import QueryAnswer, QueryParameter, QueryResult

Row = TypeVar("Row")


class QueryType(Generic[Row]):
    """A query type whose rows are of the type Row. lookout.query_types has all of them."""

    def __init__(self, name: str, id: str | None = None) -> None:
        self._name = name
        self._id = id

    def named(self, id: str) -> QueryType[Row]:
        """The same type under an id of its own, for a query that asks it more than once."""
        return QueryType(self._name, id)

    def parameter(
        self, *, start_date: str | None = None, end_date: str | None = None, granularity: str | None = None
    ) -> QueryParameter:
        """Asks for the type in a query. Days and granularity override those of the query."""
        return QueryParameter(
            name=self._name, id=self._id, start_date=start_date, end_date=end_date, granularity=granularity
        )

    def rows(self, answer: QueryAnswer | QueryResult) -> list[Row]:
        """The rows of the type in an answer, or in one result of a batch.

        Raises a LookoutError: QUERY_ERROR if the service could not answer this parameter, NOT_ASKED if the query did not
        have it.
        """
        parameter = self._id or self._name
        for result in answer.data:
            if result.parameter != parameter:
                continue
            if not result.success:
                raise LookoutError("QUERY_ERROR", f"{parameter}: {result.error}")
            return [cast(Row, _object(row)) for row in result.data]
        raise LookoutError("NOT_ASKED", f"The answer has no {parameter}. Add its parameter() to the query's parameters")


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
