"""Answers SQL with ClickHouse in this process: a JSON text a line in, {"rows", "ms"} or {"error"} a line out. The argument is its folder."""

import json
import sys
import time

from chdb.session import Session

session = Session(sys.argv[1])
for line in sys.stdin:
    sql = json.loads(line)
    started = time.perf_counter()
    try:
        text = session.query(sql, "JSONCompact").bytes().decode()
        ms = (time.perf_counter() - started) * 1000
        rows = json.loads(text)["data"] if text.strip() else []
        answer = {"rows": rows, "ms": ms}
    except Exception as error:
        answer = {"error": str(error)[:2000]}
    print(json.dumps(answer), flush=True)
