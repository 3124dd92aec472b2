import type { QuestdbReader, ReadOptions, Row } from "../../store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../store/questdb/tables.ts";
import { isoTime } from "../../time/utcDay.ts";
import type { CheckStatus } from "../check/checkTypes.ts";
import { type SlotCounts, sumOfSlots } from "./figures.ts";

/** How checks are read, and for whom. */
export type CheckReader = {
  readonly questdb: Pick<QuestdbReader, "read" | "readEach">;
  readonly options: ReadOptions;
};

/** Spans of equal length, numbered from 0; times are Unix ms. */
export type Spans = { readonly firstMs: number; readonly stepMs: number };

/** The status of a slot and when it was due, Unix ms. */
export type LastSlot = { readonly dueMs: number; readonly status: CheckStatus | "unknown" };

/** The slots of one monitor in one span, and the last of them. */
export type SpanSlots = {
  readonly monitorId: string;
  readonly span: number;
  readonly slots: SlotCounts;
  readonly last: LastSlot | undefined;
};

/**
 * The SQL for a row's span. Everything that differs between calls is bound: compiling a statement with a new text takes
 * QuestDB longer than counting three months of slots.
 */
export function spanSql(firstUs: number, stepUs: number): string {
  return `(ts::long - $${firstUs}::long) / $${stepUs}::long`;
}

/** The bound values of spanSql. */
export function boundSpans({ firstMs, stepMs }: Spans): [string, string] {
  return [String(firstMs * 1_000), String(stepMs * 1_000)];
}

/**
 * Slots of monitors by span. The caller may read all of the monitors; the end (Unix ms) is exclusive.
 *
 * Grouping rows takes a third of the time of comparing each of them.
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
    `SELECT monitor_id, ${spanSql(3, 4)} span, slot_status, sum(slot_count) slots, max(ts) ts FROM uptime_checks
     WHERE monitor_id IN (${places}) AND ts >= $1 AND ts < $2 GROUP BY monitor_id, span, slot_status`,
    [isoTime(startMs), isoTime(endMs), ...boundSpans(spans), ...monitorIds],
    options,
  );
  return [...Map.groupBy(rows, (row) => `${row["monitor_id"]}/${row["span"]}`).values()].map((parts) => ({
    monitorId: String(parts[0]?.["monitor_id"]),
    span: Number(parts[0]?.["span"]),
    slots: sumOfSlots(parts.map(countsOf)),
    last: latest(parts.map(lastSlotOf)),
  }));
}

/**
 * The latest slot of each monitor among those of its spans; a monitor without checks is missing. QuestDB's LATEST ON is
 * of no use here: its cached plan for bound monitors misses those whose first check was stored after it was compiled.
 */
export function lastSlotsOf(spans: readonly SpanSlots[]): ReadonlyMap<string, LastSlot> {
  const last = new Map<string, LastSlot>();
  for (const [monitorId, ofMonitor] of Map.groupBy(spans, (span) => span.monitorId)) {
    const slot = latest(ofMonitor.flatMap((span) => span.last ?? []));
    if (slot !== undefined) last.set(monitorId, slot);
  }
  return last;
}

function latest(slots: readonly LastSlot[]): LastSlot | undefined {
  return slots.reduce<LastSlot | undefined>(
    (found, slot) => (found === undefined || slot.dueMs > found.dueMs ? slot : found),
    undefined,
  );
}

/** Slots of one monitor in consecutive times, each from one edge to the next, which is exclusive; edges are Unix ms. */
export async function readSlotsBetween(
  { questdb, options }: CheckReader,
  monitorId: string,
  edgesMs: readonly number[],
): Promise<SlotCounts[]> {
  // One read per time, where a single statement would compare all rows with all edges.
  const times = edgesMs.slice(1).map((_, time) => time);
  const sql = times.map(
    (time) =>
      `SELECT ${time} time, slot_status, sum(slot_count) slots FROM uptime_checks
       WHERE monitor_id = $1 AND ts >= $${time + 2} AND ts < $${time + 3} GROUP BY slot_status`,
  );
  const rows = await questdb.read(sql.join(" UNION ALL "), [monitorId, ...edgesMs.map(isoTime)], options);
  return times.map((time) => sumOfSlots(rows.filter((row) => Number(row["time"]) === time).map(countsOf)));
}

/** All columns of a check, by name: an erasure adds another column to the table for a moment. */
export const checkColumns = Object.keys(columnsOfTable.uptime_checks).join(", ");

/** The rows of a monitor's latest slot, one per region. */
export async function readLastSlot({ questdb, options }: CheckReader, monitorId: string): Promise<Row[]> {
  // The limit exceeds the regions that a monitor may have.
  const sql = `SELECT ${checkColumns} FROM uptime_checks WHERE monitor_id = $1 ORDER BY ts DESC LIMIT 32`;
  const rows = await questdb.read(sql, [monitorId], options);
  return rows.filter(({ ts }) => ts === rows[0]?.["ts"]);
}

/** The slot of a row of uptime_checks. */
export function lastSlotOf(row: Row): LastSlot {
  const status = statuses.find((name) => name === row["slot_status"]) ?? "unknown";
  return { dueMs: Number(row["ts"]), status };
}

const statuses = ["up", "down", "degraded"] as const;

/** The counts of a row with the slots of one status. */
function countsOf(row: Row): SlotCounts {
  return slotsOf(String(row["slot_status"]), Number(row["slots"]));
}

/** The counts of slots of one status. */
export function slotsOf(status: string, count: number): SlotCounts {
  return { known: count, down: status === "down" ? count : 0, degraded: status === "degraded" ? count : 0 };
}
