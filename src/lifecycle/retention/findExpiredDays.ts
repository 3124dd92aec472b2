import { isExpired, kindSql, kindsOf, retentionTables } from "../../retention/kinds.ts";
import { oldestKeptMs, type RetentionDays } from "../../retention/periods.ts";
import { noWebsite, type PeriodStores, periodsOfLiveWebsites } from "../../retention/websitePeriods.ts";
import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { TableName } from "../../store/questdb/tables.ts";
import { tombstoneWebsiteId } from "../../store/questdb/tombstone.ts";
import { utcDayOf } from "../../time/utcDay.ts";
import { websiteCondition } from "./websiteCondition.ts";

/** UTC days (YYYY-MM-DD, oldest first) of a table with expired rows. */
export type ExpiredDays = { readonly table: TableName; readonly days: readonly string[] };

/** The scope of a run: everything, or one website; expiry is computed at `nowMs` (Unix ms). */
export type RetentionScope = { readonly nowMs: number; readonly websiteId?: string | undefined };

/**
 * The days of each table with rows to erase, and those with only tombstones left; one read per table. Tables without
 * any are left out.
 */
export async function findExpiredDays(
  stores: PeriodStores & { readonly questdb: QuestdbReader },
  { nowMs, websiteId }: RetentionScope,
  signal: AbortSignal,
): Promise<ExpiredDays[]> {
  const periods = await periodsOfLiveWebsites(stores, websiteId);
  if (periods.size === 0) return [];
  const found: ExpiredDays[] = [];
  for (const table of retentionTables) {
    const kinds = kindsOf(table);
    const expired = new Set<string>();
    const erased = new Set<string>();
    const live = new Set<string>();
    const { sql, values } = candidates(table, periods, { nowMs, websiteId });
    await stores.questdb.readEach(
      `SELECT timestamp_floor('d', ts)::long "day", website_id, ${kindSql(table)} kind, count() "rows" FROM ${table} WHERE ${sql}`,
      values,
      ([dayUs, owner, name]) => {
        const day = utcDayOf(Number(dayUs) / 1_000);
        (owner === tombstoneWebsiteId ? erased : live).add(day);
        const days = periods.get(owner ?? noWebsite);
        const kind = kinds.find((each) => each.name === name);
        if (days !== undefined && kind !== undefined && isExpired(kind, day, days, nowMs)) expired.add(day);
      },
      { signal },
    );
    const days = [...new Set([...expired, ...[...erased].filter((day) => !live.has(day))])].sort();
    if (days.length > 0) found.push({ table, days });
  }
  return found;
}

/**
 * The most websites with periods shorter than usual that are named in a statement. With more of them all websites are
 * read.
 */
const maxNamed = 1_000;

/**
 * The rows that may be expired: those old enough for most websites, and those of websites with shorter periods. So a
 * single website with a very short period does not cause the days of all others to be read each night.
 */
function candidates(
  table: TableName,
  periods: ReadonlyMap<string, RetentionDays>,
  { nowMs, websiteId }: RetentionScope,
): { readonly sql: string; readonly values: readonly (string | number)[] } {
  const cutoffs = new Map(
    [...periods].map(([id, days]) => [
      id,
      Math.max(...kindsOf(table).map(({ period }) => oldestKeptMs(nowMs, days[period]))),
    ]),
  );
  const newestMs = [...cutoffs.values()].reduce((newest, each) => Math.max(newest, each));
  if (websiteId !== undefined) return { sql: "ts < $1 AND website_id = $2", values: [newestMs * 1_000, websiteId] };
  const usualMs = mostFrequent(cutoffs.values());
  const named = [...cutoffs].flatMap(([id, cutoffMs]) => (cutoffMs > usualMs ? [id] : []));
  if (named.length > maxNamed) return { sql: "ts < $1", values: [newestMs * 1_000] };
  const values: (string | number)[] = [newestMs * 1_000, usualMs * 1_000];
  const ofNamed = websiteCondition(named, values);
  return { sql: `ts < $1 AND (ts < $2${ofNamed === undefined ? "" : ` OR ${ofNamed}`})`, values };
}

function mostFrequent(values: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}
