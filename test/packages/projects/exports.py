"""What lookout-client does with exports, and with a parameter that fails. The test runs it outside the repository, and checks its types."""

import asyncio
import io
import os
import threading
from pathlib import Path

from lookout import AsyncLookout, Lookout, LookoutError
from lookout.query_types import TOP_PAGES
from lookout.v1.error_pb2 import ErrorDetail
from lookout.v1.query_pb2 import ParameterResult, QueryAnswer

base, whole = os.environ["INTERRUPTED"], b"PK first second"
shown: list[float] = []

with Lookout(base, "exports") as client:
    assert client.wait_for_export("done", on_progress=lambda state: shown.append(state.progress)).download_url
    assert shown == [40, 100], shown
    assert client.download_export("done", "done.zip").status == "completed"
    assert Path("done.zip").read_bytes() == whole and not Path("done.zip.part").exists()
    file = io.BytesIO()
    client.download_export("done", file)
    assert file.getvalue() == whole
    for export, code, words in (
        ("failed", "CONFLICT", "The export is failed: The disk is full"),
        ("changed", "BAD_ANSWER", "Download it again"),
        ("ahead", "BAD_ANSWER", "goes on behind"),
        ("endless", "TIMEOUT", "It goes on"),
    ):
        try:
            client.download_export(export, "none.zip", timeout_s=0.5)
            raise AssertionError(f"{export} has no file")
        except LookoutError as error:
            assert error.code == code and words in error.message, error
        assert not Path("none.zip").exists() and not Path("none.zip.part").exists()
    for export in ("broken", "cut", "old"):
        file = io.BytesIO()
        client.download_export(export, file)
        assert file.getvalue() == whole, export
    client.download_export("broken again", "broken.zip")
    assert Path("broken.zip").read_bytes() == whole
    try:
        client.wait_for_export("done", timeout_s=0)
        raise AssertionError("no time to wait")
    except ValueError as wrong:
        assert "timeout_s" in str(wrong)
with Lookout(base, "stalled exports", timeout_s=1) as client:
    file = io.BytesIO()
    ended = threading.Timer(20, client.close)
    ended.start()
    client.download_export("stalled", file)
    assert file.getvalue() == whole
    ended.cancel()
with Lookout(base, "stalled once", timeout_s=1, max_retries=0) as client:
    try:
        client.download_export("stalled once", io.BytesIO())
        raise AssertionError("nothing came")
    except LookoutError as error:
        assert error.code == "TIMEOUT", error


async def asynchronous() -> None:
    async with AsyncLookout(base, "stalled aio", timeout_s=1) as client:
        for export in ("broken aio", "stalled aio", "cut aio", "old aio"):
            file = io.BytesIO()
            await asyncio.wait_for(client.download_export(export, file), 20)
            assert file.getvalue() == whole
    async with AsyncLookout(base, "exports aio") as client:
        shown.clear()
        await client.download_export("done aio", "aio.zip", on_progress=lambda state: shown.append(state.progress))
        assert Path("aio.zip").read_bytes() == whole and shown == [40, 100], shown
        try:
            await client.download_export("changed", io.BytesIO())
            raise AssertionError("another file")
        except LookoutError as error:
            assert error.code == "BAD_ANSWER"
        waiting = asyncio.create_task(client.wait_for_export("endless"))
        await asyncio.sleep(0.2)
        waiting.cancel()
        assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], asyncio.CancelledError)


asyncio.run(asynchronous())

detail = ErrorDetail(field="filters[0].field", message="is not permitted", suggestion="country")
for given, expected in ((detail, ("filters[0].field", "country")), (None, ("parameters[0]", None))):
    failed = ParameterResult(parameter="top_pages", success=False, error='Filter on field "contry"', detail=given)
    try:
        TOP_PAGES.rows(QueryAnswer(data=[failed]))
        raise AssertionError("the parameter has failed")
    except LookoutError as error:
        assert [(each.field, each.suggestion) for each in error.details] == [expected], error.details
print("done")
