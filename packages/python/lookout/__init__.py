"""The client of Lookout: web analytics, uptime monitoring and short links behind one typed API.

Calls are methods with the fields of their request as arguments, such as lookout.links.create_link(target_url="…"). The query types are in
lookout.query_types, the texts that the API restricts to a list in lookout.values, and what receives webhooks in lookout.webhooks.
The generated messages are in lookout.v1, such as lookout.v1.query_pb2.
"""

from lookout._aio_client import AsyncLookout
from lookout._aio_stream import AsyncStream
from lookout._attempts import Answered, OnReconnect
from lookout._client import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_S, Lookout
from lookout._error import Detail, LookoutError
from lookout._aio_event_queue import AsyncEventQueue
from lookout._event_queue import EventQueue
from lookout._queries import filter, query_request
from lookout._query_type import QueryType
from lookout._requests import from_datetime
from lookout._stream import Stream
from lookout._times import to_datetime, to_datetime_or_none
from lookout._waiting_events import EventOptions

__all__ = [
    "DEFAULT_MAX_RETRIES",
    "DEFAULT_TIMEOUT_S",
    "Answered",
    "AsyncEventQueue",
    "AsyncLookout",
    "AsyncStream",
    "Detail",
    "EventOptions",
    "EventQueue",
    "Lookout",
    "LookoutError",
    "OnReconnect",
    "QueryType",
    "Stream",
    "filter",
    "from_datetime",
    "query_request",
    "to_datetime",
    "to_datetime_or_none",
]
