from __future__ import annotations

from datetime import date
from typing import Any, Iterable, Mapping, Sequence

import grpc
from lookout._attempts import CallSettings, Metadata, OnReconnect
from lookout._calls import Calls
from lookout._channel import ChannelOptions, open_channel
from lookout._error import LookoutError
from lookout._event_queue import EventQueue
from lookout._exports import ExportFile, ExportTarget, ExportWait, OnProgress
from lookout._queries import query_request, watch_request
from lookout._query_type import QueryType
from lookout._services import Services
from lookout._stream import Stream
from lookout._waiting_events import EventOptions
from lookout.v1.data_pb2 import GetExportResponse
from lookout.v1.query_pb2 import Comparison, QueryAnswer, QueryFilter, QueryGoal, QueryParameter, WatchResponse
from lookout.values import ComparedPeriod, DatePreset, Granularity

DEFAULT_TIMEOUT_S = 35.0
"""How long a call may take: 5 s more than the service takes at most for a query."""

DEFAULT_MAX_RETRIES = 2
"""How often a call is repeated that may be."""


class Lookout(Services):
    """All services that take an API key, over gRPC. Every call raises a LookoutError. One client serves all threads.

    base_url is the address of Lookout, such as https://lookout.example.com. A call with all its tries ends after timeout_s,
    a stream if its first message has not come by then. max_retries is how often a call is repeated that fails for a while:
    those whose contract says that they may be, and creating calls, with an idempotency key; 0 means never.

    website_id is the website of query(), watch() and events.

    credentials are for an own certificate authority: grpc.ssl_channel_credentials(root_certificates=pem). options are those
    of the channel, such as ("grpc.http_proxy", "http://proxy:3128"). A channel of one's own, for example to a Unix socket
    or with interceptors, takes the place of both and is left open by close().
    """

    def __init__(
        self,
        base_url: str,
        api_key: str | None = None,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        *,
        max_retries: int = DEFAULT_MAX_RETRIES,
        channel: grpc.Channel | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
        website_id: str | None = None,
        events: EventOptions = EventOptions(),
    ) -> None:
        self._own_channel: Any = open_channel(grpc, base_url, credentials, options) if channel is None else None
        settings = CallSettings(base_url, api_key, timeout_s, max_retries)
        self._calls = Calls(channel or self._own_channel, settings)
        super().__init__(self._calls)
        self.website_id = website_id
        """The website of queries and events."""
        self.events = EventQueue(self.ingest.Batch, website_id, events)
        """Sends events in the background."""

    def query(
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

            answer = lookout.query(website, preset="today", parameters=[TOP_PAGES], filters=[filter("country", "eq", "DE")])
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
        return (self.queries.Query(request, timeout=timeout_s, metadata=metadata)).single

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
    ) -> Stream[WatchResponse]:
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

    def wait_for_export(
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
            state = self.data.get_export(export_id=export_id)
            pause_s = wait.pause_s(state)
            if pause_s is None:
                return state
            self._calls.wait(pause_s)

    def download_export(
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
        state = self.wait_for_export(export_id, timeout_s=timeout_s, on_progress=on_progress)
        with ExportFile(state, to) as file:
            while True:
                try:
                    with self.data.DownloadExport(file.request) as parts:
                        for part in parts:
                            file.write(part)
                    return state
                except LookoutError as failure:
                    wait_s = file.wait_s(failure, self._calls.settings.max_retries)
                    if wait_s is None:
                        raise
                    self._calls.wait(wait_s)

    def close(self) -> None:
        """Sends the events that wait and closes the connection. Calls and streams under way end with a LookoutError: CANCELLED."""
        self.events.close()
        self._calls.close()
        if self._own_channel is not None:
            self._own_channel.close()

    def __enter__(self) -> Lookout:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
