import type { BoundValue, QuestdbReader, ReadOptions, Row } from "../store/questdbReader.ts";
import type { CheckStatus } from "./checkTypes.ts";
import type { SlotCounts } from "./figures.ts";

/** Where checks are read from, and who waits for them. */
export type CheckReader = { readonly questdb: Pick<QuestdbReader, "read">; readonly options: ReadOptions };

/** Checks of monitors of one website, in a time (Unix ms, the end not included). */
export type CheckScope = {
  readonly websiteId: string;
  readonly monitorIds: readonly string[];
  readonly startMs: number;
  readonly endMs: number;
};

/** What the checks of one monitor in one span say. Times are ms, of those checks that got an answer; null without one. */
export type SpanFigures = {
  readonly monitorId: string;
  readonly span: number;
  readonly slots: SlotCounts;
  /** Checks of all regions. */
  readonly checks: number;
  readonly failures: number;
  readonly answered: number;
  readonly ttfbSumMs: number;
  readonly totalSumMs: number;
  readonly minTtfbMs: number | null;
  readonly maxTtfbMs: number | null;
  /** When the last of the slots was due, Unix ms. */
  readonly lastDueMs: number;
};

/**
 * Figures of monitors by span. `spanSql` tells a row's span by its `ts`; it is made here of numbers only, nothing of a caller's is in it.
 *
 * Where one region checks, rows are slots and are counted as they come. Only where several do, slots are made first, which takes several
 * times as long.
 */
export async function readSpans(reader: CheckReader, scope: CheckScope, spanSql: string): Promise<SpanFigures[]> {
  if (scope.monitorIds.length === 0) return [];
  const { from, values } = scopeSql(scope);
  const read = (sql: string) => reader.questdb.read(sql, values, reader.options);
  const rows = await read(
    `SELECT monitor_id, ${spanSql} span, region, count() checks, max(ts) last,
       ${countOf("slot_status = 'down'")} down_slots, ${countOf("slot_status = 'degraded'")} degraded_slots,
       ${countOf("status = 'down'")} failures, ${countOf(answeredSql)} answered,
       sum(${ofAnswered("ttfb_ms")}::double) ttfb, sum(${ofAnswered("total_ms")}::double) total,
       min(${ofAnswered("ttfb_ms")}) min_ttfb, max(${ofAnswered("ttfb_ms")}) max_ttfb
     FROM ${from} GROUP BY monitor_id, span, region`,
  );
  const regions = new Set(rows.map(({ region }) => region));
  const slots = regions.size > 1 ? await read(slotsSql(from, spanSql)) : rows;
  const slotsOf = new Map(slots.map((row) => [keyOf(row), countsOf(row)]));
  return [...Map.groupBy(rows, keyOf)].map(([key, parts]) => merged(parts, slotsOf.get(key)));
}

/** The rows of the latest slot of a monitor, one a region. */
export async function readLastSlot(
  reader: CheckReader,
  { websiteId, monitorId }: { readonly websiteId: string; readonly monitorId: string },
): Promise<Row[]> {
  // More regions than a monitor may have.
  const rows = await reader.questdb.read(
    "SELECT * FROM uptime_checks WHERE monitor_id = $1 AND website_id = $2 ORDER BY ts DESC LIMIT 32",
    [monitorId, websiteId],
    reader.options,
  );
  return rows.filter(({ ts }) => ts === rows[0]?.["ts"]);
}

/** The latest slot of each monitor; one without checks is missing. */
export async function readLastSlots(reader: CheckReader, scope: CheckScope): Promise<ReadonlyMap<string, LastSlot>> {
  if (scope.monitorIds.length === 0) return new Map();
  const { from, values } = scopeSql(scope);
  const sql = `SELECT monitor_id, ts, slot_status FROM ${from} LATEST ON ts PARTITION BY monitor_id`;
  const rows = await reader.questdb.read(sql, values, reader.options);
  return new Map(rows.map((row) => [String(row["monitor_id"]), lastSlotOf(row)]));
}

/** How a slot ended and when it was due, Unix ms. */
export type LastSlot = { readonly dueMs: number; readonly status: CheckStatus | "unknown" };

/** The slot of a row of uptime_checks. */
export function lastSlotOf(row: Row): LastSlot {
  const status = statuses.find((name) => name === row["slot_status"]) ?? "unknown";
  return { dueMs: Number(row["ts"]), status };
}

const statuses = ["up", "down", "degraded"] as const;

const answeredSql = "http_code > 0";

function countOf(condition: string): string {
  return `sum(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
}

function ofAnswered(column: string): string {
  return `(CASE WHEN ${answeredSql} THEN ${column} ELSE null END)`;
}

function scopeSql({ websiteId, monitorIds, startMs, endMs }: CheckScope): { from: string; values: BoundValue[] } {
  const values = [new Date(startMs).toISOString(), new Date(endMs).toISOString(), websiteId, ...monitorIds];
  const monitors = monitorIds.map((_, index) => `$${index + 4}`).join(", ");
  const from = `uptime_checks WHERE monitor_id IN (${monitors}) AND website_id = $3 AND ts >= $1 AND ts < $2 AND slot_status != 'unknown'`;
  return { from, values };
}

/** Slots by span. The rows of a slot agree on how it ended. */
function slotsSql(from: string, spanSql: string): string {
  return `SELECT monitor_id, ${spanSql} span, count() checks, sum(down) down_slots, sum(degraded) degraded_slots FROM (
    SELECT monitor_id, ts, max(CASE WHEN slot_status = 'down' THEN 1 ELSE 0 END) down,
      max(CASE WHEN slot_status = 'degraded' THEN 1 ELSE 0 END) degraded
    FROM ${from} GROUP BY monitor_id, ts) GROUP BY monitor_id, span`;
}

function keyOf(row: Row): string {
  return `${row["monitor_id"]}/${row["span"]}`;
}

function countsOf(row: Row): SlotCounts {
  return { known: Number(row["checks"]), down: Number(row["down_slots"]), degraded: Number(row["degraded_slots"]) };
}

/** The regions of a span together. */
function merged(parts: readonly Row[], slots: SlotCounts | undefined): SpanFigures {
  const sum = (column: string) => parts.reduce((total, row) => total + Number(row[column] ?? 0), 0);
  const some = (column: string) => parts.flatMap((row) => (typeof row[column] === "number" ? [row[column]] : []));
  const [first] = parts;
  if (first === undefined || slots === undefined) throw new Error("a span has no rows");
  const times = some("min_ttfb");
  return {
    monitorId: String(first["monitor_id"]),
    span: Number(first["span"]),
    slots,
    checks: sum("checks"),
    failures: sum("failures"),
    answered: sum("answered"),
    ttfbSumMs: sum("ttfb"),
    totalSumMs: sum("total"),
    minTtfbMs: times.length === 0 ? null : Math.min(...times),
    maxTtfbMs: times.length === 0 ? null : Math.max(...some("max_ttfb")),
    lastDueMs: Math.max(...some("last")),
  };
}
