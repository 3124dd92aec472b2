"""The client of Lookout: web analytics, uptime monitoring and short links behind one typed API.

The generated messages are in lookout.v1, such as lookout.v1.query_pb2, the query types in lookout.query_types, and what
receives webhooks in lookout.webhooks.
"""

from lookout._aio_client import AsyncLookout
from lookout._aio_stream import AsyncStream
from lookout._attempts import Answered
from lookout._client import DEFAULT_MAX_RETRIES, DEFAULT_TIMEOUT_S, Lookout
from lookout._error import Detail, LookoutError
from lookout._query_type import QueryType, to_datetime
from lookout._stream import Stream

__all__ = [
    "DEFAULT_MAX_RETRIES",
    "DEFAULT_TIMEOUT_S",
    "Answered",
    "AsyncLookout",
    "AsyncStream",
    "Detail",
    "Lookout",
    "LookoutError",
    "QueryType",
    "Stream",
    "to_datetime",
]
