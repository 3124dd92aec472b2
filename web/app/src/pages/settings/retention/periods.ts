import type { Retention } from "../../../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";

/** The periods in the order in which they are shown. */
export const periods = ["rawEventsDays", "customEventsDays", "performanceDays", "aggregatedDays"] as const;

/** The number of days of each period. */
export type Days = Readonly<Record<(typeof periods)[number], number>>;

export function daysOf(retention: Retention | undefined): Days {
  const days = (period: (typeof periods)[number]): number => retention?.[period] ?? 0;
  return {
    rawEventsDays: days("rawEventsDays"),
    customEventsDays: days("customEventsDays"),
    performanceDays: days("performanceDays"),
    aggregatedDays: days("aggregatedDays"),
  };
}
