import type { QuestdbReader, ReadOptions, Row } from "../store/questdbReader.ts";
import type { CheckStatus } from "./checkTypes.ts";
import type { SlotCounts } from "./figures.ts";

/** Where checks are read from, and who waits for them. */
export type CheckReader = { readonly questdb: Pick<QuestdbReader, "read">; readonly options: ReadOptions };

/** Checks of monitors in a time (Unix ms, the end not included). The monitors are those that the caller may see. */
export type CheckScope = { readonly monitorIds: readonly string[]; readonly startMs: number; readonly endMs: number };

/** The slots of one monitor in one span. */
export type SpanSlots = {
  readonly monitorId: string;
  readonly span: number;
  readonly slots: SlotCounts;
  /** When the last of them was due, Unix ms. */
  readonly lastDueMs: number;
};

/** What the checks of one monitor in one span say. Times are ms, of those checks that got an answer; null without one. */
export type SpanFigures = SpanSlots & {
  /** Checks of all regions. */
  readonly checks: number;
  readonly failures: number;
  readonly answered: number;
  readonly ttfbSumMs: number;
  readonly totalSumMs: number;
  readonly minTtfbMs: number | null;
  readonly maxTtfbMs: number | null;
};

/** How a slot ended and when it was due, Unix ms. */
export type LastSlot = { readonly dueMs: number; readonly status: CheckStatus | "unknown" };

/**
 * Slots of monitors by span. `spanSql` tells a row's span by its `ts`; it is made of our own numbers, nothing of a caller's is in it.
 *
 * Rows are grouped by what would otherwise be compared in each of them: that takes a third of the time.
 */
export async function readSlots(reader: CheckReader, scope: CheckScope, spanSql: string): Promise<SpanSlots[]> {
  const rows = await read(reader, scope, `${keysSql(spanSql)}, sum(slot_count) slots, max(ts) last`, keys);
  return [...Map.groupBy(rows, keyOf).values()].map(slotsOf);
}

/** Slots, checks and times of monitors by span. */
export async function readFigures(reader: CheckReader, scope: CheckScope, spanSql: string): Promise<SpanFigures[]> {
  const columns =
    `${keysSql(spanSql)}, status, http_code > 0 answered, sum(slot_count) slots, max(ts) last, count() checks, ` +
    "avg(ttfb_ms) ttfb, avg(total_ms) total, min(ttfb_ms) min_ttfb, max(ttfb_ms) max_ttfb";
  const rows = await read(reader, scope, columns, `${keys}, status, answered`);
  return [...Map.groupBy(rows, keyOf).values()].map(figuresOf);
}

/** The rows of the latest slot of a monitor, one a region. */
export async function readLastSlot(reader: CheckReader, monitorId: string): Promise<Row[]> {
  // More regions than a monitor may have.
  const sql = "SELECT * FROM uptime_checks WHERE monitor_id = $1 ORDER BY ts DESC LIMIT 32";
  const rows = await reader.questdb.read(sql, [monitorId], reader.options);
  return rows.filter(({ ts }) => ts === rows[0]?.["ts"]);
}

/** The latest slot of each monitor; one without checks is missing. */
export async function readLastSlots(reader: CheckReader, scope: CheckScope): Promise<ReadonlyMap<string, LastSlot>> {
  const rows = await read(reader, scope, "monitor_id, ts, slot_status", undefined);
  return new Map(rows.map((row) => [String(row["monitor_id"]), lastSlotOf(row)]));
}

/** The slot of a row of uptime_checks. */
export function lastSlotOf(row: Row): LastSlot {
  const status = statuses.find((name) => name === row["slot_status"]) ?? "unknown";
  return { dueMs: Number(row["ts"]), status };
}

const statuses = ["up", "down", "degraded"] as const;

const keys = "monitor_id, span, slot_status";

function keysSql(spanSql: string): string {
  return `monitor_id, ${spanSql} span, slot_status`;
}

/** Rows by group, or the latest of each monitor without groups. */
async function read(
  { questdb, options }: CheckReader,
  { monitorIds, startMs, endMs }: CheckScope,
  columns: string,
  groups: string | undefined,
): Promise<Row[]> {
  if (monitorIds.length === 0) return [];
  const places = monitorIds.map((_, index) => `$${index + 3}`).join(", ");
  const sql =
    `SELECT ${columns} FROM uptime_checks WHERE monitor_id IN (${places}) AND ts >= $1 AND ts < $2 ` +
    (groups === undefined ? "LATEST ON ts PARTITION BY monitor_id" : `GROUP BY ${groups}`);
  return questdb.read(sql, [new Date(startMs).toISOString(), new Date(endMs).toISOString(), ...monitorIds], options);
}

function keyOf(row: Row): string {
  return `${row["monitor_id"]}/${row["span"]}`;
}

function slotsOf(parts: readonly Row[]): SpanSlots {
  const [first] = parts;
  const count = (rows: readonly Row[]) => sumOf(rows, ({ slots }) => slots);
  const ending = (status: string) => parts.filter((row) => row["slot_status"] === status);
  return {
    monitorId: String(first?.["monitor_id"]),
    span: Number(first?.["span"]),
    slots: { known: count(parts), down: count(ending("down")), degraded: count(ending("degraded")) },
    lastDueMs: Math.max(...parts.map(({ last }) => Number(last))),
  };
}

function figuresOf(parts: readonly Row[]): SpanFigures {
  const answered = parts.filter((row) => row["answered"] === true);
  const count = (rows: readonly Row[]) => sumOf(rows, ({ checks }) => checks);
  const times = (column: string) => answered.map((row) => Number(row[column]));
  return {
    ...slotsOf(parts),
    checks: count(parts),
    failures: count(parts.filter((row) => row["status"] === "down")),
    answered: count(answered),
    ttfbSumMs: sumOf(answered, ({ ttfb, checks }) => Number(ttfb) * Number(checks)),
    totalSumMs: sumOf(answered, ({ total, checks }) => Number(total) * Number(checks)),
    minTtfbMs: answered.length === 0 ? null : Math.min(...times("min_ttfb")),
    maxTtfbMs: answered.length === 0 ? null : Math.max(...times("max_ttfb")),
  };
}

function sumOf(rows: readonly Row[], pick: (row: Row) => Row[string] | undefined): number {
  return rows.reduce((sum, row) => sum + Number(pick(row) ?? 0), 0);
}
