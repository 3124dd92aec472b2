import type { ActivityInterceptorsFactory } from "@temporalio/worker";
import { hasTraces, inSpan } from "../src/observability/traces.ts";
import { handedTraceparent } from "../src/store/temporal/tracedRuns.ts";

/** Records each attempt of an activity as a span, in the trace of the call that its workflow was started with. None without traces. */
export function tracedActivities(): ActivityInterceptorsFactory[] {
  if (!hasTraces()) return [];
  return [
    ({ info: { activityType, attempt, workflowType, workflowExecution } }) => ({
      inbound: {
        execute: ({ headers, args }, next) => {
          const attributes = {
            "temporal.workflow_type": workflowType ?? "",
            "temporal.workflow_id": workflowExecution?.workflowId ?? "",
            "temporal.run_id": workflowExecution?.runId ?? "",
            "temporal.attempt": attempt,
          };
          const options = { kind: "consumer", parent: handedTraceparent(headers), attributes } as const;
          return inSpan(`activity ${activityType}`, options, () => next({ headers, args }));
        },
      },
    }),
  ];
}
