import { DateTime } from "luxon";
import { validationError } from "../../errors/errors.ts";
import { spreadOf } from "../../query/shapes/spread.ts";
import type { AnsweredRange } from "./answeredRange.ts";
import { type JsonObject, listOf } from "./tool.ts";

/** What is usual is of so many weeks before, of which at least so many are known: as on the page of an incident. */
const mostWeeks = 4;
const leastWeeks = 3;

/** With fewer, chance alone makes the difference. */
const leastCompared = 5;

const longestDays = 7;

/** The same times of the weeks before, of an unfinished range until the time now. Throws VALIDATION_ERROR for a range longer than a week. */
export function usualRanges({ from, until, now = until, timezone }: AnsweredRange): JsonObject[] {
  const [start, end, whole] = [from, now, until].map((time) => DateTime.fromISO(time, { zone: timezone }));
  if (start === undefined || end === undefined || whole === undefined) return [];
  if (whole > start.plus({ days: longestDays })) {
    const message = `usual is for ranges of at most ${longestDays} days; use previous, weekdays or year`;
    throw validationError([{ field: "compare", message }]);
  }
  return Array.from({ length: mostWeeks }, (_, index) => {
    const [startDate, endDate] = [start, end].map((time) => time.minus({ weeks: index + 1 }).toISO());
    return { startDate, endDate };
  });
}

/** What is usual of goals, by the answers about the weeks before, and what to know about it. */
export function usualGoals(goals: readonly JsonObject[], weeks: readonly JsonObject[]) {
  const known = weeks.filter(({ unknown }) => listOf(unknown).length === 0);
  if (known.length < leastWeeks) {
    const message = `fewer than ${leastWeeks} earlier weeks are known, so what is usual cannot be told`;
    return { usual: { weeks: known.length, goals: null }, hints: [{ field: "compare", message }] };
  }
  const usual = goals.map(({ name }, index) => {
    const spread = (figure: string) =>
      spreadOf(known.map((week) => figureOf(listOf(week["goals"])[index], figure) ?? 0));
    return { name, visitors: spread("visitors"), converted: spread("converted") };
  });
  const hints = usual.flatMap(({ name, converted }) =>
    converted === undefined || converted.median >= leastCompared
      ? []
      : [tooFew(`usually ${converted.median} visitors reach ${String(name)}`)],
  );
  return { usual: { weeks: known.length, goals: usual }, hints };
}

/** What to know about goals that too few visitors reached in both periods. */
export function smallComparisons(goals: readonly JsonObject[], compared: readonly JsonObject[]): JsonObject[] {
  return goals.flatMap((goal, index) => {
    const [now, then] = [goal, compared[index]].map((one) => figureOf(one, "converted"));
    if (now === undefined || then === undefined || Math.max(now, then) >= leastCompared) return [];
    return [tooFew(`${now} and ${then} visitors reached ${String(goal["name"])}`)];
  });
}

function tooFew(what: string): JsonObject {
  return { field: "compare", message: `${what}: too few to tell a difference` };
}

/** A figure of a goal's total; undefined if it is unknown. */
function figureOf(goal: JsonObject | undefined, figure: string): number | undefined {
  const value = (goal?.["total"] as JsonObject | null | undefined)?.[figure];
  return typeof value === "number" ? value : undefined;
}
