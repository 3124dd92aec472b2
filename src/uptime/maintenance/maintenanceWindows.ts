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
export class MaintenanceWindows {
  readonly #postgres: Pick<Pool, "query">;
  readonly #log: Pick<Logger, "warn">;
  #windows: readonly MaintenanceWindow[] | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(postgres: Pick<Pool, "query">, log: Pick<Logger, "warn">) {
    this.#postgres = postgres;
    this.#log = log;
  }

  /** Whether a monitor is in maintenance at a time, Unix ms. */
  async covers(websiteId: string, monitorId: string, timeMs: number): Promise<boolean> {
    if (performance.now() - this.#askedMs > freshMs) this.#loading ??= this.#load();
    // Only the first checks of a process wait: PostgreSQL may be unavailable for long.
    if (this.#windows === undefined) await this.#loading;
    return maintenanceUntil(this.#windows ?? [], { id: monitorId, websiteId }, timeMs) !== undefined;
  }

  async #load(): Promise<void> {
    this.#askedMs = performance.now();
    try {
      const nowMs = Date.now();
      const scope = { fromMs: nowMs - keptMs, untilMs: nowMs + aheadMs };
      this.#windows = await readWindows(this.#postgres, scope);
    } catch (error) {
      this.#log.warn({ err: error }, "maintenance windows could not be read; the last known ones hold");
      this.#windows ??= [];
    } finally {
      this.#loading = undefined;
    }
  }
}
