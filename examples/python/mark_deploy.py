"""Marks a deploy of a website, as a last step of a pipeline: python mark_deploy.py 2.4.1

The mark is the custom event "deploy" with the version. Prints the page views of yesterday, to compare with.
"""

import os
import sys

from lookout import Lookout, LookoutError
from lookout.query_types import SUMMARY_METRICS


def main(version: str) -> None:
    website = os.environ["WEBSITE"]
    with Lookout(os.environ["BASE"], api_key=os.environ["KEY"]) as lookout:
        # With an id a deploy is marked once, however often the pipeline runs.
        deploy = {"event_id": f"deploy-{version}", "name": "deploy", "properties": {"version": version}}
        lookout.ingest.track(website_id=website, events=[deploy])
        print(f"deploy of {version} is marked")
        answer = lookout.query(website, preset="yesterday", parameters=[SUMMARY_METRICS])
        views = SUMMARY_METRICS.rows(answer)[0]["pageviews"]
        # None: nothing is known of yesterday, which is not 0.
        print("page views of yesterday:", "unknown" if views is None else views)


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except LookoutError as error:
        sys.exit(f"{error.message} ({error.code}, request {error.request_id})")
