import type { Metric, Registry } from "prom-client";
import { noteAnswer } from "./traces.ts";

/** Upper bounds of the buckets, seconds. */
const boundsSeconds = [0.005, 0.025, 0.1, 0.5, 2, 10];

/** Durations of the calls of a service over a protocol. */
type Durations = {
  readonly labels: { readonly service: string; readonly protocol: string };
  count: number;
  sumSeconds: number;
  readonly buckets: Float64Array;
};

/** The answers of an RPC with a status. */
type Answers = { readonly labels: { readonly rpc: string; readonly status: string }; count: number };

/** What is known of an RPC. */
type Calls = { readonly durations: Map<string, Durations>; readonly answers: Map<number, Answers> };

type Value = { metricName?: string; labels: Record<string, string>; value: number };

/**
 * Answered calls: their number by RPC and status, and their durations by service and protocol. A histogram for each RPC
 * and status would be thousands of series.
 *
 * prom-client's own take 7 µs per call, a quarter of the cost of a small call, because they write and hash their labels
 * each time.
 */
export class CallMetrics {
  readonly #byRpc = new Map<string, Calls>();
  /** By service and protocol; the RPCs of a service share them. */
  readonly #durations = new Map<string, Durations>();

  constructor(registry: Registry) {
    const answers = {
      name: "lookout_requests_total",
      help: "Answered calls by RPC and HTTP status",
      type: "counter",
      aggregator: "sum",
    };
    const durations = {
      name: "lookout_request_seconds",
      help: "Time of a call, from its headers to its answer, by service and protocol",
      type: "histogram",
      aggregator: "sum",
    };
    registry.registerMetric(asMetric({ ...answers, get: () => ({ ...answers, values: this.#answerValues() }) }));
    registry.registerMetric(
      asMetric({ ...durations, get: () => ({ ...durations, values: this.#durationValues(durations.name) }) }),
    );
  }

  /** Counts one answered call; `rpc` is its full name, `status` its HTTP status. */
  record(rpc: string, protocol: string, status: number, ms: number): void {
    noteAnswer(protocol, status);
    let calls = this.#byRpc.get(rpc);
    if (calls === undefined) {
      calls = { durations: new Map(), answers: new Map() };
      this.#byRpc.set(rpc, calls);
    }
    let answers = calls.answers.get(status);
    if (answers === undefined) {
      answers = { labels: { rpc, status: String(status) }, count: 0 };
      calls.answers.set(status, answers);
    }
    answers.count += 1;
    let durations = calls.durations.get(protocol);
    if (durations === undefined) {
      durations = this.#durationsOf(serviceOf(rpc), protocol);
      calls.durations.set(protocol, durations);
    }
    const seconds = ms / 1_000;
    durations.count += 1;
    durations.sumSeconds += seconds;
    for (let index = boundsSeconds.length - 1; index >= 0 && seconds <= (boundsSeconds[index] ?? 0); index -= 1)
      durations.buckets[index] = (durations.buckets[index] ?? 0) + 1;
  }

  #durationsOf(service: string, protocol: string): Durations {
    const key = `${service} ${protocol}`;
    const known = this.#durations.get(key);
    if (known !== undefined) return known;
    const buckets = new Float64Array(boundsSeconds.length);
    const made = { labels: { service, protocol }, count: 0, sumSeconds: 0, buckets };
    this.#durations.set(key, made);
    return made;
  }

  #answerValues(): Value[] {
    return [...this.#byRpc.values()].flatMap(({ answers }) =>
      [...answers.values()].map(({ labels, count }) => ({ labels, value: count })),
    );
  }

  #durationValues(name: string): Value[] {
    return [...this.#durations.values()].flatMap(({ labels, count, sumSeconds, buckets }) => {
      const bucket = (le: string, value: number) => ({
        metricName: `${name}_bucket`,
        labels: { ...labels, le },
        value,
      });
      return [
        ...boundsSeconds.map((bound, index) => bucket(String(bound), buckets[index] ?? 0)),
        bucket("+Inf", count),
        { metricName: `${name}_sum`, labels, value: sumSeconds },
        { metricName: `${name}_count`, labels, value: count },
      ];
    });
  }
}

/** `lookout.v1.QueryService` of `lookout.v1.QueryService.Query`; what has no service, such as `mcp`, is its own. */
function serviceOf(rpc: string): string {
  const end = rpc.lastIndexOf(".");
  return end < 0 ? rpc : rpc.slice(0, end);
}

/** The registry accepts any object with these members; its type lists only the library's own classes. */
function asMetric(metric: { readonly name: string; get(): object }): Metric {
  return metric as unknown as Metric;
}
