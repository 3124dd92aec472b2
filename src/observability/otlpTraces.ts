/** Spans by OpenTelemetry's SDK, sent over OTLP/HTTP. Loaded only if an endpoint is set. */
import { AsyncLocalStorage } from "node:async_hooks";
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type ExportResult, ExportResultCode, parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Config } from "../config.ts";
import type { SpanOptions, Traces, TracesLog } from "./span.ts";

type Settings = Config["traces"] & { readonly endpoint: string };

/** The span that code runs in, and that of the call that it belongs to. */
type Place = { readonly context: Context; readonly call: Span | undefined; isOver: boolean };

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

export function openOtlpTraces({ endpoint, headers, share }: Settings, service: string, log: TracesLog): Traces {
  const exporter = new ReportingExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }), log);
  const byTrace = new TraceIdRatioBasedSampler(share);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.namespace": "lookout", "service.name": `lookout-${service}` }),
    // A client's own decision does not count, or anybody could have all of its calls recorded.
    sampler: new ParentBasedSampler({ root: byTrace, remoteParentSampled: byTrace }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const tracer = provider.getTracer("lookout");
  const places = new AsyncLocalStorage<Place>();

  async function span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
    const { kind, attributes = {}, parent } = options;
    const around = parent === undefined ? places.getStore() : undefined;
    // What goes on after its call has ended, such as a loop that the first call starts, does not belong to it.
    if (parent === undefined && around?.isOver !== false) return await work();
    const context = around?.context ?? contextOf(parent);
    const made = tracer.startSpan(name, { kind: kinds[kind], attributes }, context);
    const call = kind === "server" ? made : around?.call;
    const place: Place = { context: trace.setSpan(context, made), call, isOver: false };
    try {
      return await places.run(place, work);
    } catch (error) {
      made.setStatus({ code: SpanStatusCode.ERROR });
      // Its text may quote what somebody sent.
      made.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
      throw error;
    } finally {
      place.isOver = true;
      made.end();
    }
  }

  return {
    span,
    noteAnswer(protocol, status) {
      const call = places.getStore()?.call;
      call?.setAttributes({ "rpc.system.name": protocol, "http.response.status_code": status });
      if (status >= 500) call?.setStatus({ code: SpanStatusCode.ERROR });
    },
    traceparent() {
      const place = places.getStore();
      const known = place && trace.getSpanContext(place.context);
      if (known === undefined) return undefined;
      return `00-${known.traceId}-${known.spanId}-${known.traceFlags.toString(16).padStart(2, "0")}`;
    },
    // The exporter has reported what could not be sent.
    stop: () => provider.shutdown().catch(() => undefined),
  };
}

/** The context of a traceparent; that of a new trace without a valid one. */
function contextOf(traceparent = "none"): Context {
  const parent = parseTraceParent(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true });
}

/** Logs when spans cannot be sent, and when they can be again. The library would say nothing. */
class ReportingExporter implements SpanExporter {
  readonly #exporter: SpanExporter;
  readonly #log: TracesLog;
  #fails = false;

  constructor(exporter: SpanExporter, log: TracesLog) {
    this.#exporter = exporter;
    this.#log = log;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      const fails = result.code !== ExportResultCode.SUCCESS;
      if (fails && !this.#fails)
        this.#log.warn(
          { err: result.error },
          "traces cannot be sent to OTEL_EXPORTER_OTLP_ENDPOINT; spans are dropped",
        );
      if (!fails && this.#fails) this.#log.info("traces are sent again");
      this.#fails = fails;
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }
}
