import type { Pool } from "pg";
import { touchDays } from "../../aggregation/touchedDayQueue.ts";
import { countedSql, isExpired, kindSql, kindsOf } from "../../retention/kinds.ts";
import { oldestKeptMs } from "../../retention/periods.ts";
import {
  noWebsite,
  type PeriodStores,
  periodsOfLiveWebsites,
  periodsOfWebsites,
} from "../../retention/websitePeriods.ts";
import { advisoryLocks } from "../../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { dayCondition } from "../../store/questdb/partition.ts";
import type { QuestdbReader, ReadOptions } from "../../store/questdb/questdbReader.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../../store/questdb/tombstone.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { startOfUtcDay } from "../../time/utcDay.ts";
import { dropPartitionIfEmpty, dropPartitionOfDay } from "../erasure/stores/dropPartition.ts";
import { eraseRange } from "../erasure/stores/eraseRange.ts";
import type { RetentionScope } from "./findExpiredDays.ts";
import { type ExpiredRows, recordErased } from "./retentionRuns.ts";
import { websiteCondition } from "./websiteCondition.ts";

export type RetentionStores = PeriodStores & {
  readonly questdb: QuestdbReader;
  readonly postgres: Pick<Pool, "query" | "connect">;
};

/** A condition with its values bound as $1, $2 and so on. */
type Condition = { readonly sql: string; readonly values: readonly (string | number)[] };

/** Websites per statement. New rows of the table wait while it is applied, and more websites take longer. */
const websitesAtOnce = 1_000;

/**
 * Erases what is past its retention on one UTC day (YYYY-MM-DD) of a table: one statement for all websites, or the
 * whole partition at once if nothing else is in it. Resolves to the rows by kind of data. Safe to repeat.
 *
 * The periods are read again, so one that was lengthened meanwhile takes effect. Erased rows are recorded for the run
 * before the erasure, so a worker that dies leaves no erasure without a record.
 */
export async function eraseExpiredRange(
  stores: RetentionStores,
  runId: string,
  { nowMs, websiteId }: RetentionScope,
  table: TableName,
  day: string,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const { questdb, postgres } = stores;
  // Two simultaneous runs would count the same rows.
  return await inTransaction(postgres, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [advisoryLocks.expiredDay, `${table} ${day}`]);
    await whenApplied(questdb, [table], signal);
    const look = (options: ReadOptions) => findExpiredRows(stores, { nowMs, websiteId }, table, day, options);
    const { expired, isAll } = await look({ signal });
    await recordErased(postgres, runId, day, expired);
    const isStillAll = async (options: ReadOptions) => (await look(options)).isAll;
    const isDropped = isAll && (await dropPartitionOfDay(stores, table, day, isStillAll, signal));
    if (!isDropped) await eraseRows(questdb, table, day, expired, signal);
    // The last day of a week drops the whole partition.
    if (isAll && !isDropped) await dropPartitionIfEmpty(stores, table, day, signal);
    if (table === "events") await touchThinnedDay(stores, runId, day, nowMs);
    return totalsOf(expired);
  });
}

/**
 * Queues the day for correction where custom events were erased and other events stay, so that sessions are recomputed.
 * Uses the run's record, since rows erased by a killed worker are not found again.
 */
async function touchThinnedDay(stores: RetentionStores, runId: string, day: string, nowMs: number): Promise<void> {
  const { rows } = await stores.postgres.query<{ id: string }>(
    "SELECT website_id AS id FROM retention_erased WHERE run_id = $1 AND day = $2 AND kind = 'custom_events'",
    [runId, day],
  );
  const ids = rows.map(({ id }) => id);
  const periods = await periodsOfWebsites(stores, ids, nowMs);
  const dayMs = startOfUtcDay(day);
  const thinned = [...periods].filter(([, { rawEventsDays }]) => dayMs >= oldestKeptMs(nowMs, rawEventsDays));
  await touchDays(
    stores.postgres,
    thinned.map(([websiteId]) => ({ websiteId, day })),
  );
}

/** The expired rows of a day, and whether nothing else is in it. */
async function findExpiredRows(
  stores: RetentionStores,
  { nowMs, websiteId }: RetentionScope,
  table: TableName,
  day: string,
  options: ReadOptions,
): Promise<{ readonly expired: readonly ExpiredRows[]; readonly isAll: boolean }> {
  const periods = await periodsOfLiveWebsites(stores, websiteId);
  const kinds = kindsOf(table);
  const groups = await stores.questdb.read(
    `SELECT website_id, ${kindSql(table)} kind, sum(${countedSql(table)}) "rows" FROM ${table}
     WHERE ${dayCondition(day)} AND website_id != '${tombstoneWebsiteId}'`,
    [],
    options,
  );
  const expired = groups.flatMap((group): ExpiredRows[] => {
    const owner = group["website_id"] === null ? noWebsite : String(group["website_id"]);
    const days = periods.get(owner);
    const kind = kinds.find(({ name }) => name === group["kind"]);
    if (days === undefined || kind === undefined || !isExpired(kind, day, days, nowMs)) return [];
    return [{ websiteId: owner, kind, rows: Number(group["rows"]) }];
  });
  return { expired, isAll: expired.length === groups.length };
}

/** Erases the rows of these websites and kinds on a day. */
export async function eraseRows(
  questdb: QuestdbReader,
  table: TableName,
  day: string,
  expired: readonly ExpiredRows[],
  signal: AbortSignal,
): Promise<void> {
  for (let from = 0; from < expired.length; from += websitesAtOnce) {
    const { sql, values } = conditionOf(table, expired.slice(from, from + websitesAtOnce));
    await eraseRange(questdb, { table, day, sql: `${dayCondition(day)} AND (${sql})`, values }, signal);
  }
}

/** The condition for the rows of these websites and kinds. */
function conditionOf(table: TableName, expired: readonly ExpiredRows[]): Condition {
  const values: (string | number)[] = [];
  const parts = kindsOf(table).flatMap((kind) => {
    const owners = expired.filter((each) => each.kind === kind).map(({ websiteId }) => websiteId);
    const whose = websiteCondition(owners, values);
    if (whose === undefined) return [];
    return kind.only === undefined ? [whose] : [`(${kind.only} AND ${whose})`];
  });
  return { sql: parts.length === 0 ? "false" : parts.join(" OR "), values };
}

function totalsOf(expired: readonly ExpiredRows[]): Record<string, number> {
  const totals: Record<string, number> = {};
  for (const { kind, rows } of expired) totals[kind.name] = (totals[kind.name] ?? 0) + rows;
  return totals;
}
