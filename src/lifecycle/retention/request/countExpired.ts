import { retentionKinds } from "../../../retention/kinds.ts";
import { oldestKeptMs, type RetentionDays } from "../../../retention/periods.ts";
import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";

/**
 * Rows of a website, by kind of data, that would be past their retention now with these periods. Kinds without a given
 * period are left out. Rejects when QuestDB cannot be read.
 */
export async function countExpired(
  questdb: Pick<QuestdbReader, "read">,
  websiteId: string,
  periods: Partial<RetentionDays>,
  nowMs: number,
  options: ReadOptions,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, table, period, only, counted } of retentionKinds) {
    const days = periods[period];
    if (days === undefined) continue;
    const conditions = ["website_id = $1", "ts < $2", only, counted].filter((each) => each !== undefined);
    const endMs = oldestKeptMs(nowMs, days);
    const [row] = await questdb.read(
      `SELECT count() "rows" FROM ${table} WHERE ${conditions.join(" AND ")}`,
      [websiteId, endMs * 1_000],
      { ...options, range: { startMs: 0, endMs } },
    );
    counts[name] = Number(row?.["rows"]);
  }
  return counts;
}
