"""Numbers that JSON has. One event with another would have all refused that are sent with it, long after it was given."""

from __future__ import annotations

import math
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue, Struct, Value

_FLOATS = (FieldDescriptor.CPPTYPE_DOUBLE, FieldDescriptor.CPPTYPE_FLOAT)


def checked_number(value: float, path: str) -> float:
    """The number as JSON has it. Raises a ValueError for NaN, infinity, and a whole number that would be rounded."""
    try:
        as_json = float(value)
    except OverflowError:
        as_json = math.inf
    if not math.isfinite(as_json):
        raise ValueError(f"{path}: JSON has no {value if isinstance(value, float) else 'number so large'}")
    if isinstance(value, int) and as_json != value:
        raise ValueError(f"{path}: JSON's numbers of 64 bits would round {value} to {as_json:.0f}. Pass it as text")
    return as_json


def check_numbers(message: Message, path: str = "") -> None:
    """Looks through a message. Raises a ValueError that names the field of a number that JSON does not have."""
    if isinstance(message, Struct):
        for name, value in message.fields.items():
            _check_value(value, f"{path}.{name}" if path else name)
        return
    if isinstance(message, Value):
        return _check_value(message, path)
    if isinstance(message, ListValue):
        return _check_items(message, path)
    for field, value in message.ListFields():
        inner = field.message_type
        if inner is None:
            if field.cpp_type not in _FLOATS:
                continue
        elif inner.GetOptions().map_entry:
            continue
        place = f"{path}.{field.name}" if path else field.name
        if not field.is_repeated:
            _check(value, place)
            continue
        for at, each in enumerate(value):
            _check(each, f"{place}[{at}]")


def _check(value: Any, path: str) -> None:
    if isinstance(value, Message):
        check_numbers(value, path)
    else:
        checked_number(value, path)


def _check_value(value: Value, path: str) -> None:
    kind = value.WhichOneof("kind")
    if kind == "number_value":
        checked_number(value.number_value, path)
    elif kind == "struct_value":
        check_numbers(value.struct_value, path)
    elif kind == "list_value":
        _check_items(value.list_value, path)


def _check_items(items: ListValue, path: str) -> None:
    for at, each in enumerate(items.values):
        _check_value(each, f"{path}[{at}]")
