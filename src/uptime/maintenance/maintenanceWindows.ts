import type { Pool } from "pg";
import type { Logger } from "pino";
import { maintenanceUntil } from "./maintenanceUntil.ts";
import type { MaintenanceWindow } from "./window.ts";
import { readWindows } from "./window.ts";

/** How old the cached windows may be: a new window takes effect after at most this time. */
const freshMs = 5_000;
/** A slot may be checked late, so windows are kept for a while after their end. */
const keptMs = 3_600_000;
/** Windows are loaded ahead, so that they start on time while PostgreSQL is unavailable. */
const aheadMs = 3_600_000;

/**
 * A cache of the current maintenance windows, since every check needs them. While PostgreSQL is unavailable the last known
 * ones are used.
 */
export type MaintenanceWindows = {
  /** Whether a monitor is in maintenance at a time, Unix ms. */
  covers(websiteId: string, monitorId: string, timeMs: number): Promise<boolean>;
};

export function cacheMaintenanceWindows(postgres: Pick<Pool, "query">, log: Pick<Logger, "warn">): MaintenanceWindows {
  let windows: readonly MaintenanceWindow[] | undefined;
  let askedMs = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    askedMs = performance.now();
    try {
      const nowMs = Date.now();
      windows = await readWindows(postgres, { fromMs: nowMs - keptMs, untilMs: nowMs + aheadMs });
    } catch (error) {
      log.warn({ err: error }, "maintenance windows could not be read; the last known ones hold");
      windows ??= [];
    } finally {
      loading = undefined;
    }
  }

  return {
    async covers(websiteId, monitorId, timeMs) {
      if (performance.now() - askedMs > freshMs) loading ??= load();
      // Only the first checks of a process wait: PostgreSQL may be unavailable for long.
      if (windows === undefined) await loading;
      return maintenanceUntil(windows ?? [], { id: monitorId, websiteId }, timeMs) !== undefined;
    },
  };
}
