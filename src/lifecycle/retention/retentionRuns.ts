import type { Pool } from "pg";
import type { RetentionKind } from "../../retention/kinds.ts";

/** Rows of one website and kind on a UTC day, without placeholder rows. */
export type ExpiredRows = { readonly websiteId: string; readonly kind: RetentionKind; readonly rows: number };

/** A row of the table `retention_runs`; `websiteId` is undefined for a daily run. Times are Unix ms. */
export type RetentionRunStart = {
  readonly id: string;
  readonly dueMs: number;
  readonly websiteId?: string | undefined;
};

/** Records the start of a run. Safe to repeat. */
export async function insertRun(
  postgres: Pick<Pool, "query">,
  { id, dueMs, websiteId }: RetentionRunStart,
): Promise<void> {
  await postgres.query(
    `INSERT INTO retention_runs (id, website_id, due_at) VALUES ($1, $2, to_timestamp($3::float8 / 1000)) ON CONFLICT DO NOTHING`,
    [id, websiteId ?? null, dueMs],
  );
}

/**
 * Records the rows that a run is about to erase on a day. If recorded repeatedly the largest count is kept: later ones
 * count only what was left.
 */
export async function recordErased(
  postgres: Pick<Pool, "query">,
  runId: string,
  day: string,
  erased: readonly ExpiredRows[],
): Promise<void> {
  const counted = erased.filter(({ rows }) => rows > 0);
  if (counted.length === 0) return;
  await postgres.query(
    `INSERT INTO retention_erased (run_id, website_id, kind, day, rows)
     SELECT $1, website_id, kind, $2, rows FROM unnest($3::text[], $4::text[], $5::bigint[]) AS erased (website_id, kind, rows)
     ON CONFLICT (run_id, website_id, kind, day) DO UPDATE SET rows = greatest(retention_erased.rows, excluded.rows)`,
    [
      runId,
      day,
      counted.map(({ websiteId }) => websiteId),
      counted.map(({ kind }) => kind.name),
      counted.map(({ rows }) => rows),
    ],
  );
}

/** Records the end of a run. Resolves to the rows that it erased, by kind of data. */
export async function finishRun(postgres: Pick<Pool, "query">, id: string): Promise<Record<string, number>> {
  await postgres.query(
    "UPDATE retention_runs SET finished_at = coalesce(finished_at, clock_timestamp()) WHERE id = $1",
    [id],
  );
  const { rows } = await postgres.query<{ kind: string; rows: number }>(
    "SELECT kind, sum(rows)::float8 AS rows FROM retention_erased WHERE run_id = $1 GROUP BY kind ORDER BY kind",
    [id],
  );
  return Object.fromEntries(rows.map(({ kind, rows: erased }) => [kind, erased]));
}

/** How long records of runs are kept. */
const recordDays = 730;

/** Removes records of runs that ended long ago. */
export async function forgetOldRuns(postgres: Pick<Pool, "query">): Promise<void> {
  await postgres.query("DELETE FROM retention_runs WHERE finished_at < now() - $1 * interval '1 day'", [recordDays]);
}
