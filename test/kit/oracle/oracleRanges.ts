import type { OracleTables } from "./oracleTables.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** From `startMs` until before `endMs`, Unix ms. */
export type TimeRange = { readonly startMs: number; readonly endMs: number };

/** What a question is compared with: a period, or a range by its first and last day. */
export type Compared = "previous" | "weekdays" | "year" | { readonly startDate: string; readonly endDate: string };

type Asked = Pick<RandomQuery, "start" | "end" | "zone">;

const known = new Map<string, number>();

/** The range of a question, by DuckDB's time zones. */
export async function oracleRange({ start, end, zone }: Asked, tables: OracleTables): Promise<TimeRange> {
  return {
    startMs: await instant(start, "start", zone, tables),
    endMs: await instant(end, "end", zone, tables),
  };
}

/** Whole days of a zone. */
export function oracleDays(start: string, end: string, zone: string, tables: OracleTables): Promise<TimeRange> {
  return oracleRange({ start, end, zone }, tables);
}

/** The other period. `weekdays` and `year` of ranges with times of day are not asked. */
export async function comparedRange(asked: Asked, compared: Compared, tables: OracleTables): Promise<TimeRange> {
  const { zone } = asked;
  if (typeof compared === "object") return oracleDays(compared.startDate, compared.endDate, zone, tables);
  const range = await oracleRange(asked, tables);
  const ofDays = isOfDays(asked) ? asked : await daysOf(range, zone, tables);
  if (ofDays === undefined) return { startMs: 2 * range.startMs - range.endMs, endMs: range.startMs };
  const { start, end } = ofDays;
  const days = Math.round((Date.parse(end) - Date.parse(start)) / dayMs) + 1;
  if (compared === "year") return oracleDays(yearBefore(start), yearBefore(end), zone, tables);
  const back = compared === "previous" ? days : 7 * Math.ceil(days / 7);
  return oracleDays(daysBefore(start, back), daysBefore(end, back), zone, tables);
}

/** Whether a question names days. */
export function isOfDays({ start, end }: Pick<Asked, "start" | "end">): boolean {
  return start.length === 10 && end.length === 10;
}

/** The first and last day of a range that goes from a midnight to another one, however its ends were written. */
async function daysOf(
  { startMs, endMs }: TimeRange,
  zone: string,
  tables: OracleTables,
): Promise<Pick<Asked, "start" | "end"> | undefined> {
  const local = (ms: number) => `(make_timestamptz(${ms * 1_000}::BIGINT) AT TIME ZONE '${zone}')`;
  const [row] = await tables.rows(`SELECT ${local(startMs)}::VARCHAR AS "start", ${local(endMs)}::VARCHAR AS "end"`);
  const [start, end] = [String(row?.["start"]), String(row?.["end"])];
  if (!start.endsWith(" 00:00:00") || !end.endsWith(" 00:00:00")) return undefined;
  return { start: start.slice(0, 10), end: daysBefore(end.slice(0, 10), 1) };
}

/** What is left of a range without others. */
export function without(range: TimeRange, others: readonly TimeRange[]): TimeRange[] {
  return others.reduce<TimeRange[]>(
    (left, other) =>
      left.flatMap(({ startMs, endMs }) =>
        [
          { startMs, endMs: Math.min(endMs, other.startMs) },
          { startMs: Math.max(startMs, other.endMs), endMs },
        ].filter((part) => part.startMs < part.endMs),
      ),
    [range],
  );
}

const dayMs = 86_400_000;

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);
}

/** No date of the data is a 29 February. */
function yearBefore(day: string): string {
  return `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`;
}

async function instant(text: string, edge: "start" | "end", zone: string, tables: OracleTables): Promise<number> {
  const sql = instantSql(text, edge, zone);
  const before = known.get(sql);
  if (before !== undefined) return before;
  const [row] = await tables.rows(`SELECT (${sql})::DOUBLE AS ms`);
  const ms = Number(row?.["ms"]);
  known.set(sql, ms);
  return ms;
}

/** An instant of the bounds in DuckDB's words: its own time zones decide what a local time means. */
function instantSql(text: string, edge: "start" | "end", zone: string): string {
  if (text.endsWith("Z")) return `epoch_ms(TIMESTAMPTZ '${text}')`;
  const local = text.length === 10 ? `TIMESTAMP '${text} 00:00:00'` : `TIMESTAMP '${text.replace("T", " ")}'`;
  const day = text.length === 10 && edge === "end" ? `(${local} + INTERVAL 1 DAY)` : local;
  return `epoch_ms(${day} AT TIME ZONE '${zone}')`;
}
