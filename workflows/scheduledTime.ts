import { defineSearchAttributeKey } from "@temporalio/common";
import { workflowInfo } from "@temporalio/workflow";

/** Set by Temporal on runs that a Schedule started: the time they were due, even if they start late. */
const scheduledStartTime = defineSearchAttributeKey("TemporalScheduledStartTime", "DATETIME");

/** When this run was due by its Schedule; for a run started by hand, when it started. Only for workflows. */
export function dueTime(): Date {
  const info = workflowInfo();
  return info.typedSearchAttributes.get(scheduledStartTime) ?? info.startTime;
}
