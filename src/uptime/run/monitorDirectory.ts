import { LRUCache } from "lru-cache";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { within } from "../../concurrency/within.ts";
import type { Keyring } from "../../secrets/keyring.ts";
import { epochMs } from "../../store/postgres/epochMs.ts";
import type { CheckTarget } from "../check/checkTypes.ts";
import { type Monitor, monitorColumns } from "../monitor/monitor.ts";
import { openMonitor } from "../monitor/monitorSecrets.ts";
import type { OpenIncident } from "../state/state.ts";
import { type MonitorNow, settingsOf, targetOf } from "./monitorSettings.ts";

export type FoundMonitor = MonitorNow & {
  /** Null when the monitor is deleted. */
  readonly target: CheckTarget | null;
  /** False when PostgreSQL did not answer and this is from the cache. */
  readonly isCurrent: boolean;
};

/** How long a check waits for PostgreSQL if the monitor is cached. */
const timeoutMs = 2_000;

/**
 * The current monitors, read from PostgreSQL for each check, so that a change or deletion takes effect at the next
 * check, whatever Temporal knows. While PostgreSQL is unavailable the cached settings of the monitors checked last are used.
 */
export type MonitorDirectory = {
  /** Rejects when PostgreSQL is unavailable and the monitor is not cached. */
  find(monitorId: string): Promise<FoundMonitor>;
};

export function openMonitorDirectory(
  postgres: Pick<Pool, "query">,
  keyring: Keyring,
  log: Pick<Logger, "warn">,
  { ownRegion, maxKept }: { readonly ownRegion: string; readonly maxKept: number },
): MonitorDirectory {
  const kept = new LRUCache<string, FoundMonitor>({ max: maxKept });
  let isUnavailable = false;

  async function read(monitorId: string): Promise<FoundMonitor> {
    // By its name PostgreSQL plans the statement once for each connection instead of for each check.
    const { rows } = await postgres.query<Row>({
      name: "monitor",
      text: `SELECT ${monitorColumns}, deleted_at IS NOT NULL AS "isDeleted",
         (SELECT ${epochMs("from_at")} FROM monitor_schedules
          WHERE monitor_id = monitors.id AND until_at IS NULL) AS "dueFromMs",
         (SELECT json_build_object('startedMs', ${epochMs("started_at")}, 'firstError', first_error,
            'checksAffected', checks_affected, 'regions', regions)
          FROM incidents WHERE monitor_id = monitors.id AND resolved_at IS NULL ORDER BY started_at DESC LIMIT 1) AS incident
       FROM monitors WHERE id = $1`,
      values: [monitorId],
    });
    isUnavailable = false;
    const [row] = rows;
    const isLive = row !== undefined && !row.isDeleted;
    const found: FoundMonitor = {
      settings: isLive ? settingsOf(row, ownRegion, row.dueFromMs) : null,
      incident: row?.incident ?? null,
      target: isLive ? targetOf(await openMonitor(postgres, keyring, row)) : null,
      isCurrent: true,
    };
    kept.set(monitorId, found);
    return found;
  }

  return {
    async find(monitorId) {
      const known = kept.get(monitorId);
      const reading = read(monitorId);
      if (known === undefined) return await reading;
      try {
        return await within(timeoutMs, reading);
      } catch (error) {
        if (!isUnavailable) log.warn({ err: error }, "monitors cannot be read; their last known settings hold");
        isUnavailable = true;
        // The cached incident may be out of date.
        const { incident: _, ...lastKnown } = known;
        return { ...lastKnown, isCurrent: false };
      }
    },
  };
}

type Row = Monitor & {
  readonly isDeleted: boolean;
  readonly dueFromMs: number | null;
  readonly incident: OpenIncident | null;
};
