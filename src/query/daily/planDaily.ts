import { IANAZone } from "luxon";
import { dayOf, type TimeRange } from "../../time/dates.ts";
import { clipped } from "../../time/timeRanges.ts";
import { dayMs, startOfUtcDay, utcDayOf } from "../../time/utcDay.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { type ComparedKnowledge, type EventRecord, isAboutEvents } from "../unknown/unknownTimes.ts";
import { type DailyKind, dailyKindsOf } from "./dailyKinds.ts";

/** A question that daily figures answer. */
export type DailyPlan = {
  readonly kinds: readonly DailyKind[];
  /** Whole UTC days, named as the days of the range in the zone of the question. */
  readonly range: TimeRange;
  /** The end of the last UTC day to read: where the range reaches until now, today may be a day later in UTC than in the zone. */
  readonly untilMs: number;
  /** What is stored, with the daily figures: what they answer is not unknown. */
  readonly record: EventRecord;
  /** What is stored of raw events. */
  readonly rawRecord: EventRecord;
};

type Asked = Pick<ParameterPlan, "type" | "filters" | "bucketUnit" | "zone" | "range" | "goals" | "split">;

/** Whether raw events of a range are past their retention, so that it is answered from daily figures or not at all. */
export function reachesPastRetention(
  { type, range }: Pick<Asked, "type" | "range">,
  { firstMs = Number.POSITIVE_INFINITY, keptFromMs, expired }: EventRecord,
): boolean {
  if (!isAboutEvents(type) || firstMs >= range.endMs) return false;
  return (range.startMs < keptFromMs && firstMs < keptFromMs) || clipped(expired, range).length > 0;
}

/**
 * How daily figures answer a question whose range reaches past the retention of raw events; undefined if they do not. They then answer all
 * of the range, so that no figure of the answer contradicts another one.
 */
export function planDaily(asked: Asked, record: EventRecord): DailyPlan | undefined {
  const { dailyFromMs, keptFromMs, expired, readMs } = record;
  if (dailyFromMs === undefined || !reachesPastRetention(asked, record)) return undefined;
  const range = utcDaysOf(asked.range, asked.zone);
  // Figures of days that are still raw tell nothing more.
  const isOlder = dailyFromMs < keptFromMs || expired.some(({ endMs }) => endMs > dailyFromMs);
  const kinds = dailyKindsOf(asked);
  if (!isOlder || kinds.length === 0) return undefined;
  const untilMs =
    asked.range.endMs <= readMs ? range.endMs : Math.max(range.endMs, startOfUtcDay(utcDayOf(readMs)) + dayMs);
  return { ...planWholeDays(asked, kinds, record), untilMs };
}

/** How daily figures of these kinds answer a question about whole UTC days, whether or not raw events are kept. */
export function planWholeDays(
  asked: Pick<Asked, "range" | "zone">,
  kinds: readonly DailyKind[],
  record: EventRecord,
): DailyPlan {
  const { dailyFromMs = Number.POSITIVE_INFINITY, firstMs, keptFromMs, expired } = record;
  const range = utcDaysOf(asked.range, asked.zone);
  const withFigures = {
    ...record,
    firstMs: firstMs === undefined ? undefined : dayOf(firstMs, asked.zone).toMillis(),
    keptFromMs: Math.min(keptFromMs, dailyFromMs),
    expired: clipped(expired, { startMs: Number.NEGATIVE_INFINITY, endMs: dailyFromMs }),
  };
  return { kinds, range, untilMs: range.endMs, record: withFigures, rawRecord: record };
}

/** What is known of a range that is compared, or compared with: daily figures answer whole days. `isWhole`: they answer anyway. */
export function knowledgeOf(asked: Asked, record: EventRecord | undefined, isWhole = false): ComparedKnowledge {
  const daily = record && (isWhole ? planWholeDays(asked, [], record) : planDaily(asked, record));
  if (daily === undefined) return { range: asked.range, record };
  const lengthMs = (range: TimeRange) => range.endMs - range.startMs;
  return {
    range: daily.range,
    record: daily.record,
    beyondMs: Math.max(0, lengthMs(daily.range) - lengthMs(asked.range)),
  };
}

/** The zone of the days of daily figures. */
export const dailyZone = IANAZone.create("UTC");

/** The UTC days with the names of the days of a range in a zone. */
function utcDaysOf({ startMs, endMs }: TimeRange, zone: IANAZone): TimeRange {
  return { startMs: dayOf(startMs, zone).toMillis(), endMs: dayOf(endMs - 1, zone).toMillis() + dayMs };
}
