import pg from "pg";
import type { Logger } from "pino";
import type { TableRow } from "./tables.ts";

/**
 * Fixes the time of each event that has an id: the first time that is claimed for an id holds for 24 hours. QuestDB deduplicates by
 * time and key, so a repeated event becomes the same row, also when it comes with another time, to another process or after
 * a crash between claim and commit.
 */
export class EventClaims {
  readonly #pool: pg.Pool;

  /** `timeoutMs` bounds the wait for a connection and for an answer. */
  constructor(url: string, timeoutMs: number, log: Pick<Logger, "warn">) {
    this.#pool = new pg.Pool({
      connectionString: url,
      // Commits come one after the other.
      max: 1,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    });
    this.#pool.on("error", (error) => log.warn({ err: error }, "a PostgreSQL connection broke"));
  }

  /** A commit step: gives rows whose id was claimed before the claimed time. Rejects with the driver's error. */
  async claim(rows: readonly TableRow[]): Promise<readonly TableRow[]> {
    const claimed = firstTimes(rows);
    if (claimed.size === 0) return rows;
    for (const [name, tsUs] of await this.#claimAll(claimed)) claimed.set(name, tsUs);
    return rows.map((row) => {
      const tsUs = row.claimCheck === undefined ? row.tsUs : (claimed.get(nameOf(row)) ?? row.tsUs);
      return tsUs === row.tsUs ? row : { ...row, tsUs };
    });
  }

  /** Forgets what was claimed for rows with these keys. */
  async forget(keys: readonly number[]): Promise<void> {
    if (keys.length > 0) await forgetClaims(this.#pool, keys);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Claims all times that are free and gives back the others' times. */
  async #claimAll(wanted: ReadonlyMap<string, number>): Promise<[string, number][]> {
    // In one order everywhere, or two processes could wait for each other's rows.
    const entries = [...wanted].sort(([a], [b]) => (a < b ? -1 : 1));
    const columns = [
      entries.map(([name]) => name.slice(0, name.indexOf(":"))),
      entries.map(([name]) => name.slice(name.indexOf(":") + 1)),
      entries.map(([, tsUs]) => tsUs),
    ];
    const { rows } = await this.#pool.query<{ event_key: string; key_check: number; ts_us: string }>({
      name: "claim",
      text: claimStatement,
      values: columns.map((values) => `{${values.join(",")}}`),
    });
    return rows.map((row) => [`${row.event_key}:${row.key_check}`, Number(row.ts_us)]);
  }
}

/** Deletes the claims of rows with these keys. */
export async function forgetClaims(postgres: Pick<pg.Pool, "query">, keys: readonly number[]): Promise<void> {
  await postgres.query("DELETE FROM event_claims WHERE event_key = ANY($1::bigint[])", [`{${keys.join(",")}}`]);
}

/**
 * One statement, so that nothing can come between. The update leaves a living claim as it is: it is there because only rows that are
 * inserted or updated are returned.
 */
const claimStatement = `
  WITH wanted AS (
    SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[]) AS wanted (event_key, key_check, ts_us)
  ), claimed AS (
    INSERT INTO event_claims AS old (event_key, key_check, ts_us) SELECT event_key, key_check, ts_us FROM wanted
    ON CONFLICT (event_key, key_check) DO UPDATE SET
      ts_us = CASE WHEN old.claimed_at < now() - interval '24 hours' THEN excluded.ts_us ELSE old.ts_us END,
      claimed_at = CASE WHEN old.claimed_at < now() - interval '24 hours' THEN now() ELSE old.claimed_at END
    RETURNING event_key, key_check, ts_us
  )
  SELECT claimed.* FROM claimed JOIN wanted USING (event_key, key_check) WHERE claimed.ts_us <> wanted.ts_us`;

/** Claims that rows ask for, by name, with the time of the first row of each. All rows of one event have one claim. */
function firstTimes(rows: readonly TableRow[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const row of rows) {
    if (row.claimCheck === undefined) continue;
    const name = nameOf(row);
    if (!times.has(name)) times.set(name, row.tsUs);
  }
  return times;
}

function nameOf(row: TableRow): string {
  return `${"event_key" in row.values ? row.values.event_key : 0}:${row.claimCheck}`;
}
