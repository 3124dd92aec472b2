import type pg from "pg";
import type { Logger } from "pino";
import type { Metrics } from "../../../observability/metrics.ts";
import { epochMs } from "../../../store/postgres/epochMs.ts";
import { openPostgres } from "../../../store/postgres/postgres.ts";
import type { KeyedRow } from "../../../store/questdb/keyedRow.ts";
import { timeUsOf } from "../../../store/questdb/rowTime.ts";
import type { CommitGuard, CommitPass } from "../../../store/write/commitGuard.ts";
import type { EventClaims } from "../../../store/write/eventClaims.ts";
import { commitLock } from "./commitLock.ts";

/** A row of the table `erased_ranges`; times are Unix ms, `closedMs` is null while the range is open. */
export type ErasedRange = {
  readonly websiteId: string;
  readonly tables: readonly string[];
  readonly fromMs: number;
  readonly untilMs: number;
  readonly visitorKey: number | null;
  readonly closedMs: number | null;
};

/** Columns of the table erased_ranges, as an ErasedRange names them. */
export const rangeColumns = `erased_ranges.website_id AS "websiteId", tables, erased_ranges.from_ms::float8 AS "fromMs",
  erased_ranges.until_ms::float8 AS "untilMs", erased_ranges.visitor_key::float8 AS "visitorKey",
  ${epochMs("closed_at")} AS "closedMs"`;

const rangesSql = `SELECT ${rangeColumns} FROM erased_ranges WHERE website_id = ANY($1)`;

/**
 * Keeps rows of erased ranges out of QuestDB if they were received before the erasure ended, no matter where they
 * waited: in memory, in a log, or in another process. Also keeps out erased events that are sent again.
 *
 * Each commit holds the commit lock in shared mode and reads the ranges under it. So an erasure that has stored its
 * range and then held the lock exclusively for a moment knows that no more rows of the range can be committed.
 */
export class ErasedRowGuard implements CommitGuard {
  readonly #pool: pg.Pool;
  readonly #metrics: Pick<Metrics, "erasedRows">;
  readonly #claims: Pick<EventClaims, "markErased"> | undefined;
  readonly #shard: string;

  /**
   * `timeoutMs` limits the wait for a connection and for an answer. `claims` records the ids of rows that are kept out. `shard` is
   * the shard whose QuestDB gets the rows, which has a commit lock of its own; empty for the only QuestDB.
   */
  constructor(
    url: string,
    timeoutMs: number,
    metrics: Pick<Metrics, "erasedRows">,
    log: Pick<Logger, "warn">,
    claims?: Pick<EventClaims, "markErased">,
    shard = "",
  ) {
    this.#shard = shard;
    this.#metrics = metrics;
    this.#claims = claims;
    // Commits come one after the other.
    this.#pool = openPostgres({ url, poolSize: 1, connectTimeoutMs: timeoutMs, queryTimeoutMs: timeoutMs }, log);
  }

  async enter(rows: readonly KeyedRow[], receivedMs: readonly number[]): Promise<CommitPass> {
    const shard = this.#shard;
    const client = await this.#pool.connect();
    try {
      await changeLock(client, shard, "lock");
      const websiteIds = [...new Set(rows.flatMap(({ values }) => values.website_id ?? []))];
      const { rows: ranges } = await client.query<ErasedRange>({
        name: "ranges",
        text: rangesSql,
        values: [websiteIds],
      });
      const refused = refusedRows(rows, receivedMs, ranges);
      await this.#recordRefused(rows, refused);
      return { refused, leave: () => leave(client, shard) };
    } catch (error) {
      // Closing the connection releases the lock.
      client.release(true);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #recordRefused(rows: readonly KeyedRow[], refused: ReadonlySet<number>): Promise<void> {
    if (refused.size === 0) return;
    const erased = [...refused].flatMap((index) => rows[index] ?? []);
    for (const { table } of erased) this.#metrics.erasedRows.inc({ table });
    await this.#claims?.markErased(erased);
  }
}

/** Takes the commit lock, or with `unlock` releases it. */
async function changeLock(client: pg.PoolClient, shard: string, change: "lock" | "unlock"): Promise<void> {
  const { sql, values } = commitLock(shard);
  await client.query({ name: change, text: `SELECT pg_advisory_${change}_shared(${sql})`, values });
}

async function leave(client: pg.PoolClient, shard: string): Promise<void> {
  try {
    await changeLock(client, shard, "unlock");
    client.release();
  } catch {
    client.release(true);
  }
}

/**
 * Indexes of the rows that belong to a range and were received before it was closed, and of erased events that were
 * sent again.
 */
export function refusedRows(
  rows: readonly KeyedRow[],
  receivedMs: readonly number[],
  ranges: readonly ErasedRange[],
): Set<number> {
  const refused = new Set<number>();
  if (ranges.length === 0 && !rows.some(({ isErased }) => isErased)) return refused;
  for (const [index, row] of rows.entries())
    if (row.isErased || ranges.some((range) => isRefused(row, receivedMs[index] ?? 0, range))) refused.add(index);
  return refused;
}

function isRefused(row: KeyedRow, receivedMs: number, range: ErasedRange): boolean {
  const { website_id: websiteId, visitor_key: visitorKey } = row.values;
  const timeUs = timeUsOf(row);
  return (
    range.websiteId === websiteId &&
    range.tables.includes(row.table) &&
    timeUs >= range.fromMs * 1_000 &&
    timeUs < range.untilMs * 1_000 &&
    (range.visitorKey === null || range.visitorKey === visitorKey) &&
    (range.closedMs === null || receivedMs < range.closedMs)
  );
}
