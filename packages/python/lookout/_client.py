from __future__ import annotations

import threading
from collections import namedtuple
from typing import Any, Callable, Iterator
from urllib.parse import urlsplit

import grpc

from lookout._error import timeout_error, to_lookout_error
from lookout.v1 import (
    api_keys_pb2_grpc,
    audit_log_pb2_grpc,
    data_pb2_grpc,
    funnels_pb2_grpc,
    ingest_pb2_grpc,
    links_pb2_grpc,
    llm_calls_pb2_grpc,
    maintenance_pb2_grpc,
    notification_channels_pb2_grpc,
    query_pb2_grpc,
    script_errors_pb2_grpc,
    status_page_pb2_grpc,
    status_report_pb2_grpc,
    uptime_pb2_grpc,
    vitals_pb2_grpc,
    websites_pb2_grpc,
)

DEFAULT_TIMEOUT_S = 35.0
"""How long a call may take: 5 s more than the service takes at most for a query."""

# A query may answer more than the usual 4 MB.
_OPTIONS = [("grpc.max_receive_message_length", -1)]


class Lookout:
    """The generated stubs of all services that take an API key, over gRPC. Their errors are LookoutErrors.

    base_url is the address of Lookout, such as https://lookout.example.com. A call ends after timeout_s, a stream if its
    first message has not come by then.
    """

    def __init__(self, base_url: str, api_key: str | None = None, timeout_s: float = DEFAULT_TIMEOUT_S) -> None:
        url = urlsplit(base_url)
        if url.scheme == "https":
            channel = grpc.secure_channel(f"{url.hostname}:{url.port or 443}", grpc.ssl_channel_credentials(), _OPTIONS)
        elif url.scheme == "http":
            channel = grpc.insecure_channel(f"{url.hostname}:{url.port or 80}", _OPTIONS)
        else:
            raise ValueError(f"base_url must begin with http:// or https://, not {base_url!r}")
        self._channel = channel
        calls = grpc.intercept_channel(channel, _Calls(base_url, api_key, timeout_s))
        self.api_keys = api_keys_pb2_grpc.ApiKeyServiceStub(calls)
        self.audit_log = audit_log_pb2_grpc.AuditServiceStub(calls)
        self.data = data_pb2_grpc.DataServiceStub(calls)
        self.funnels = funnels_pb2_grpc.FunnelServiceStub(calls)
        self.ingest = ingest_pb2_grpc.IngestServiceStub(calls)
        self.links = links_pb2_grpc.LinkServiceStub(calls)
        self.llm_calls = llm_calls_pb2_grpc.LlmCallServiceStub(calls)
        self.maintenance_windows = maintenance_pb2_grpc.MaintenanceWindowServiceStub(calls)
        self.notification_channels = notification_channels_pb2_grpc.NotificationChannelServiceStub(calls)
        self.queries = query_pb2_grpc.QueryServiceStub(calls)
        self.script_errors = script_errors_pb2_grpc.ScriptErrorServiceStub(calls)
        self.status_page = status_page_pb2_grpc.StatusPageServiceStub(calls)
        self.status_reports = status_report_pb2_grpc.StatusReportServiceStub(calls)
        self.uptime = uptime_pb2_grpc.UptimeServiceStub(calls)
        self.vitals = vitals_pb2_grpc.VitalServiceStub(calls)
        self.websites = websites_pb2_grpc.WebsiteServiceStub(calls)

    def close(self) -> None:
        """Closes the connection."""
        self._channel.close()

    def __enter__(self) -> Lookout:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Details(
    namedtuple("_Details", ("method", "timeout", "metadata", "credentials", "wait_for_ready", "compression")),
    grpc.ClientCallDetails,
):
    """The options of a call."""


class _Calls(grpc.UnaryUnaryClientInterceptor, grpc.UnaryStreamClientInterceptor):
    """Adds the key and the timeout to each call, and turns its error into a LookoutError."""

    def __init__(self, address: str, api_key: str | None, timeout_s: float) -> None:
        self._address = address
        self._metadata = [] if api_key is None else [("authorization", f"Bearer {api_key}")]
        self._timeout_s = timeout_s

    def _with_key(self, details: Any, timeout: float | None) -> _Details:
        metadata = [*(details.metadata or ()), *self._metadata]
        wait = getattr(details, "wait_for_ready", None)
        return _Details(details.method, timeout, metadata, details.credentials, wait, getattr(details, "compression", None))

    def intercept_unary_unary(self, continuation: Callable[..., Any], client_call_details: Any, request: Any) -> Any:
        timeout = self._timeout_s if client_call_details.timeout is None else client_call_details.timeout
        call = continuation(self._with_key(client_call_details, timeout), request)
        error = call.exception()
        if isinstance(error, grpc.RpcError):
            raise to_lookout_error(error, self._address) from error
        return call

    def intercept_unary_stream(self, continuation: Callable[..., Any], client_call_details: Any, request: Any) -> Any:
        return self._messages(continuation(self._with_key(client_call_details, client_call_details.timeout), request))

    def _messages(self, call: Any) -> Iterator[Any]:
        late = threading.Event()

        def give_up() -> None:
            late.set()
            call.cancel()

        timer = threading.Timer(self._timeout_s, give_up)
        timer.daemon = True
        timer.start()
        try:
            for message in call:
                timer.cancel()
                yield message
        except grpc.RpcError as error:
            raise (timeout_error(self._address) if late.is_set() else to_lookout_error(error, self._address)) from error
        finally:
            timer.cancel()
            call.cancel()
