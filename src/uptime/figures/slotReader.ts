import type { QuestdbReader, ReadOptions, Row } from "../../store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../store/questdb/tables.ts";
import type { CheckStatus } from "../check/checkTypes.ts";
import { noSlots, type SlotCounts, sumOfSlots } from "./figures.ts";

/** Where checks are read from, and who waits for them. */
export type CheckReader = {
  readonly questdb: Pick<QuestdbReader, "read" | "readEach">;
  readonly options: ReadOptions;
};

/** Spans of equal length, numbered from 0 on; times are Unix ms. */
export type Spans = { readonly firstMs: number; readonly stepMs: number };

/** The slots of one monitor in one span. */
export type SpanSlots = { readonly monitorId: string; readonly span: number; readonly slots: SlotCounts };

/** How a slot ended and when it was due, Unix ms. */
export type LastSlot = { readonly dueMs: number; readonly status: CheckStatus | "unknown" };

/**
 * Which span a row is in. All that differs from one call to the next is bound: QuestDB compiles a statement whose text it does not know,
 * which takes it longer than to count three months of slots.
 */
export function spanSql(firstUs: number, stepUs: number): string {
  return `(ts::long - $${firstUs}::long) / $${stepUs}::long`;
}

/** Spans as spanSql has them bound. */
export function boundSpans({ firstMs, stepMs }: Spans): [string, string] {
  return [String(firstMs * 1_000), String(stepMs * 1_000)];
}

/**
 * Slots of monitors by span. The monitors are those that the caller may see, the end (Unix ms) is not included.
 *
 * Rows are grouped by what would otherwise be compared in each of them: that takes a third of the time.
 */
export async function readSlots(
  { questdb, options }: CheckReader,
  monitorIds: readonly string[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  spans: Spans,
): Promise<SpanSlots[]> {
  if (monitorIds.length === 0) return [];
  const places = monitorIds.map((_, index) => `$${index + 5}`).join(", ");
  const rows = await questdb.read(
    `SELECT monitor_id, ${spanSql(3, 4)} span, slot_status, sum(slot_count) slots FROM uptime_checks
     WHERE monitor_id IN (${places}) AND ts >= $1 AND ts < $2 GROUP BY monitor_id, span, slot_status`,
    [instant(startMs), instant(endMs), ...boundSpans(spans), ...monitorIds],
    options,
  );
  return [...Map.groupBy(rows, (row) => `${row["monitor_id"]}/${row["span"]}`).values()].map((parts) => ({
    monitorId: String(parts[0]?.["monitor_id"]),
    span: Number(parts[0]?.["span"]),
    slots: sumOfSlots(parts.map(countsOf)),
  }));
}

/** Slots of one monitor in times that follow one another, each from one edge to the next, which it does not include; edges are Unix ms. */
export async function readSlotsBetween(
  { questdb, options }: CheckReader,
  monitorId: string,
  edgesMs: readonly number[],
): Promise<SlotCounts[]> {
  // One read of each time's rows, where one statement would compare all of them with all edges.
  const times = edgesMs.slice(1).map((_, time) => time);
  const sql = times.map(
    (time) =>
      `SELECT ${time} time, slot_status, sum(slot_count) slots FROM uptime_checks
       WHERE monitor_id = $1 AND ts >= $${time + 2} AND ts < $${time + 3} GROUP BY slot_status`,
  );
  const rows = await questdb.read(sql.join(" UNION ALL "), [monitorId, ...edgesMs.map(instant)], options);
  return times.map((time) => sumOfSlots(rows.filter((row) => Number(row["time"]) === time).map(countsOf)));
}

/** All columns of a check, by name: for moments an erasure gives the table one more. */
export const checkColumns = Object.keys(columnsOfTable.uptime_checks).join(", ");

/** The rows of the latest slot of a monitor, one a region. */
export async function readLastSlot({ questdb, options }: CheckReader, monitorId: string): Promise<Row[]> {
  // More regions than a monitor may have.
  const sql = `SELECT ${checkColumns} FROM uptime_checks WHERE monitor_id = $1 ORDER BY ts DESC LIMIT 32`;
  const rows = await questdb.read(sql, [monitorId], options);
  return rows.filter(({ ts }) => ts === rows[0]?.["ts"]);
}

/** The latest slot of each monitor from `startMs` on; one without checks is missing. */
export async function readLastSlots(
  { questdb, options }: CheckReader,
  monitorIds: readonly string[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<ReadonlyMap<string, LastSlot>> {
  if (monitorIds.length === 0) return new Map();
  const places = monitorIds.map((_, index) => `$${index + 3}`).join(", ");
  const rows = await questdb.read(
    `SELECT monitor_id, ts, slot_status FROM uptime_checks WHERE monitor_id IN (${places}) AND ts >= $1 AND ts < $2
     LATEST ON ts PARTITION BY monitor_id`,
    [instant(startMs), instant(endMs), ...monitorIds],
    options,
  );
  return new Map(rows.map((row) => [String(row["monitor_id"]), lastSlotOf(row)]));
}

/** The slot of a row of uptime_checks. */
export function lastSlotOf(row: Row): LastSlot {
  const status = statuses.find((name) => name === row["slot_status"]) ?? "unknown";
  return { dueMs: Number(row["ts"]), status };
}

const statuses = ["up", "down", "degraded"] as const;

/** The slots of a row that counts those of one status. */
function countsOf(row: Row): SlotCounts {
  return slotsOf(String(row["slot_status"]), Number(row["slots"]));
}

/** So many slots of one status. */
export function slotsOf(status: string, count: number): SlotCounts {
  return {
    ...noSlots,
    known: count,
    ...(status === "down" ? { down: count } : {}),
    ...(status === "degraded" ? { degraded: count } : {}),
  };
}

/** A time as QuestDB takes it, from Unix ms. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}
