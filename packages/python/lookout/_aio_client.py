from __future__ import annotations

import asyncio
from datetime import date
from typing import Any, Iterable, Mapping, Sequence

import grpc
from lookout._aio_calls import AsyncCalls
from lookout._aio_services import AsyncServices
from lookout._aio_stream import AsyncStream
from lookout._attempts import CallSettings, Metadata, OnReconnect
from lookout._channel import ChannelOptions, open_channel
from lookout._client import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_S
from lookout._aio_event_queue import AsyncEventQueue
from lookout._error import LookoutError
from lookout._exports import ExportFile, ExportTarget, ExportWait, OnProgress
from lookout._queries import query_request, watch_request
from lookout._query_type import QueryType
from lookout._waiting_events import EventOptions
from lookout.v1.data_pb2 import GetExportResponse
from lookout.v1.query_pb2 import Comparison, QueryAnswer, QueryFilter, QueryGoal, QueryParameter, WatchResponse
from lookout.values import ComparedPeriod, DatePreset, Granularity


def _check_loop() -> None:
    """A connection belongs to the event loop that it is made in."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(
            "No event loop runs here. Make AsyncLookout in a coroutine: async with AsyncLookout(…) as lookout, or where your framework starts up"
        ) from None


class AsyncLookout(AsyncServices):
    """The client for asyncio, to be made in a coroutine, else it raises a RuntimeError. Its options, services and errors are those of Lookout.

    Calls are awaited, streams and all() are for `async for`, and cancelling a task ends its call.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        *,
        max_retries: int = DEFAULT_MAX_RETRIES,
        channel: grpc.aio.Channel | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
        website_id: str | None = None,
        events: EventOptions = EventOptions(),
    ) -> None:
        _check_loop()
        self._own_channel = open_channel(grpc.aio, base_url, credentials, options) if channel is None else None
        settings = CallSettings(base_url, api_key, timeout_s, max_retries)
        self._calls = AsyncCalls(channel or self._own_channel, settings)
        super().__init__(self._calls)
        self.website_id = website_id
        """The website of queries and events."""
        self.events = AsyncEventQueue(self.ingest.Batch, website_id, events)
        """Sends events in the background."""

    async def query(
        self,
        website_id: str | None = None,
        *,
        parameters: Iterable[QueryType[Any] | QueryParameter | str],
        preset: DatePreset | None = None,
        start_date: date | str | None = None,
        end_date: date | str | None = None,
        granularity: Granularity | None = None,
        filters: Sequence[QueryFilter] = (),
        limit: int | None = None,
        page: int | None = None,
        compare: ComparedPeriod | Comparison | Mapping[str, Any] | None = None,
        goal: QueryGoal | Mapping[str, Any] | None = None,
        timezone: str | None = None,
        website_ids: Sequence[str] = (),
        organization_id: str | None = None,
        timeout_s: float | None = None,
        metadata: Metadata = (),
    ) -> QueryAnswer:
        """Answers a query: one entry for each of its parameters, whose rows the type finds.

            answer = await lookout.query(website, preset="today", parameters=[TOP_PAGES], filters=[filter("country", "eq", "DE")])
            pages = TOP_PAGES.rows(answer)

        The arguments are those of query_request.
        """
        request = query_request(
            website_id if website_id or website_ids or organization_id else self.website_id,
            parameters=parameters,
            preset=preset,
            start_date=start_date,
            end_date=end_date,
            granularity=granularity,
            filters=filters,
            limit=limit,
            page=page,
            compare=compare,
            goal=goal,
            timezone=timezone,
            website_ids=website_ids,
            organization_id=organization_id,
        )
        return (await self.queries.Query(request, timeout=timeout_s, metadata=metadata)).single

    def watch(
        self,
        website_id: str | None = None,
        *,
        parameters: Iterable[QueryType[Any] | QueryParameter | str],
        preset: DatePreset | None = None,
        start_date: date | str | None = None,
        end_date: date | str | None = None,
        granularity: Granularity | None = None,
        filters: Sequence[QueryFilter] = (),
        limit: int | None = None,
        page: int | None = None,
        compare: ComparedPeriod | Comparison | Mapping[str, Any] | None = None,
        goal: QueryGoal | Mapping[str, Any] | None = None,
        timezone: str | None = None,
        website_ids: Sequence[str] = (),
        organization_id: str | None = None,
        timeout_s: float | None = None,
        metadata: Metadata = (),
        on_reconnect: OnReconnect | None = None,
    ) -> AsyncStream[WatchResponse]:
        """Answers a query now, and again whenever new events have changed the answer. The arguments are those of query_request.

        A stream that fails for a while is opened again by itself, which on_reconnect is told: the error, and after how many
        seconds. timeout_s is how long the first message may take.
        """
        request = query_request(
            website_id if website_id or website_ids or organization_id else self.website_id,
            parameters=parameters,
            preset=preset,
            start_date=start_date,
            end_date=end_date,
            granularity=granularity,
            filters=filters,
            limit=limit,
            page=page,
            compare=compare,
            goal=goal,
            timezone=timezone,
            website_ids=website_ids,
            organization_id=organization_id,
        )
        return self.queries.Watch(
            watch_request(request), timeout=timeout_s, metadata=metadata, on_reconnect=on_reconnect
        )

    async def wait_for_export(
        self, export_id: str, *, timeout_s: float | None = None, on_progress: OnProgress | None = None
    ) -> GetExportResponse:
        """Waits until an export is done, which data.create_export has started.

        Args:
            export_id: The export.
            timeout_s: How long to wait, in seconds; by default for as long as it takes.
            on_progress: Called with the state about once a second, whose progress is in percent.

        Raises:
            LookoutError: CONFLICT with the reason if it has failed, was cancelled or has expired, TIMEOUT if it takes longer,
                and goes on.
        """
        wait = ExportWait(timeout_s, on_progress)
        while True:
            state = await self.data.get_export(export_id=export_id)
            pause_s = wait.pause_s(state)
            if pause_s is None:
                return state
            await asyncio.sleep(pause_s)

    async def download_export(
        self, export_id: str, to: ExportTarget, *, timeout_s: float | None = None, on_progress: OnProgress | None = None
    ) -> GetExportResponse:
        """Waits until an export is done, and writes its file, a ZIP archive. A download that breaks off, or of which nothing comes
        for the client's timeout_s, goes on where it was: as often as a call is repeated without
        anything new of the file.

        Args:
            export_id: The export.
            to: A path, at which the file is once all of it has come, or a file that is open for writing bytes.
            timeout_s: How long to wait until it is done, in seconds; by default for as long as it takes.
            on_progress: Called with the state about once a second, whose progress is in percent.

        Raises:
            LookoutError: Those of wait_for_export, and BAD_ANSWER if the file has another checksum than the service says.
        """
        state = await self.wait_for_export(export_id, timeout_s=timeout_s, on_progress=on_progress)
        with ExportFile(state, to) as file:
            while True:
                try:
                    async with self.data.DownloadExport(file.request) as parts:
                        async for part in parts:
                            await asyncio.to_thread(file.write, part)
                    return state
                except LookoutError as failure:
                    wait_s = file.wait_s(failure, self._calls.settings.max_retries)
                    if wait_s is None:
                        raise
                    await asyncio.sleep(wait_s)

    async def close(self) -> None:
        """Sends the events that wait and closes the connection. Calls and streams under way end with a LookoutError: CANCELLED."""
        await self.events.close()
        self._calls.close()
        if self._own_channel is not None:
            await self._own_channel.close()

    async def __aenter__(self) -> AsyncLookout:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
