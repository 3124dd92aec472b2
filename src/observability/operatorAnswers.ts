import type { Logger } from "pino";
import { within } from "../concurrency/within.ts";
import type { Metrics } from "./metrics.ts";

/** Checks whether a store works; rejects when it does not. */
export type ReadinessCheck = () => Promise<void>;

/** A store answers, but not all of it works. /readyz shows the message, such as "suspended: events". */
export class NotReadyError extends Error {
  override name = "NotReadyError";
}

/** The state of the log of accepted rows that shows whether it keeps up. */
export type LogHealth = { readonly state: "ok" | "full"; readonly lagMs: number };

export type PlainAnswer = { readonly status: number; readonly contentType: string; readonly body: string | Buffer };

type Process = { readonly log: Pick<Logger, "warn">; readonly metrics: Pick<Metrics, "registry"> };

/**
 * What a process answers its operator, by path: /healthz (the process answers), /readyz (each store by name) and
 * /metrics (Prometheus text format).
 */
export function operatorAnswers(
  process: Process,
  checks: Readonly<Record<string, ReadinessCheck>>,
  log?: LogHealth,
): ReadonlyMap<string, () => Promise<PlainAnswer>> {
  const { registry } = process.metrics;
  return new Map([
    ["/healthz", async () => ({ status: 200, contentType: json, body: JSON.stringify({ status: "ok" }) })],
    ["/readyz", () => readiness(process, checks, log)],
    ["/metrics", async () => ({ status: 200, contentType: registry.contentType, body: await registry.metrics() })],
  ]);
}

/**
 * 200 when every store works, else 503; the reason is logged, not answered. As long as the log is not full, events are
 * accepted whatever the state of the stores.
 */
async function readiness(
  process: Process,
  checks: Readonly<Record<string, ReadinessCheck>>,
  log?: LogHealth,
): Promise<PlainAnswer> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        await within(checkTimeoutMs, check());
        return [name, "ok"];
      } catch (error) {
        if (error instanceof NotReadyError) return [name, error.message];
        process.log.warn({ err: error, store: name }, "a store is not ready");
        return [name, "unavailable"];
      }
    }),
  );
  const isReady = entries.every(([, state]) => state === "ok");
  const status = isReady ? "ok" : "unavailable";
  const body = JSON.stringify({
    status,
    stores: Object.fromEntries(entries),
    log: log && { state: log.state, lagMs: Math.round(log.lagMs) },
  });
  return { status: isReady ? 200 : 503, contentType: json, body };
}

const json = "application/json; charset=utf-8";

/** How long a store may take to answer a check. */
const checkTimeoutMs = 3_000;
