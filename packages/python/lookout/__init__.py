"""The client of Lookout: web analytics, uptime monitoring and short links behind one typed API.

The generated messages are in lookout.v1, such as lookout.v1.query_pb2, the query types in lookout.query_types.
"""

from lookout._client import DEFAULT_TIMEOUT_S, Lookout
from lookout._error import Detail, LookoutError
from lookout._query_type import QueryType

__all__ = ["DEFAULT_TIMEOUT_S", "Detail", "Lookout", "LookoutError", "QueryType"]
