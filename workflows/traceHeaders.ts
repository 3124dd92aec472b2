import { type Headers, type WorkflowInterceptorsFactory, workflowInfo } from "@temporalio/workflow";

/** The header of Temporal's OpenTelemetry interceptors (src/store/temporal/tracedRuns.ts). */
const traceHeader = "_tracer-data";

/**
 * How long after its start or a signal a workflow hands its caller's trace on. Monitors and incidents live for ever: what they do later
 * has nothing to do with the call any more, and begins traces of its own.
 */
const handedOnMs = 600_000;

/** Hands the trace of the call that started or signalled a workflow on to its activities. Part of the workflows only with traces. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let handed: Headers = {};
  let sinceMs = 0;
  const take = (headers: Headers, timeMs: number): void => {
    const payload = headers[traceHeader];
    if (payload === undefined) return;
    handed = { [traceHeader]: payload };
    sinceMs = timeMs;
  };
  const withTrace = <I extends { readonly headers: Headers }>(input: I): I =>
    Date.now() - sinceMs > handedOnMs ? input : { ...input, headers: { ...handed, ...input.headers } };
  return {
    inbound: [
      {
        execute: (input, next) => {
          take(input.headers, workflowInfo().runStartTime.getTime());
          return next(input);
        },
        handleSignal: (input, next) => {
          take(input.headers, Date.now());
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withTrace(input)),
        scheduleLocalActivity: (input, next) => next(withTrace(input)),
      },
    ],
  };
};
