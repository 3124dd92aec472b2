import type { Pool } from "pg";
import type { Logger } from "pino";

type Window = {
  readonly websiteId: string;
  readonly monitorIds: readonly string[];
  readonly startsMs: number;
  readonly endsMs: number;
};

/** How old the known windows may be: one that is made takes effect so much later. */
const freshMs = 5_000;

/** The maintenance windows of now, kept in memory, since every check asks for them. While PostgreSQL is away the last known ones hold. */
export class MaintenanceWindows {
  readonly #postgres: Pick<Pool, "query">;
  readonly #log: Pick<Logger, "warn">;
  #windows: readonly Window[] | undefined;
  #askedMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(postgres: Pick<Pool, "query">, log: Pick<Logger, "warn">) {
    this.#postgres = postgres;
    this.#log = log;
  }

  /** Whether a monitor is in maintenance at a time, Unix ms. */
  async covers(websiteId: string, monitorId: string, timeMs: number): Promise<boolean> {
    if (performance.now() - this.#askedMs > freshMs) this.#loading ??= this.#load();
    // Only the first checks of a process wait: PostgreSQL may be away for long.
    if (this.#windows === undefined) await this.#loading;
    return (this.#windows ?? []).some(
      (window) =>
        window.websiteId === websiteId &&
        window.startsMs <= timeMs &&
        timeMs < window.endsMs &&
        (window.monitorIds.length === 0 || window.monitorIds.includes(monitorId)),
    );
  }

  async #load(): Promise<void> {
    this.#askedMs = performance.now();
    try {
      // A slot may be checked late, so windows stay for a while after their end.
      const { rows } = await this.#postgres.query<Window>(
        `SELECT website_id AS "websiteId", monitor_ids AS "monitorIds", (extract(epoch FROM starts_at) * 1000)::float8 AS "startsMs",
           (extract(epoch FROM ends_at) * 1000)::float8 AS "endsMs"
         FROM maintenance_windows WHERE starts_at < now() + interval '1 minute' AND ends_at > now() - interval '1 hour'`,
      );
      this.#windows = rows;
    } catch (error) {
      this.#log.warn({ err: error }, "maintenance windows could not be read; the last known ones hold");
      this.#windows ??= [];
    } finally {
      this.#loading = undefined;
    }
  }
}
