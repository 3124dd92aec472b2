import { oldestKeptMs } from "../../retention.ts";
import type { QuestdbReader } from "../../store/questdbReader.ts";
import type { TableName } from "../../store/tables.ts";
import { tombstoneWebsiteId } from "../erasure/tombstone.ts";
import { isExpired, kindSql, kindsOf, retentionTables } from "./kinds.ts";
import { noWebsite, type PeriodStores, periodsOfLiveWebsites } from "./websitePeriods.ts";

/** UTC days (YYYY-MM-DD, oldest first) of a table in which something is past its retention. */
export type ExpiredDays = { readonly table: TableName; readonly days: readonly string[] };

/** What a run is about: everything, or one website; `nowMs` (Unix ms) is the time that it judges by. */
export type RetentionScope = { readonly nowMs: number; readonly websiteId?: string | undefined };

/**
 * The days of each table that hold something to erase, and those of which nothing but tombstones is left: one look at each table. Tables with
 * nothing to do are left out.
 */
export async function findExpiredDays(
  stores: PeriodStores & { readonly questdb: QuestdbReader },
  { nowMs, websiteId }: RetentionScope,
  signal: AbortSignal,
): Promise<ExpiredDays[]> {
  const periods = await periodsOfLiveWebsites(stores, websiteId);
  const found: ExpiredDays[] = [];
  for (const table of retentionTables) {
    const kinds = kindsOf(table);
    const cutoffs = [...periods.values()].flatMap((days) =>
      kinds.map(({ period }) => oldestKeptMs(nowMs, days[period])),
    );
    if (cutoffs.length === 0) continue;
    const expired = new Set<string>();
    const erased = new Set<string>();
    const live = new Set<string>();
    const ofWebsite = websiteId === undefined ? "" : " AND website_id = $2";
    await stores.questdb.readEach(
      `SELECT timestamp_floor('d', ts)::long "day", website_id, ${kindSql(table)} kind, count() "rows" FROM ${table}
       WHERE ts < $1${ofWebsite}`,
      [Math.max(...cutoffs) * 1_000, ...(websiteId === undefined ? [] : [websiteId])],
      ([dayUs, owner, name]) => {
        const day = new Date(Number(dayUs) / 1_000).toISOString().slice(0, 10);
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
