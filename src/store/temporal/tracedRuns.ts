import type { WorkflowClientInterceptor } from "@temporalio/client";
import { defaultPayloadConverter, type Headers } from "@temporalio/common";
import { currentTraceparent, hasTraces, inSpan } from "../../observability/traces.ts";

/** The header in which Temporal's own OpenTelemetry interceptors hand on a trace, of every language. */
const traceHeader = "_tracer-data";

/** Records each start and signal of a workflow as a span, and hands its trace on to the workflow. None without traces. */
export function tracedRuns(): WorkflowClientInterceptor[] {
  if (!hasTraces()) return [];
  return [
    {
      startWithDetails: (input, next) => handOn("start", input.workflowType, input, next),
      signalWithStart: (input, next) => handOn("signal", input.signalName, input, next),
      signal: (input, next) => handOn("signal", input.signalName, input, next),
    },
  ];
}

/** The traceparent that a workflow or activity was given; "none" without one. */
export function handedTraceparent(headers: Headers): string {
  const payload = headers[traceHeader];
  try {
    const carried = payload && defaultPayloadConverter.fromPayload<{ readonly traceparent?: unknown } | null>(payload);
    return typeof carried?.traceparent === "string" ? carried.traceparent : "none";
  } catch {
    // Another client's header in another encoding is no reason for work to fail.
    return "none";
  }
}

function handOn<I extends { readonly headers: Headers }, R>(
  act: string,
  name: string,
  input: I,
  next: (input: I) => Promise<R>,
): Promise<R> {
  const options = { kind: "client", attributes: { "rpc.system.name": "temporal" } } as const;
  return inSpan(`temporal ${act} ${name}`, options, () => {
    const traceparent = currentTraceparent();
    if (traceparent === undefined) return next(input);
    const payload = defaultPayloadConverter.toPayload({ traceparent });
    return next({ ...input, headers: { ...input.headers, [traceHeader]: payload } });
  });
}
