import type { Pool } from "pg";
import { within } from "../../concurrency/within.ts";
import type { TimeRange } from "../../time/dates.ts";
import { clipped, merged, without } from "../../time/timeRanges.ts";
import { dayMs, startOfUtcDay } from "../../time/utcDay.ts";
import type { QueryCall } from "../queryCall.ts";
import { Bindings } from "../sql/bindings.ts";
import { rowsOf } from "../sql/rowScope.ts";
import type { EventRecord } from "../unknown/unknownTimes.ts";
import { type DayReader, daysWithRows } from "./daysWithRows.ts";

/**
 * The UTC days (their starts, Unix ms) of a range whose figures are counted from events: those without figures, such as today, and those
 * that got events since their figures were made. Only days whose events are all kept are among them.
 */
export async function findRawDays(
  websiteId: string,
  range: TimeRange,
  { keptFromMs, expired }: EventRecord,
  reader: DayReader,
  app: Pick<QueryCall["app"], "postgres" | "config" | "log">,
): Promise<number[]> {
  const kept = without(clipped([range], { startMs: keptFromMs, endMs: range.endMs }), merged(expired));
  if (kept.length === 0) return [];
  const [made, touched] = await Promise.all([
    readMadeDays(websiteId, range, reader),
    readTouched(app.postgres, websiteId, app.config.postgres.lookUpTimeoutMs).catch((error: unknown): number[] => {
      app.log.warn(
        { err: error },
        "the touched days could not be read, so daily figures may lack the last minute's events",
      );
      return [];
    }),
  ]);
  // An event may belong to a visit of the day before.
  const changed = new Set(touched.flatMap((startMs) => [startMs, startMs - dayMs]));
  // On the first day that is kept, visits that began on the day before would be counted again.
  const isFirst = (startMs: number) => kept.some((range) => range.startMs === startMs);
  const settled = made.filter((startMs) => !changed.has(startMs) || isFirst(startMs));
  const open = without(kept, merged(settled.map(dayFrom)));
  return await daysWithRows(["events", "outgoing_links"], websiteId, open, reader);
}

async function readMadeDays(websiteId: string, range: TimeRange, reader: DayReader): Promise<number[]> {
  const bindings = new Bindings();
  const rows = rowsOf("daily_figures", { websiteIds: [websiteId], range }, bindings);
  const sql = `SELECT ts::long / 1000 AS day FROM ${rows} AND counted = 'all' AND field = 'total'`;
  return (await reader.read(sql, bindings.values)).map((row) => Number(row["day"]));
}

async function readTouched(postgres: Pick<Pool, "query">, websiteId: string, timeoutMs: number): Promise<number[]> {
  const { rows } = await within(
    timeoutMs,
    postgres.query<{ day: string }>({
      name: "touched days of a website",
      text: "SELECT to_char(day, 'YYYY-MM-DD') AS day FROM touched_days WHERE website_id = $1",
      values: [websiteId],
    }),
  );
  return rows.map(({ day }) => startOfUtcDay(day));
}

function dayFrom(startMs: number): TimeRange {
  return { startMs, endMs: startMs + dayMs };
}
