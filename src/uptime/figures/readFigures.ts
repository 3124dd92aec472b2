import type { TextRow } from "../../store/questdb/questdbReader.ts";
import { isoTime } from "../../time/utcDay.ts";
import { type SlotCounts, sumOfSlots } from "./figures.ts";
import { boundSpans, type CheckReader, type Spans, slotsOf, spanSql } from "./slotReader.ts";

/** The checks of a monitor in one span. Durations are ms, of answered checks; null without any. */
export type SpanFigures = {
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
};

/** A monitor that the caller may read, and a time (Unix ms, the end is exclusive). */
export type MonitorTime = { readonly monitorId: string; readonly startMs: number; readonly endMs: number };

/** QuestDB sends integers in a fraction of the time that it takes for other numbers. */
const nsPerMs = 1_000_000;

const columns = [
  `${spanSql(4, 5)} span`,
  "slot_status",
  "status",
  "http_code > 0 answered",
  "sum(slot_count)",
  "count()",
  `(sum(ttfb_ms::double) * ${nsPerMs})::long`,
  `(sum(total_ms::double) * ${nsPerMs})::long`,
  `(min(ttfb_ms) * ${nsPerMs})::long`,
  `(max(ttfb_ms) * ${nsPerMs})::long`,
];

/** Slots, checks and durations of a monitor by span; spans without checks are left out. */
export async function readFigures(
  { questdb, options }: CheckReader,
  { monitorId, startMs, endMs }: MonitorTime,
  spans: Spans,
): Promise<SpanFigures[]> {
  const parts: SpanFigures[] = [];
  await questdb.readEach(
    `SELECT ${columns.join(", ")} FROM uptime_checks WHERE monitor_id = $1 AND ts >= $2 AND ts < $3
     GROUP BY span, slot_status, status, answered`,
    [monitorId, isoTime(startMs), isoTime(endMs), ...boundSpans(spans)],
    (row) => parts.push(figuresOf(row)),
    options,
  );
  return [...Map.groupBy(parts, ({ span }) => span).values()].map(together);
}

/** When the last known slot was due, Unix ms; undefined without one. */
export async function readLastDueMs(
  { questdb, options }: CheckReader,
  { monitorId, startMs, endMs }: MonitorTime,
): Promise<number | undefined> {
  const [row] = await questdb.read(
    "SELECT ts FROM uptime_checks WHERE monitor_id = $1 AND ts >= $2 AND ts < $3 ORDER BY ts DESC LIMIT 1",
    [monitorId, isoTime(startMs), isoTime(endMs)],
    options,
  );
  return row === undefined ? undefined : Number(row["ts"]);
}

function figuresOf(row: TextRow): SpanFigures {
  const [span, slotStatus, status, answered, slots, checks, ttfbNs, totalNs, minNs, maxNs] = row;
  const count = Number(checks);
  const isAnswered = answered === "t";
  const ms = (ns: string | null | undefined) => Number(ns) / nsPerMs;
  return {
    span: Number(span),
    slots: slotsOf(slotStatus ?? "", Number(slots)),
    checks: count,
    failures: status === "down" ? count : 0,
    answered: isAnswered ? count : 0,
    ttfbSumMs: isAnswered ? ms(ttfbNs) : 0,
    totalSumMs: isAnswered ? ms(totalNs) : 0,
    minTtfbMs: isAnswered ? ms(minNs) : null,
    maxTtfbMs: isAnswered ? ms(maxNs) : null,
  };
}

/** Combines the parts of one span, or several spans; all is 0 without any. */
export function together(parts: readonly SpanFigures[]): SpanFigures {
  const sum = (pick: (part: SpanFigures) => number) => parts.reduce((total, part) => total + pick(part), 0);
  const least = parts.flatMap(({ minTtfbMs }) => minTtfbMs ?? []);
  const most = parts.flatMap(({ maxTtfbMs }) => maxTtfbMs ?? []);
  return {
    span: parts[0]?.span ?? 0,
    slots: sumOfSlots(parts.map(({ slots }) => slots)),
    checks: sum(({ checks }) => checks),
    failures: sum(({ failures }) => failures),
    answered: sum(({ answered }) => answered),
    ttfbSumMs: sum(({ ttfbSumMs }) => ttfbSumMs),
    totalSumMs: sum(({ totalSumMs }) => totalSumMs),
    minTtfbMs: least.length === 0 ? null : Math.min(...least),
    maxTtfbMs: most.length === 0 ? null : Math.max(...most),
  };
}
