import type { Pool } from "pg";
import type { Config } from "../config.ts";
import type { HealthSource } from "./source.ts";

const lookEveryMs = 30_000;

type Checks = {
  /** Unix ms: the time of the oldest kept backup, and when a backup was last found whole; null if there is none. */
  readonly oldestMs: number | null;
  readonly wholeMs: number | null;
  /** What the last check found wrong, and in which backup. */
  readonly failure: string | null;
  readonly failedId: string | null;
};

/** Reports when backups of this installation are not read and compared with their checksums often enough, or are damaged. */
export function backupCheckSource(
  postgres: Pick<Pool, "query">,
  { checkIntervalMs }: Pick<Config["backup"], "checkIntervalMs">,
): HealthSource {
  return {
    everyMs: lookEveryMs,
    async read() {
      if (checkIntervalMs === 0) return [];
      const { rows } = await postgres.query<Checks>(
        `WITH own AS (
           SELECT backups.* FROM backups JOIN installation ON installation.id = backups.installation
           WHERE finished_at IS NOT NULL AND removed_at IS NULL AND replica IS NULL),
         last AS (SELECT id, check_failure FROM own WHERE checked_at IS NOT NULL ORDER BY checked_at DESC LIMIT 1)
         SELECT (extract(epoch FROM min(finished_at)) * 1000)::float8 AS "oldestMs",
           (extract(epoch FROM max(checked_at) FILTER (WHERE check_failure IS NULL)) * 1000)::float8 AS "wholeMs",
           (SELECT check_failure FROM last) AS failure, (SELECT id FROM last) AS "failedId" FROM own`,
      );
      const message = rows[0] && uncheckedMessage(rows[0], checkIntervalMs, Date.now());
      return message === undefined ? [] : [{ state: "backup_unchecked", message }];
    },
  };
}

/** Undefined if nothing is wrong. Without any backup there is nothing to check. */
export function uncheckedMessage(
  { oldestMs, wholeMs, failure, failedId }: Checks,
  checkIntervalMs: number,
  nowMs: number,
): string | undefined {
  if (failure !== null) return `the backup ${failedId} is not whole: ${failure}`;
  const sinceMs = wholeMs ?? oldestMs;
  if (sinceMs === null || sinceMs >= nowMs - 2 * checkIntervalMs) return undefined;
  return `no backup was checked since ${new Date(sinceMs).toISOString()}`;
}
