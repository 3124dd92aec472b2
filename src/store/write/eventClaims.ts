import type pg from "pg";
import type { Logger } from "pino";
import { openPostgres } from "../postgres/postgres.ts";
import type { KeyedRow } from "../questdb/keyedRow.ts";
import type { TableName } from "../questdb/tables.ts";

/**
 * Fixes the time of each event that has an id: the first time claimed for an id holds for 24 hours. QuestDB
 * deduplicates by time and key, so a repeated event becomes the same row, even if it comes with another time, to
 * another process, or after a crash between claim and commit.
 *
 * A claim outlives the erasure of its event. It then lists the tables whose rows were erased; such rows that are sent
 * again within the 24 hours are marked `isErased`, and the guard keeps them out.
 */
export class EventClaims {
  readonly #pool: pg.Pool;

  /** `timeoutMs` limits the wait for a connection and for an answer. */
  constructor(url: string, timeoutMs: number, log: Pick<Logger, "warn">) {
    // Commits are sequential.
    this.#pool = openPostgres({ url, poolSize: 1, connectTimeoutMs: timeoutMs, queryTimeoutMs: timeoutMs }, log);
  }

  /**
   * A commit step: gives rows whose id was claimed before the claimed time, and marks erased ones. Rejects with the
   * driver's error.
   */
  async claim<Row extends KeyedRow>(rows: readonly Row[]): Promise<readonly Row[]> {
    const wanted = new WantedClaims(rows);
    if (wanted.size === 0) return rows;
    await this.#claimAll(wanted);
    return rows.map((row) => {
      const claim = wanted.of(row);
      if (claim === undefined) return row;
      const { tsUs, erasedTables } = claim;
      if (erasedTables?.includes(row.table)) return { ...row, tsUs, isErased: true };
      return tsUs === row.tsUs ? row : { ...row, tsUs };
    });
  }

  /** Records that these rows must not be stored, now or when they are sent again. */
  async markErased(rows: readonly KeyedRow[]): Promise<void> {
    const keysOfTable = new Map<TableName, number[]>();
    for (const { table, values, isErased } of rows)
      if (!isErased && values.event_key !== undefined)
        keysOfTable.set(table, [...(keysOfTable.get(table) ?? []), values.event_key]);
    for (const [table, keys] of keysOfTable) await markClaimsErased(this.#pool, table, keys);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** Claims the times of new ids, and takes over existing claims: other times, and erased events. */
  async #claimAll(wanted: WantedClaims): Promise<void> {
    const claims = wanted.inOrder();
    const { rows } = await this.#pool.query<ClaimRow>({
      name: "claim",
      text: claimStatement,
      values: [
        `{${claims.map(({ key }) => key).join(",")}}`,
        `{${claims.map(({ check }) => check).join(",")}}`,
        `{${claims.map(({ tsUs }) => tsUs).join(",")}}`,
      ],
    });
    for (const { event_key: key, key_check: check, ts_us: tsUs, erased_tables: erasedTables } of rows) {
      const claim = wanted.find(Number(key), check);
      if (claim === undefined) continue;
      claim.tsUs = Number(tsUs);
      claim.erasedTables = erasedTables;
    }
  }
}

/**
 * The claimed time of an id: that of its first row, or an earlier claim. Of an erased event it lists the tables whose
 * rows are gone.
 */
type Claim = {
  readonly key: number;
  readonly check: number;
  tsUs: number;
  erasedTables: readonly string[] | null;
  /** The claim of another id whose 52-bit key collides with this one; rare. */
  readonly other: Claim | undefined;
};

/** The claims that rows need. All rows of one event share a claim. */
class WantedClaims {
  readonly #claims = new Map<number, Claim>();
  size = 0;

  constructor(rows: readonly KeyedRow[]) {
    for (const { claimCheck: check, values, tsUs } of rows) {
      const key = values.event_key ?? 0;
      if (check === undefined || this.find(key, check) !== undefined) continue;
      this.#claims.set(key, { key, check, tsUs, erasedTables: null, other: this.#claims.get(key) });
      this.size += 1;
    }
  }

  of({ claimCheck, values }: KeyedRow): Claim | undefined {
    return claimCheck === undefined ? undefined : this.find(values.event_key ?? 0, claimCheck);
  }

  find(key: number, check: number): Claim | undefined {
    let claim = this.#claims.get(key);
    while (claim !== undefined && claim.check !== check) claim = claim.other;
    return claim;
  }

  /** One order everywhere, so that two processes cannot deadlock on each other's rows. */
  inOrder(): Claim[] {
    const claims: Claim[] = [];
    for (const first of this.#claims.values())
      for (let claim: Claim | undefined = first; claim !== undefined; claim = claim.other) claims.push(claim);
    return claims.sort((a, b) => a.key - b.key || a.check - b.check);
  }
}

type ClaimRow = { event_key: string; key_check: number; ts_us: string; erased_tables: string[] | null };

/** Records in the claims of these keys that the rows of a table were erased. Safe to repeat. */
export async function markClaimsErased(
  postgres: Pick<pg.Pool, "query">,
  table: TableName,
  keys: readonly number[],
): Promise<void> {
  if (keys.length === 0) return;
  await postgres.query(
    `UPDATE event_claims SET erased_tables = coalesce(erased_tables, '{}') || $2::text
     WHERE event_key = ANY($1::bigint[]) AND NOT coalesce(erased_tables, '{}') @> ARRAY[$2::text]`,
    [`{${keys.join(",")}}`, table],
  );
}

/**
 * One statement, so that it is atomic. The update leaves a valid claim unchanged: it is there because only inserted or
 * updated rows are returned.
 */
const claimStatement = `
  WITH wanted AS (
    SELECT * FROM unnest($1::bigint[], $2::integer[], $3::bigint[]) AS wanted (event_key, key_check, ts_us)
  ), claimed AS (
    INSERT INTO event_claims AS old (event_key, key_check, ts_us) SELECT event_key, key_check, ts_us FROM wanted
    ON CONFLICT (event_key, key_check) DO UPDATE SET
      ts_us = CASE WHEN old.claimed_at < now() - interval '24 hours' THEN excluded.ts_us ELSE old.ts_us END,
      erased_tables = CASE WHEN old.claimed_at < now() - interval '24 hours' THEN NULL ELSE old.erased_tables END,
      claimed_at = CASE WHEN old.claimed_at < now() - interval '24 hours' THEN now() ELSE old.claimed_at END
    RETURNING event_key, key_check, ts_us, erased_tables
  )
  SELECT claimed.* FROM claimed JOIN wanted USING (event_key, key_check)
  WHERE claimed.ts_us <> wanted.ts_us OR claimed.erased_tables IS NOT NULL`;
