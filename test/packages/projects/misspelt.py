# Does not pass mypy: the test expects an error in each of the lines below.
from lookout.query_types import TOP_PAGES
from lookout.v1.query_pb2 import Query, QueryAnswer
from lookout.v1.uptime_pb2 import CreateMonitorRequest, Monitor

page = TOP_PAGES.rows(QueryAnswer())[0]
page["veiws"]  # error
text: str = page["views"]  # error
Query(presett="today")  # error
Query(preset="lst_7d")  # error
CreateMonitorRequest(interval="7 parsecs")  # error
Monitor().interval = "1m"
Monitor().interval = "7 parsecs"  # error
from lookout.query_types import TOP_PAGSE  # error
