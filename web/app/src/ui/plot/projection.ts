import type { Granularity } from "../../../../../packages/client-js/src/valueSets.ts";

/** Less of a bucket says too little about its rest: nights are quiet. */
const leastPassed = 0.25;

/** The clock of the website. */
type Clock = { readonly day: string; readonly time: string };

/** Which part of the bucket that is not over has passed, 0 to 1. */
export function passedShare(granularity: Granularity, bucket: string, { day, time }: Clock): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  if (isHourly(granularity)) return minutes / 60;
  const days = (Date.parse(day) - Date.parse(bucket.slice(0, 10))) / 86_400_000 + (hours * 60 + minutes) / 1_440;
  return Math.min(1, days / lengthInDays(granularity, bucket));
}

function isHourly(granularity: string): boolean {
  return granularity === "hourly" || granularity === "hour";
}

function lengthInDays(granularity: string, bucket: string): number {
  if (granularity.startsWith("week")) return 7;
  if (!granularity.startsWith("month")) return 1;
  const [year = 0, month = 1] = bucket.split("-").map(Number);
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** What a count will have reached at the end of its bucket if it goes on as until now. Undefined while too little of it has passed. */
export function projected(value: number | null, passed: number): number | undefined {
  return value === null || passed < leastPassed ? undefined : Math.round(value / Math.min(1, passed));
}
