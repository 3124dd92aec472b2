import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { CheckTarget } from "../check/checkTypes.ts";
import { type Monitor, monitorColumns } from "../manage/monitor.ts";
import type { OpenIncident } from "../state/state.ts";
import { type MonitorNow, settingsOf, targetOf } from "./monitorSettings.ts";

export type FoundMonitor = MonitorNow & {
  /** Null when the monitor is deleted. */
  readonly target: CheckTarget | null;
  /** False when PostgreSQL did not answer and this is what it said before. */
  readonly isCurrent: boolean;
};

/** How long a check waits for PostgreSQL where the monitor is known from before. */
const patienceMs = 2_000;

/**
 * Monitors as PostgreSQL has them, read for each check: so a change or a deletion holds at the next check, whatever Temporal knows of it.
 * While PostgreSQL is away the last known settings hold, of the monitors that were checked last.
 */
export class MonitorDirectory {
  readonly #postgres: Pick<Pool, "query">;
  readonly #log: Pick<Logger, "warn">;
  readonly #ownRegion: string;
  readonly #known: LRUCache<string, FoundMonitor>;
  #isAway = false;

  constructor(
    postgres: Pick<Pool, "query">,
    log: Pick<Logger, "warn">,
    { ownRegion, maxKept }: { readonly ownRegion: string; readonly maxKept: number },
  ) {
    this.#postgres = postgres;
    this.#log = log;
    this.#ownRegion = ownRegion;
    this.#known = new LRUCache({ max: maxKept });
  }

  /** Rejects when PostgreSQL is away and the monitor is not known from before. */
  async find(monitorId: string): Promise<FoundMonitor> {
    const known = this.#known.get(monitorId);
    const reading = this.#read(monitorId);
    if (known === undefined) return await reading;
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new Error("PostgreSQL does not answer")), patienceMs);
    try {
      return await Promise.race([reading, timeout.promise]);
    } catch (error) {
      reading.catch(() => undefined);
      if (!this.#isAway) this.#log.warn({ err: error }, "monitors cannot be read; their last known settings hold");
      this.#isAway = true;
      // An incident may have begun or be over by now.
      const { incident: _, ...lastKnown } = known;
      return { ...lastKnown, isCurrent: false };
    } finally {
      clearTimeout(timer);
    }
  }

  async #read(monitorId: string): Promise<FoundMonitor> {
    const { rows } = await this.#postgres.query<Row>(
      `SELECT ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted",
         (SELECT (extract(epoch FROM from_at) * 1000)::float8 FROM monitor_schedules
          WHERE monitor_id = monitors.id AND until_at IS NULL) AS "dueFromMs",
         (SELECT json_build_object('startedMs', (extract(epoch FROM started_at) * 1000)::float8, 'firstError', first_error,
            'checksAffected', checks_affected, 'regions', regions)
          FROM incidents WHERE monitor_id = monitors.id AND resolved_at IS NULL ORDER BY started_at DESC LIMIT 1) AS incident
       FROM monitors WHERE id = $1`,
      [monitorId],
    );
    this.#isAway = false;
    const [row] = rows;
    const isLive = row !== undefined && !row.isDeleted;
    const found: FoundMonitor = {
      settings: isLive ? settingsOf(row, this.#ownRegion, row.dueFromMs) : null,
      incident: row?.incident ?? null,
      target: isLive ? targetOf(row) : null,
      isCurrent: true,
    };
    this.#known.set(monitorId, found);
    return found;
  }
}

type Row = Monitor & {
  readonly isDeleted: boolean;
  readonly dueFromMs: number | null;
  readonly incident: OpenIncident | null;
};
