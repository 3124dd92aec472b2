"""A Lookout without a service, for tests of code that uses the client.

    service = FakeService(
        {"links.create_link": lambda asked: {"link": {"id": "l1", "target_url": asked.target_url}}},
        rows={"active_stats": [{"active_users": 2, "active_sessions": 2}]},
    )
    with service.client(website_id="shop") as lookout: ...

Requests, answers and rows are compared with the contract, so that a test does not pass with what Lookout would refuse or never answer.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Sequence, Union

from google.protobuf.message import Message
from lookout._aio_client import AsyncLookout
from lookout._client import Lookout
from lookout._error import LookoutError
from lookout._requests import request_of
from lookout._test_channel import AsyncMemoryChannel, MemoryChannel
from lookout._test_contract import ContractCall, call_named, calls_by_method, problems_of_answer, problems_of_request
from lookout._test_rows import FakeRows, Rows
from lookout._waiting_events import EventOptions
from lookout.v1.ingest_pb2 import BatchRequest, BatchResponse, EventResult, FlatEvent
from lookout.v1.query_pb2 import QueryRequest, QueryResponse, WatchRequest, WatchResponse

__all__ = ["FakeAnswer", "FakeCall", "FakeService", "Rows"]

FakeAnswer = Union[Message, Mapping[str, Any], LookoutError, Sequence["Message | Mapping[str, Any]"], Callable[[Any], Any]]
"""What a call answers: a message, a dict of its fields, an error that it raises, of a stream a list of messages, or a function of the
request that returns one of these. A function may raise a LookoutError, and be a coroutine for async_client()."""


@dataclass(frozen=True)
class FakeCall:
    """A call that was made."""

    name: str
    """Such as links.create_link."""
    request: Any
    """The message as it would have been sent."""


class FakeService:
    """Answers the calls of clients from memory.

    Args:
        answers: By the name of the call, such as "links.create_link". A call without an answer raises NOT_IMPLEMENTED, which says what
            to add; events are taken.
        rows: What queries and watches are answered with, by query type. limit and page choose among them; ranges and filters do not.

    Raises:
        ValueError, TypeError: There is no such call, query type or column, or Lookout would not answer so. A wrong answer of a function
            is raised by the call.
    """

    def __init__(self, answers: Mapping[str, FakeAnswer] = {}, *, rows: Rows = {}) -> None:
        self._answers = {name: _checked(call_named(name), answer) for name, answer in answers.items()}
        self._rows = FakeRows(rows)
        self.calls: list[FakeCall] = []
        """The calls that were made, in their order, those that were refused too."""

    @property
    def events(self) -> list[FlatEvent]:
        """The events that were sent: those of the queue lookout.events after its flush()."""
        batches = [call.request for call in self.calls if isinstance(call.request, BatchRequest)]
        return [event.flat for batch in batches for event in batch.events if event.HasField("flat")]

    def client(self, *, website_id: str | None = None, events: EventOptions = EventOptions()) -> Lookout:
        """A client that this answers. It repeats no calls."""
        channel: Any = MemoryChannel(self._answered)
        return Lookout("http://test.invalid", "test", max_retries=0, channel=channel, website_id=website_id, events=events)

    def async_client(self, *, website_id: str | None = None, events: EventOptions = EventOptions()) -> AsyncLookout:
        """A client for asyncio that this answers. It repeats no calls."""
        channel: Any = AsyncMemoryChannel(self._answered)
        return AsyncLookout("http://test.invalid", "test", max_retries=0, channel=channel, website_id=website_id, events=events)

    def _answered(self, method: str, request: Message) -> Any:
        call = calls_by_method()[method]
        self.calls.append(FakeCall(call.name, request))
        problems = problems_of_request(request)
        if problems:
            raise LookoutError("VALIDATION_ERROR", f"{problems[0].field} {problems[0].message}", problems, "req_test")
        if call.name not in self._answers:
            return [self._usual(call.name, request)]
        answer = self._answers[call.name]
        if not callable(answer):
            return _given(answer)
        made = answer(request)
        return _awaited(call, made) if inspect.isawaitable(made) else _given(_checked(call, made))

    def _usual(self, name: str, request: Message) -> Message:
        """What a call answers that the test says nothing about."""
        if isinstance(request, QueryRequest) and request.HasField("query"):
            return QueryResponse(single=self._rows.answer(request.query))
        if isinstance(request, WatchRequest):
            return WatchResponse(answer=self._rows.answer(request.query))
        if isinstance(request, BatchRequest):
            results = [EventResult(status="success") for _ in request.events]
            return BatchResponse(status="success", batch=True, processed=len(results), results=results)
        raise LookoutError("NOT_IMPLEMENTED", f"The test has no answer for {name}: pass {{{name!r}: …}} to FakeService")


async def _awaited(call: ContractCall, made: Any) -> Sequence[Message]:
    return _given(_checked(call, await made))


def _given(answer: Any) -> Sequence[Message]:
    if isinstance(answer, LookoutError):
        raise answer
    messages: Sequence[Message] = answer
    return messages


def _checked(call: ContractCall, answer: Any) -> Any:
    """The messages of an answer. Functions and errors stay as they are."""
    if isinstance(answer, LookoutError) or callable(answer):
        return answer
    is_list = isinstance(answer, Sequence) and not isinstance(answer, (str, bytes))
    if is_list != call.streams:
        raise TypeError(f"{call.name} answers {'a list of messages' if call.streams else 'one message'}, not {type(answer).__name__}")
    return [_message(call, each) for each in (answer if is_list else [answer])]


def _message(call: ContractCall, given: Any) -> Message:
    if not isinstance(given, (Message, Mapping)):
        raise TypeError(f"{call.name} answers a {call.answer.DESCRIPTOR.name} or a dict of its fields, not {type(given).__name__}")
    try:
        message = request_of(call.answer, given) if isinstance(given, Mapping) else given
    except (TypeError, ValueError) as error:
        raise type(error)(f"The test's answer of {call.name} is not one of Lookout: {error}") from None
    if message.DESCRIPTOR.full_name != call.answer.DESCRIPTOR.full_name:
        raise TypeError(f"{call.name} answers a {call.answer.DESCRIPTOR.name}, not a {message.DESCRIPTOR.name}")
    problems = "; ".join(f"{each.field} {each.message}" for each in problems_of_answer(message))
    if problems:
        raise ValueError(f"The test's answer of {call.name} is not one of Lookout: {problems}")
    return message
