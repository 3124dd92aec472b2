"""Waiting for exports and their files, for both clients."""

from __future__ import annotations

import hashlib
import os
import time
from types import TracebackType
from typing import IO, Any, Callable, Union
from urllib.parse import parse_qs, urlsplit

from lookout._attempts import wait_before_retry_s
from lookout._error import LookoutError
from lookout.v1.data_pb2 import DownloadExportRequest, DownloadExportResponse, GetExportResponse

OnProgress = Callable[[GetExportResponse], object]
"""Gets what is known of an export, as often as it is asked for."""

ExportTarget = Union[str, "os.PathLike[str]", IO[bytes]]
"""Where the file of an export is written: a path, or a file that is open for writing bytes."""

_ASK_EVERY_S = 1.0


class ExportWait:
    """The wait for one export, until timeout_s is over; None is for as long as it takes."""

    def __init__(self, timeout_s: float | None, on_progress: OnProgress | None) -> None:
        if timeout_s is not None and not timeout_s > 0:
            raise ValueError(f"timeout_s must be more than 0 s, not {timeout_s}")
        self._end_s = float("inf") if timeout_s is None else time.monotonic() + timeout_s
        self._on_progress = on_progress

    def pause_s(self, state: GetExportResponse) -> float | None:
        """How long to wait before the export is asked for again; None if it is done. Raises a LookoutError if it never will be."""
        if self._on_progress is not None:
            self._on_progress(state)
        if state.status == "completed":
            return None
        if state.status != "processing":
            reason = f": {state.reason}" if state.reason else ""
            raise LookoutError("CONFLICT", f"The export is {state.status}{reason}")
        if time.monotonic() + _ASK_EVERY_S > self._end_s:
            raise LookoutError("TIMEOUT", "The export was not done in time. It goes on: ask for it again")
        return _ASK_EVERY_S


class ExportFile:
    """The file of a finished export while it comes. A path has the file once all of it is there and is what the service wrote."""

    def __init__(self, state: GetExportResponse, to: ExportTarget) -> None:
        self._state = state
        self._sum = hashlib.sha256()
        self._path = os.fspath(to) if isinstance(to, (str, os.PathLike)) else None
        self._written = self._written_before = 0
        """How many bytes were written, and how many of them before this download."""
        self._known: int | None = None
        """How many of the next bytes of this download are written already; None until something has come of it."""
        self._failures = 0
        self._file: Any = to if self._path is None else open(self._part, "wb")

    @property
    def _part(self) -> str:
        return f"{self._path}.part"

    @property
    def request(self) -> DownloadExportRequest:
        signatures = parse_qs(urlsplit(self._state.download_url).query).get("signature", [""])
        return DownloadExportRequest(export_id=self._state.export_id, signature=signatures[0], offset=self._written)

    def wait_s(self, failure: LookoutError, max_retries: int) -> float | None:
        """How long to wait before the download goes on where it was; None if it has failed."""
        self._failures = 1 if self._written > self._written_before else self._failures + 1
        # A download that cannot be opened was tried again already.
        is_broken = self._known is not None or failure.code == "BAD_ANSWER"
        self._written_before, self._known = self._written, None
        if self._failures > max_retries or not failure.is_temporary or not is_broken:
            return None
        wait = wait_before_retry_s(failure, self._failures)
        return None if wait == float("inf") else wait

    def write(self, part: DownloadExportResponse) -> None:
        if self._known is None:
            # An older service sends the whole file, and no offset.
            self._known = self._written - int(part.offset)
        if self._known < 0:
            raise LookoutError("BAD_ANSWER", "The file of the export goes on behind what has come of it. Download it again")
        data = part.data[self._known :]
        self._known = max(0, self._known - len(part.data))
        self._sum.update(data)
        self._file.write(data)
        self._written += len(data)

    def __enter__(self) -> ExportFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        is_whole = self._sum.hexdigest() == self._state.sha256
        if self._path is not None:
            self._file.close()
            if kind is None and is_whole:
                os.replace(self._part, self._path)
            else:
                os.remove(self._part)
        if kind is None and not is_whole:
            raise LookoutError("BAD_ANSWER", "The file of the export broke off or was changed. Download it again")
