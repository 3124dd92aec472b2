import type { PastRetentionInit } from "../../gen/lookout/services.ts";
import { hullOf } from "../../time/timeRanges.ts";
import { utcDayOf } from "../../time/utcDay.ts";
import type { PlannedQuery } from "../plan/planQuery.ts";
import { type EventRecord, isAboutEvents, recordFor, type UnknownTime, unknownTimes } from "../unknown/unknownTimes.ts";
import { planDaily, reachesPastRetention } from "./planDaily.ts";

/** How a query's parameters about time past the retention of raw events are answered; undefined if none is about such time. */
export function pastRetentionOf(
  { parameters }: Pick<PlannedQuery, "parameters">,
  record: EventRecord,
): PastRetentionInit | undefined {
  const daily: string[] = [];
  const raw: string[] = [];
  for (const { label, type, work } of parameters) {
    if ("error" in work) continue;
    const ranges = [work.range, ...(work.compared === undefined ? [] : [work.compared])];
    const asked = ranges
      .map((range) => ({ ...work, range }))
      .filter((one) => reachesPastRetention({ ...one, type }, record));
    if (asked.length === 0) continue;
    const isDaily = asked.every((one) => planDaily(one, record) !== undefined);
    (isDaily ? daily : raw).push(label);
  }
  if (daily.length + raw.length === 0) return undefined;
  const { dailyFromMs } = record;
  return { daily, raw, from: dailyFromMs === undefined ? "" : utcDayOf(dailyFromMs) };
}

/**
 * The unknown times of a query's ranges about events: those of daily figures if all of its parameters are answered from them. Without
 * parameters about events those about errors and vitals.
 */
export function unknownOf({ parameters }: Pick<PlannedQuery, "parameters">, record: EventRecord): UnknownTime[] {
  const works = parameters.flatMap(({ type, work }) => ("error" in work || !isAboutEvents(type) ? [] : [work]));
  const range = hullOf(works.map((work) => work.range));
  if (range === undefined) return unknownOfOthers(parameters, record);
  const records = works
    .filter((work) => reachesPastRetention(work, record))
    .map((work) => planDaily(work, record)?.record);
  const [first] = records;
  return unknownTimes(first !== undefined && records.every((each) => each !== undefined) ? first : record, range);
}

function unknownOfOthers(parameters: PlannedQuery["parameters"], record: EventRecord): UnknownTime[] {
  const asked = parameters.flatMap(({ type, work }) => {
    const known = "error" in work ? undefined : recordFor(type, record);
    return known === undefined || "error" in work ? [] : [{ range: work.range, known }];
  });
  const range = hullOf(asked.map((one) => one.range));
  const [first] = asked;
  if (range === undefined || first === undefined) return [];
  const all = asked.map(({ known }) => known);
  const together = {
    ...first.known,
    keptFromMs: Math.max(...all.map(({ keptFromMs }) => keptFromMs)),
    expired: all.flatMap(({ expired }) => expired),
    erased: all.flatMap(({ erased }) => erased),
  };
  return unknownTimes(together, range);
}
