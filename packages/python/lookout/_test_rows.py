"""The rows of a test, and the answers to queries that they are."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Mapping, Sequence

from google.protobuf.struct_pb2 import Struct, Value
from lookout._error import Detail, LookoutError
from lookout._query_type import QueryType
from lookout._requests import from_datetime, struct_of, value_of
from lookout._test_contract import columns_of, hint_for
from lookout.v1.query_pb2 import ParameterResult, Query, QueryAnswer, QueryMeta

_USUAL_LIMIT = 100

Rows = Mapping[Any, Sequence[Mapping[str, Any]]]
"""Rows by query type, which is one of lookout.query_types or its name. Columns that may be None may be left out; a column of a time takes a datetime or its text."""


class FakeRows:
    """Raises a ValueError for rows that the service would not answer."""

    def __init__(self, rows: Rows) -> None:
        named = {each.name if isinstance(each, QueryType) else str(each): given for each, given in rows.items()}
        for name in named:
            columns_of(name)
        self._rows = {name: [_whole(name, row) for row in given] for name, given in named.items()}

    def answer(self, query: Query) -> QueryAnswer:
        """The page of a query, whatever its range and its filters."""
        limit = query.limit if query.HasField("limit") else _USUAL_LIMIT
        page = max(1, query.page)
        answer = QueryAnswer(success=True, request_id="req_test", query_id="test")
        answer.meta.CopyFrom(QueryMeta(page=page, limit=limit, consistent=True))
        for parameter in query.parameters:
            size = parameter.limit if parameter.HasField("limit") else limit
            data = self._of(parameter.name)[(page - 1) * size : page * size]
            answer.data.append(ParameterResult(parameter=parameter.id or parameter.name, success=True, data=data))
        return answer

    def _of(self, name: str) -> list[Struct]:
        if name in self._rows:
            return self._rows[name]
        try:
            columns_of(name)
        except ValueError as unknown:
            raise LookoutError("VALIDATION_ERROR", str(unknown), (Detail("parameters", "names an unknown query type"),)) from None
        raise LookoutError("NOT_IMPLEMENTED", f"The test has no rows of {name}: pass rows={{{name!r}: […]}} to FakeService")


def _whole(name: str, row: Mapping[str, Any]) -> Struct:
    """A row with None for the columns that it leaves out."""
    kinds = columns_of(name)
    for column in row:
        if column not in kinds:
            raise _wrong(name, f"it has no column {column!r}{hint_for(column, kinds)}")
    whole: dict[str, Value] = {}
    for column, kind in kinds.items():
        given = row.get(column)
        if given is None:
            if kind.endswith("*") and column not in row:
                continue
            if kind[-1] not in "?*":
                raise _wrong(name, f"{column} is missing, and never None")
        value = value_of(from_datetime(given, column) if isinstance(given, datetime) else given, column)
        if given is not None and not _is_of_kind(value, kind.rstrip("?*")):
            raise _wrong(name, f"{column} must be of the kind {kind.rstrip('?*')}, not {given!r}")
        whole[column] = value
    return struct_of(whole, name)


def _is_of_kind(value: Value, kind: str) -> bool:
    has = value.WhichOneof("kind")
    if kind == "integer":
        return has == "number_value" and value.number_value.is_integer()
    kinds = {"string": "string_value", "number": "number_value", "boolean": "bool_value", "array": "list_value", "object": "struct_value"}
    return has == kinds.get(kind)


def _wrong(name: str, problem: str) -> ValueError:
    return ValueError(f"The test's row of {name} is not one of Lookout: {problem}")
