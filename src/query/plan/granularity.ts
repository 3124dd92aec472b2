import type { IANAZone } from "luxon";
import { detail, type Problems, quoted } from "../../errors/problems.ts";
import { nearest } from "../../text/nearest.ts";
import { isLongerThan, type TimeRange } from "../../time/dates.ts";
import type { BucketUnit } from "../sql/buckets.ts";

/** Bucket sizes by the words that callers use. */
type BucketWords = ReadonlyMap<string, BucketUnit>;

/** The words of the compile call. */
export const timeUnits: BucketWords = new Map([
  ["hour", "hour"],
  ["day", "day"],
  ["week", "week"],
  ["month", "month"],
]);

/** The words of queries: those of specification 4.1, and weeks and months. */
export const granularities: BucketWords = new Map([
  ["hourly", "hour"],
  ["daily", "day"],
  ["weekly", "week"],
  ["monthly", "month"],
  ...timeUnits,
]);

/** Specification part 8. */
const maxHourlyDays = 30;

/** The bucket size of a word. Undefined without a word, or for an unknown one, which is reported. */
export function readBucketUnit(
  word: string,
  words: BucketWords,
  where: string,
  problems: Problems,
): BucketUnit | undefined {
  if (word === "") return undefined;
  const unit = words.get(word);
  if (unit !== undefined) return unit;
  const names = [...words.keys()];
  const message = `must be ${names.slice(0, -1).join(", ")} or ${names.at(-1)}, not ${quoted(word)}`;
  return problems.add(detail(where, message, nearest(word, names)));
}

/** Reports hourly buckets over a range that is too long for them. */
export function checkHourly(
  unit: BucketUnit,
  range: TimeRange | undefined,
  zone: IANAZone,
  where: string,
  problems: Problems,
): void {
  if (range !== undefined && unit === "hour" && isLongerThan(range, { days: maxHourlyDays }, zone))
    problems.add(detail(where, `may be hourly for up to ${maxHourlyDays} days only; use daily or a shorter range`));
}
