import type { ProcessKind, StateName } from "./states.ts";

/** The status of /readyz: 200 for the first two, 503 for the last. */
export type HealthStatus = "ok" | "degraded" | "unavailable";

/** How long an API process works without PostgreSQL: it caches websites for that time (src/access/websiteDirectory.ts). */
export const withoutPostgresMs = 600_000;

/** A state and how long it has lasted. */
export type LastingState = { readonly state: StateName; readonly forMs: number };

/**
 * Whether a process should get requests (API) or counts as working (worker, probe).
 *
 * An API process leaves the load balancer only while it cannot accept events. A problem with a shared store affects the other
 * processes too. If all of them left, events would be lost that each of them can keep in its log.
 */
export function decideStatus(kind: ProcessKind, current: readonly LastingState[]): HealthStatus {
  if (current.some((each) => stops(kind, each))) return "unavailable";
  return current.length === 0 ? "ok" : "degraded";
}

function stops(kind: ProcessKind, { state, forMs }: LastingState): boolean {
  switch (state) {
    // New rows are refused: events are answered 503, checks are lost.
    case "log_full":
      return kind === "api" || kind === "worker";
    // A consumer that cannot read the log, or store what it reads, does nothing.
    case "brokers_unavailable":
    case "questdb_unavailable":
      return kind === "consumer";
    // Before that, events of known websites are accepted.
    case "postgres_unavailable":
      return kind === "consumer" || (kind === "api" && forMs >= withoutPostgresMs);
    // Workers and probes get all of their work from Temporal; the API needs it for a few calls.
    case "temporal_unavailable":
    case "not_polling":
      return kind === "worker" || kind === "probe";
    default:
      return false;
  }
}
