import { retentionKinds } from "../../../retention/kinds.ts";
import { oldestKeptMs, type RetentionDays } from "../../../retention/periods.ts";
import type { StoredWebsite } from "../../../websites/website.ts";
import type { DataCall } from "../../dataCall.ts";
import type { Counting } from "../../rowCounts.ts";

/**
 * Rows of a website, by kind of data, that would be past their retention now with these periods. Kinds without a given
 * period are left out. Rejects when QuestDB cannot be read.
 */
export async function countExpired(
  website: Pick<StoredWebsite, "id" | "privacy">,
  periods: Partial<RetentionDays>,
  nowMs: number,
  { app, signal }: Pick<DataCall, "app" | "signal">,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, table, period, only, counted } of retentionKinds) {
    const days = periods[period];
    if (days === undefined) continue;
    const conditions = ["website_id = $1", "ts < $2", only, counted].filter((each) => each !== undefined);
    const endMs = oldestKeptMs(nowMs, days);
    const counting: Counting = async (questdb, options) => {
      const sql = `SELECT count() "rows" FROM ${table} WHERE ${conditions.join(" AND ")}`;
      const [row] = await questdb.read(sql, [website.id, endMs * 1_000], { ...options, range: { startMs: 0, endMs } });
      return Number(row?.["rows"]);
    };
    counts[name] = await app.rowCounts.of(website, table, counting, signal);
  }
  return counts;
}
