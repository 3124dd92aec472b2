"""Makes messages of plain values: texts, numbers, dicts, lists, and times as Python has them."""

from __future__ import annotations

import math
import re
from datetime import date, datetime, timezone
from difflib import get_close_matches
from typing import Any, Mapping, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import ListValue, NullValue, Struct, Value
from lookout._numbers import check_numbers, checked_number
from lookout._time_fields import TIME_FIELDS

M = TypeVar("M", bound=Message)

_MOST_DEPTH = 100
_STRUCT, _VALUE = "google.protobuf.Struct", "google.protobuf.Value"


def request_of(type_: type[M], fields: Mapping[str, Any]) -> M:
    """A message with these fields; those that are None are not set. Raises a TypeError or a ValueError that names the field."""
    return _message(type_, fields, "")


def value_of(value: Any, path: str = "value", depth: int = 0) -> Value:
    """A value as JSON has it: None, bool, a number, a text, a list, a dict. Raises a ValueError or a TypeError with its path for another."""
    if depth > _MOST_DEPTH:
        raise ValueError(f"{re.split(r'[.[]', path)[0]} is more than {_MOST_DEPTH} deep: perhaps it holds itself")
    if isinstance(value, Value):
        check_numbers(value, path)
        return value
    if value is None:
        return Value(null_value=NullValue.NULL_VALUE)
    if isinstance(value, bool):
        return Value(bool_value=value)
    if isinstance(value, (int, float)):
        return Value(number_value=checked_number(value, path))
    if isinstance(value, str):
        return Value(string_value=_checked_text(value, path))
    if isinstance(value, Mapping):
        return Value(struct_value=struct_of(value, path, depth))
    if isinstance(value, (list, tuple, set, frozenset)):
        items = [value_of(each, f"{path}[{at}]", depth + 1) for at, each in enumerate(value)]
        return Value(list_value=ListValue(values=items))
    hint = f", such as {from_datetime(value, path)!r}" if isinstance(value, datetime) else ""
    raise TypeError(f"{path} must be a text, a number, a bool, None, a list or a dict{hint}, not {_kind(value)}")


def struct_of(values: Mapping[str, Any], path: str = "properties", depth: int = 0) -> Struct:
    """An object as JSON has it, such as the properties of an event."""
    struct = Struct()
    for name, value in values.items():
        if not isinstance(name, str):
            raise TypeError(f"{path}: the name {name!r} is no text")
        struct.fields[_checked_text(name, path)].CopyFrom(value_of(value, f"{path}.{name}", depth + 1))
    return struct


def from_datetime(time: datetime, name: str = "the datetime") -> str:
    """A time as messages have it: ISO 8601 in UTC. Raises a ValueError without a time zone, since it would be anybody's guess."""
    if time.tzinfo is None or time.utcoffset() is None:
        raise ValueError(f"{name} has no time zone: {time!r}. Pass datetime.now(timezone.utc), or astimezone() of a local time")
    return time.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _checked_text(text: str, path: str) -> str:
    """Half of a pair of surrogates, as a text has that was cut in an emoji, is no Unicode."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"{path}: {text!r} has half a character at {error.start}") from None
    return text


def _message(type_: type[M], fields: Mapping[str, Any], path: str) -> M:
    descriptor: Any = type_.DESCRIPTOR
    message = type_()
    for name, value in fields.items():
        field = descriptor.fields_by_name.get(name)
        if field is None:
            near = get_close_matches(str(name), list(descriptor.fields_by_name), 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{path}{name} is no field of {descriptor.name}{hint}")
        if value is None:
            continue
        place = f"{path}{name}"
        converted = _field(field, value, place)
        try:
            message.MergeFrom(type_(**{name: converted}))
        except (TypeError, ValueError) as error:
            raise type(error)(f"{place} does not take {value!r}: {error}") from None
    return message


def _field(field: FieldDescriptor, value: Any, place: str) -> Any:
    if not field.is_repeated:
        return _one(field, value, place)
    message = field.message_type
    if message is not None and message.GetOptions().map_entry:
        if not isinstance(value, Mapping):
            raise TypeError(f"{place} must be a dict, not {_kind(value)}")
        return value
    if isinstance(value, (str, bytes, Mapping, Message)) or not hasattr(value, "__iter__"):
        raise TypeError(f"{place} must be a list, not {_kind(value)}")
    return [_one(field, each, f"{place}[{at}]") for at, each in enumerate(value)]


def _one(field: FieldDescriptor, value: Any, place: str) -> Any:
    message: Any = field.message_type
    if message is None:
        return _time(field, value, place) if isinstance(value, date) else _scalar(field, value, place)
    if message.full_name == _VALUE:
        return value_of(value, place)
    if isinstance(value, Message):
        if value.DESCRIPTOR.full_name != message.full_name:
            raise TypeError(f"{place} must be a {message.name}, not a {value.DESCRIPTOR.name}")
        check_numbers(value, place)
        return value
    if not isinstance(value, Mapping):
        raise TypeError(f"{place} must be a dict or a {message.name}, not {_kind(value)}")
    return struct_of(value, place) if message.full_name == _STRUCT else _message(message._concrete_class, value, f"{place}.")


def _scalar(field: FieldDescriptor, value: Any, place: str) -> Any:
    wanted = {FieldDescriptor.CPPTYPE_STRING: (str, bytes), FieldDescriptor.CPPTYPE_BOOL: (bool,)}.get(field.cpp_type, (int, float))
    # A bool is an int for Python, which a number of the contract is not.
    if not isinstance(value, wanted) or (isinstance(value, bool) and bool not in wanted):
        name = {str: "a text", bool: "True or False"}.get(wanted[0], "a number")
        raise TypeError(f"{place} must be {name}, not {_kind(value)}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{place}: JSON has no {value}")
    return _checked_text(value, place) if isinstance(value, str) else value


def _time(field: FieldDescriptor, value: date, place: str) -> Any:
    owner: Any = field.containing_type
    kind = TIME_FIELDS.get(f"{owner.name}.{field.name}")
    # The times of answers, which tests make.
    if kind is None and field.name.endswith("_at") and field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        kind = "instant"
    if isinstance(value, datetime):
        if kind in ("instant", "day or instant"):
            return from_datetime(value, place)
        if kind == "milliseconds":
            from_datetime(value, place)
            return value.timestamp() * 1_000
        if kind == "day":
            raise TypeError(f"{place} takes a whole day in the time zone of the website: pass a date, such as {value.date()!r}")
    elif kind in ("day", "day or instant"):
        return value.isoformat()
    elif kind is not None:
        raise TypeError(f"{place} takes a time: pass a datetime with a time zone, not a date")
    raise TypeError(f"{place} takes no time, but {value!r}")


def _kind(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"[:120]
