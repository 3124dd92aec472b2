import type { TimeRange } from "../../time/dates.ts";
import { clipped, merged, without } from "../../time/timeRanges.ts";
import { isNow } from "../catalogue/fixedPeriod.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import { type FactTable, tablesWithinVisits } from "../sql/fields.ts";

/** Why nothing is known about a time. */
export type UnknownReason = "not_started" | "retention" | "erased" | "not_recorded" | "future";

/** A time whose events are unknown: that none are stored does not mean that none happened. */
export type UnknownTime = TimeRange & { readonly reason: UnknownReason };

/** Which rows of a table are stored. Times in Unix ms. */
export type RowRecord = {
  /** The end of what is past their retention. */
  readonly keptFromMs: number;
  /** Days after that which lost their rows to a shorter retention. */
  readonly expired: readonly TimeRange[];
  /** Ranges in which a deletion request erased all of them. */
  readonly erased: readonly TimeRange[];
};

/** What is stored about the events of the websites of a question. Times in Unix ms. */
export type EventRecord = RowRecord & {
  /** When it was read. */
  readonly readMs: number;
  /** The start of the day of the first event, in the time zone of its website; undefined without any. */
  readonly firstMs: number | undefined;
  /** The start of the first UTC day of which daily figures are kept; undefined without any, and for several websites. */
  readonly dailyFromMs?: number | undefined;
  /** Of rows that have a retention of their own. */
  readonly ofTables?: Readonly<
    Record<(typeof tablesWithOwnRecord)[number], RowRecord & Partial<Pick<EventRecord, "firstMs">>>
  >;
  /** Times in which no process took events. */
  readonly notRecorded: readonly TimeRange[];
};

/** Tables without events whose rows have a retention of their own. */
const tablesWithOwnRecord = [...tablesWithinVisits, "excluded_traffic"] as const satisfies readonly FactTable[];

type TypeOfTable = Pick<QueryType, "table" | "period">;

/** Types about events of websites in the past. */
export function isAboutEvents({ table, period }: TypeOfTable): boolean {
  return (table === "events" || table === "outgoing_links") && !isNow(period);
}

/** Types whose series have no figures where what they count is unknown. */
export function mayBeUnknown(type: TypeOfTable): boolean {
  return isAboutEvents(type) || (tablesWithOwnRecord.some((table) => table === type.table) && !isNow(type.period));
}

/** What is stored of what a type counts; undefined if nothing about it is unknown. */
export function recordFor(type: TypeOfTable, record: EventRecord): EventRecord | undefined {
  if (isAboutEvents(type)) return record;
  const own = isNow(type.period) ? undefined : tablesWithOwnRecord.find((table) => table === type.table);
  const rows = own === undefined ? undefined : record.ofTables?.[own];
  if (rows === undefined) return undefined;
  // A website may send errors and vitals without any event.
  const { firstMs = Number.NEGATIVE_INFINITY, notRecorded, readMs } = record;
  return { firstMs, ...rows, notRecorded, readMs };
}

/**
 * The unknown times of a range, each with one reason: sorted by reason and start. Where several apply it is the first of not_started,
 * retention, erased and not_recorded.
 */
export function unknownTimes(
  { firstMs, keptFromMs, expired, erased, notRecorded }: Omit<EventRecord, "readMs">,
  range: TimeRange,
): UnknownTime[] {
  const reasons: readonly [UnknownReason, readonly TimeRange[]][] = [
    ["not_started", [{ startMs: range.startMs, endMs: firstMs ?? range.endMs }]],
    ["retention", [{ startMs: range.startMs, endMs: keptFromMs }, ...expired]],
    ["erased", erased],
    ["not_recorded", notRecorded],
  ];
  const found: UnknownTime[] = [];
  for (const [reason, ranges] of reasons) {
    const known = without(merged(clipped(ranges, range)), merged(found));
    found.push(...known.map((time) => ({ ...time, reason })));
  }
  return found;
}

/** Totals of a range may be compared if less than this part of it is unknown. */
const comparedPart = 0.01;

/** A range, what is stored about its events (undefined: all is known), and how much more its figures cover where they are those of whole days. */
export type ComparedKnowledge = {
  readonly range: TimeRange;
  readonly record: EventRecord | undefined;
  readonly beyondMs?: number;
};

function unknownIn({ record, range }: ComparedKnowledge): UnknownTime[] {
  return record === undefined ? [] : unknownTimes(record, range);
}

/** Whether so little of a range is unknown that its totals may be compared with those of another one. */
export function isMostlyKnown(
  times: readonly TimeRange[],
  { range, beyondMs = 0 }: Pick<ComparedKnowledge, "range" | "beyondMs">,
): boolean {
  const unknownMs = times.reduce((sum, time) => sum + time.endMs - time.startMs, 0);
  return unknownMs + beyondMs < comparedPart * (range.endMs - range.startMs);
}

/** What is unknown of a range that another one is compared with, and whether totals of both may be compared. */
export function unknownOfCompared(own: ComparedKnowledge, compared: ComparedKnowledge) {
  const unknown = unknownIn(compared);
  const hasBegun = own.record === undefined || own.range.startMs < own.record.readMs;
  return { unknown, isComplete: hasBegun && isMostlyKnown(unknown, compared) && isMostlyKnown(unknownIn(own), own) };
}

/** Unknown times as answers show them. */
export function shownTimes(times: readonly UnknownTime[]) {
  return times.map(({ startMs, endMs, reason }) => ({
    from: new Date(startMs).toISOString(),
    until: new Date(endMs).toISOString(),
    reason,
  }));
}
