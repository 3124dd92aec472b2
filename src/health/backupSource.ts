import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { HealthSource } from "./source.ts";

const lookEveryMs = 30_000;

/**
 * Reports when the worker does not make the backups that `BACKUP_TO` asks for: the newest may be twice as old as its interval.
 * Before the first one the oldest attempt counts.
 */
export function backupSource(
  postgres: Pick<Pool, "query">,
  { to, intervalMs }: Pick<Config["backup"], "to" | "intervalMs">,
): HealthSource {
  return {
    everyMs: lookEveryMs,
    async read() {
      if (to === undefined) return [];
      const { rows } = await postgres.query<{ newestMs: number | null; firstMs: number | null }>(
        `SELECT (extract(epoch FROM max(taken_at) FILTER (WHERE finished_at IS NOT NULL)) * 1000)::float8 AS "newestMs",
           (extract(epoch FROM min(started_at)) * 1000)::float8 AS "firstMs" FROM backups WHERE replica IS NULL`,
      );
      const { newestMs = null, firstMs = null } = rows[0] ?? {};
      if ((newestMs ?? firstMs ?? Date.now()) >= Date.now() - 2 * intervalMs) return [];
      const newest = newestMs === null ? "there is none" : `the newest is of ${new Date(newestMs).toISOString()}`;
      return [{ state: "backup_late", message: `no backup is made at BACKUP_TO: ${newest}` }];
    },
  };
}
