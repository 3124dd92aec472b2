/**
 * Spans of this process (OpenTelemetry). Without OTEL_EXPORTER_OTLP_ENDPOINT there are none: each function here is then one comparison,
 * and nothing of OpenTelemetry is loaded.
 *
 * A span holds names, counts and outcomes, never what somebody sent: no address, URL, header, statement or error text.
 */
import type { Config } from "../config.ts";
import type { SpanOptions, Traces, TracesLog } from "./span.ts";

let traces: Traces | undefined;

/** Begins to record spans, if an endpoint is set. `service` is the kind of process, such as `api`. */
export async function startTraces(
  { traces: settings }: Pick<Config, "traces">,
  service: string,
  log: TracesLog,
): Promise<void> {
  if (settings.endpoint === undefined) return;
  const { openOtlpTraces } = await import("./otlpTraces.ts");
  traces = openOtlpTraces({ ...settings, endpoint: settings.endpoint }, service, log);
}

/** Sends what is recorded and records no more. */
export async function stopTraces(): Promise<void> {
  const ending = traces;
  traces = undefined;
  await ending?.stop();
}

export function hasTraces(): boolean {
  return traces !== undefined;
}

/** Runs `work` as a span, which fails if `work` rejects. */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return traces === undefined ? work() : traces.span(name, options, work);
}

/** The span of a call from outside; `traceparent` is its header. */
export function callSpan(rpc: string, traceparent: unknown, work: () => Promise<void>): Promise<void> {
  if (traces === undefined) return work();
  const parent = typeof traceparent === "string" ? traceparent : "none";
  return traces.span(rpc, { kind: "server", parent, attributes: { "rpc.method": rpc } }, work);
}

/** Notes how the call that we are in was answered; `status` is its HTTP status. */
export function noteAnswer(protocol: string, status: number): void {
  traces?.noteAnswer(protocol, status);
}

/** The traceparent of the span we are in, to hand on. */
export function currentTraceparent(): string | undefined {
  return traces?.traceparent();
}
