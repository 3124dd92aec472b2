"""What the contract says about calls and messages beside the types of their members, for the test double."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Iterable, Mapping

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from lookout._error import Detail


@dataclass(frozen=True)
class ContractCall:
    """A call: its name in Python, the type of its answers, and whether there may be several."""

    name: str
    answer: type[Message]
    streams: bool


@lru_cache(maxsize=None)
def _contract() -> Mapping[str, Any]:
    text = Path(__file__).with_name("_test_contract.json").read_text(encoding="utf-8")
    contract: Mapping[str, Any] = json.loads(text)
    return contract


@lru_cache(maxsize=None)
def calls_by_method() -> Mapping[str, ContractCall]:
    """All calls by their paths on the wire."""
    # The descriptors of all messages are known once the services are.
    import_module("lookout._services")
    return {
        f"/{call['method']}": ContractCall(name, _class_of(call["answer"]), call["streams"]) for name, call in _contract()["calls"].items()
    }


def call_named(name: str) -> ContractCall:
    """Raises a ValueError if there is none."""
    calls = {call.name: call for call in calls_by_method().values()}
    if name not in calls:
        raise ValueError(f"There is no call {name!r}{hint_for(name, calls)}")
    return calls[name]


def columns_of(query_type: str) -> Mapping[str, str]:
    """The kinds of its columns: integer? may be None, integer* is there with a goal only. Raises a ValueError for no query type."""
    rows: Mapping[str, Mapping[str, str]] = _contract()["rows"]
    if query_type not in rows:
        raise ValueError(f"There is no query type {query_type!r}{hint_for(query_type, rows)}")
    return rows[query_type]


def hint_for(name: str, names: Iterable[str]) -> str:
    near = get_close_matches(name, list(names), 1)
    return f". Did you mean {near[0]!r}?" if near else ""


def problems_of_request(request: Message) -> tuple[Detail, ...]:
    """What the service would refuse: fields that are missing, and values that are not in their list."""
    return (*_missing(request, _contract()["required"]), *_wrong_values(request, ""))


def problems_of_answer(answer: Message) -> tuple[Detail, ...]:
    """What the service never answers."""
    return (*_missing(answer, _contract()["always"]), *_wrong_values(answer, ""))


def _class_of(full_name: str) -> type[Message]:
    found: type[Message] = GetMessageClass(Default().FindMessageTypeByName(full_name))
    return found


def _missing(message: Message, needed: Iterable[str]) -> Iterable[Detail]:
    for field in message.DESCRIPTOR.fields:
        if f"{message.DESCRIPTOR.name}.{field.name}" in needed and not _is_set(message, field):
            yield Detail(field.json_name, "is required")


def _is_set(message: Message, field: Any) -> bool:
    """A number or a truth value without presence may be 0 or False."""
    if field.is_repeated:
        return len(getattr(message, field.name)) > 0
    if field.has_presence:
        return message.HasField(field.name)
    return field.cpp_type != FieldDescriptor.CPPTYPE_STRING or getattr(message, field.name) != ""


def _wrong_values(message: Message, path: str) -> Iterable[Detail]:
    values: Mapping[str, list[str]] = _contract()["values"]
    for field, value in message.ListFields():
        inner = field.message_type
        if inner is not None and inner.GetOptions().map_entry:
            continue
        allowed = values.get(f"{message.DESCRIPTOR.name}.{field.name}")
        for at, each in enumerate(value if field.is_repeated else [value]):
            place = f"{path}{field.json_name}[{at}]" if field.is_repeated else f"{path}{field.json_name}"
            if inner is not None:
                yield from _wrong_values(each, f"{place}.")
            elif allowed is not None and each not in ("", *allowed):
                near = get_close_matches(each, allowed, 1)
                yield Detail(place, f"must be one of {', '.join(allowed)}, not {each}", near[0] if near else None)
