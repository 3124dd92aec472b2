import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { repeat } from "../concurrency/poll.ts";
import { within } from "../concurrency/within.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { PlainAnswer } from "../observability/operatorAnswers.ts";
import { decideStatus, type HealthStatus } from "./decideStatus.ts";
import { addDegradedMetric } from "./healthMetrics.ts";
import type { HealthSource } from "./source.ts";
import { type Condition, type ProcessKind, runbookOf, statesOf } from "./states.ts";

/** A state from its beginning on. Times are performance.now(), except `since`, which is Unix ms. */
type Lasting = {
  condition: Condition;
  readonly since: number;
  readonly sinceMs: number;
  seenMs: number;
  isNow: boolean;
};

/** Further members of the answer of /readyz, such as the state of the log. */
export type HealthDetails = () => Readonly<Record<string, unknown>>;

type Asked = { readMs: number; last: readonly Condition[]; reading: Promise<void> | undefined };

const lookEveryMs = 5_000;
/** How long a source may take to answer. */
const readTimeoutMs = 3_000;
/** A state ends once it was not seen for this time, so that one that comes and goes does not fill the log. */
const endsAfterMs = 10_000;

/** The states of a process: polls them, logs when one begins and ends, and answers /readyz. */
export class Health {
  readonly #kind: ProcessKind;
  readonly #log: Pick<Logger, "info" | "warn">;
  readonly #sources: ReadonlyMap<HealthSource, Asked>;
  readonly #details: HealthDetails;
  readonly #lasting = new Map<string, Lasting>();
  readonly #listeners = new Set<() => void>();
  #status: HealthStatus = "ok";

  constructor(
    kind: ProcessKind,
    sources: readonly HealthSource[],
    { log, metrics }: { readonly log: Pick<Logger, "info" | "warn">; readonly metrics: Pick<Metrics, "registry"> },
    details: HealthDetails = () => ({}),
  ) {
    this.#kind = kind;
    this.#log = log;
    this.#sources = new Map(
      sources.map((source) => [source, { readMs: Number.NEGATIVE_INFINITY, last: [], reading: undefined }]),
    );
    this.#details = details;
    addDegradedMetric(metrics.registry, statesOf(kind), () => this.#current().map(({ condition }) => condition.state));
  }

  /** As last seen. */
  get status(): HealthStatus {
    return this.#status;
  }

  /** Calls `listener` after each change of the status. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Polls the states until `stop` aborts, first after the process has had time to start. Never rejects. */
  async watch(stop: AbortSignal): Promise<void> {
    await pause(lookEveryMs, undefined, { signal: stop, ref: false }).catch(() => undefined);
    await repeat(
      () => this.look(),
      lookEveryMs,
      stop,
      (error) => this.#log.warn({ err: error }, "the state of this process could not be read"),
    );
  }

  /** Asks the sources whose answers are stale, and logs states that begin and end. */
  async look(): Promise<void> {
    await Promise.all([...this.#sources].map(([source, asked]) => this.#ask(source, asked)));
    this.#note([...this.#sources.values()].flatMap(({ last }) => last));
  }

  /** The answer of /readyz: 503 if this process should get no requests, see `decideStatus`. */
  async readyz(): Promise<PlainAnswer> {
    await this.look();
    const states = this.#current().map(({ condition: { state, of, message }, since }) => ({
      state,
      of,
      message,
      since: new Date(since).toISOString(),
      runbook: runbookOf(state),
    }));
    const body = JSON.stringify({ status: this.#status, ...this.#details(), states });
    return { status: this.#status === "unavailable" ? 503 : 200, contentType: json, body };
  }

  /** Concurrent callers share one read of the source. */
  async #ask(source: HealthSource, asked: Asked): Promise<void> {
    if (asked.reading === undefined && performance.now() - asked.readMs < source.everyMs) return;
    asked.reading ??= within(readTimeoutMs, source.read())
      .then(
        (conditions) => {
          asked.last = conditions;
        },
        () => undefined,
      )
      .finally(() => {
        asked.readMs = performance.now();
        asked.reading = undefined;
      });
    await asked.reading;
  }

  #note(conditions: readonly Condition[]): void {
    const nowMs = performance.now();
    for (const lasting of this.#lasting.values()) lasting.isNow = false;
    for (const condition of conditions) {
      const key = `${condition.state} ${condition.of ?? ""}`;
      const known = this.#lasting.get(key);
      if (known === undefined) {
        this.#lasting.set(key, { condition, since: Date.now(), sinceMs: nowMs, seenMs: nowMs, isNow: true });
        const { state, of, message, cause: err } = condition;
        this.#log.warn({ state, of, err, runbook: runbookOf(state) }, `degraded: ${message}`);
      } else {
        known.condition = condition;
        known.seenMs = nowMs;
        known.isNow = true;
      }
    }
    for (const [key, { condition, sinceMs, seenMs }] of this.#lasting) {
      if (nowMs - seenMs < endsAfterMs) continue;
      this.#lasting.delete(key);
      const { state, of } = condition;
      this.#log.info({ state, of, lastedMs: Math.round(seenMs - sinceMs) }, `no longer degraded: ${state}`);
    }
    this.#decide(nowMs);
  }

  #decide(nowMs: number): void {
    const before = this.#status;
    const current = this.#current().map(({ condition, sinceMs }) => ({
      state: condition.state,
      forMs: nowMs - sinceMs,
    }));
    this.#status = decideStatus(this.#kind, current);
    if (this.#status !== before) for (const listener of this.#listeners) listener();
  }

  #current(): Lasting[] {
    return [...this.#lasting.values()].filter(({ isNow }) => isNow);
  }
}

const json = "application/json; charset=utf-8";
