from __future__ import annotations

from typing import Any, Generic, TypeVar

from google.protobuf.message import Message
from lookout._attempts import Attempts, CallSettings, Metadata, Repeats, check_request, is_repeatable

Q = TypeVar("Q", bound=Message)


class Call(Generic[Q]):
    """What the calls for threads and for asyncio have in common."""

    def __init__(self, settings: CallSettings, method: str, type_: type[Q], repeats: Repeats) -> None:
        self._settings = settings
        self._name = method.rpartition("/")[2]
        self._type = type_
        self._repeats = repeats

    def _check(self, request: Q) -> None:
        check_request(request, self._type, self._name)

    def _is_repeatable(self, request: Q) -> bool:
        return is_repeatable(self._repeats, request)

    def _attempts(self, request: Q, timeout: float | None) -> Attempts:
        return Attempts(self._settings, self._is_repeatable(request), timeout)

    def _headers(self, request: Q, own: Metadata, idempotency_key: str | None) -> list[tuple[str, str]]:
        return self._settings.metadata(request, own, self._repeats, idempotency_key)

    def _first_page(self, request: Q) -> Any:
        """A copy, whose cursor goes on."""
        self._check(request)
        page = type(request)()
        page.CopyFrom(request)
        return page
