# Does not pass mypy: the test expects an error in each of the lines below.
from lookout import Lookout, filter
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


def calls(lookout: Lookout) -> None:
    lookout.links.create_link()  # error
    lookout.links.create_link(target="https://shop.example")  # error
    lookout.links.create_link(target_url="https://shop.example", expires_at=7)  # error
    lookout.uptime.create_monitor(website_id="w", url="https://shop.example", interval="7 parsecs")  # error
    lookout.query("w", preset="lst_7d", parameters=[TOP_PAGES])  # error
    lookout.query("w", preset="last_7d", parameters=[TOP_PAGES], filters=[filter("path", "eqq", "/")])  # error
    TOP_PAGES.parameter(granularity="dayly")  # error
