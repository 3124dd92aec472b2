"""Ways to a service in memory, for both clients. They have what the clients use of a channel of grpc."""

from __future__ import annotations

import inspect
from typing import Any, Callable, Generator, Iterator, Sequence

import grpc
from google.protobuf.message import Message

Answered = Callable[[str, Message], Any]
"""Answers a call by its path with its messages, or with what has to be awaited for them. What it raises is the call's failure."""


class MemoryChannel:
    """For threads."""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered

    def unary_unary(self, method: str, *_: object) -> Any:
        return _Unary(self._answered, method)

    def unary_stream(self, method: str, *_: object) -> Any:
        return lambda request, **_: _Stream(self._answered, method, request)


class _NoHeaders:
    def initial_metadata(self) -> tuple[()]:
        return ()

    def trailing_metadata(self) -> tuple[()]:
        return ()

    def cancel(self) -> None:
        pass


class _Unary:
    def __init__(self, answered: Answered, method: str) -> None:
        self._answered = answered
        self._method = method

    def with_call(self, request: Message, **_: object) -> tuple[Message, _NoHeaders]:
        return _now(self._answered(self._method, request))[0], _NoHeaders()


class _Stream(_NoHeaders):
    """The answers are made when the first one is asked for."""

    def __init__(self, answered: Answered, method: str, request: Message) -> None:
        self._make = lambda: iter(_now(answered(method, request)))
        self._messages: Iterator[Message] | None = None

    def __next__(self) -> Message:
        if self._messages is None:
            self._messages = self._make()
        return next(self._messages)


def _now(messages: Any) -> Sequence[Message]:
    if inspect.isawaitable(messages):
        raise TypeError("An answer that is a coroutine is for async_client()")
    made: Sequence[Message] = messages
    return made


class AsyncMemoryChannel:
    """For asyncio."""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered

    def unary_unary(self, method: str, *_: object) -> Any:
        return lambda request, **_: _AsyncCall(self._answered, method, request)

    def unary_stream(self, method: str, *_: object) -> Any:
        return lambda request, **_: _AsyncCall(self._answered, method, request)


class _AsyncCall:
    def __init__(self, answered: Answered, method: str, request: Message) -> None:
        self._answered = answered
        self._method = method
        self._request = request
        self._messages: Iterator[Message] | None = None

    async def _made(self) -> Sequence[Message]:
        messages = self._answered(self._method, self._request)
        made: Sequence[Message] = await messages if inspect.isawaitable(messages) else messages
        return made

    def __await__(self) -> Generator[Any, None, Message]:
        messages = yield from self._made().__await__()
        return messages[0]

    async def read(self) -> Any:
        if self._messages is None:
            self._messages = iter(await self._made())
        return next(self._messages, grpc.aio.EOF)

    async def initial_metadata(self) -> tuple[()]:
        return ()

    async def trailing_metadata(self) -> tuple[()]:
        return ()

    def cancel(self) -> None:
        pass
