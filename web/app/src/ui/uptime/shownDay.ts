/** A day of a monitor, which may have been before the monitor existed. */
export type ShownDay = {
  readonly timestamp: string;
  readonly status: string;
  readonly uptimePercent: number;
  readonly coveragePercent: number;
  /** How many checks it had; undefined where the answer does not say. */
  readonly checks?: number;
  readonly isBefore: boolean;
};

export const dayMs = 86_400_000;

/** Availability is known only where something was checked. */
export function isKnown({ coveragePercent }: { readonly coveragePercent: number }): boolean {
  return coveragePercent > 0;
}

/** Whether a day (UTC) was over before a monitor was created. Without that instant no day was. */
export function isBeforeMonitor(day: string, createdAt: string | undefined): boolean {
  return createdAt !== undefined && Date.parse(day) + dayMs <= Date.parse(createdAt);
}

/** A shorter red part of a bar would not be seen. */
const leastDownShare = 0.12;

type DayFigures = Pick<ShownDay, "status" | "uptimePercent" | "coveragePercent">;

/**
 * Which part of the coloured bar of a day is red. An outage must not look like slow answers, so a day that was down for a part of its checks has a
 * red part at least as high as can be seen. Days that were mostly down are red as a whole, and slow answers alone are not red.
 */
export function downShare({ status, uptimePercent, coveragePercent }: DayFigures): number {
  if (!isKnown({ coveragePercent }) || status === "unknown") return 0;
  if (status === "down") return 1;
  return uptimePercent >= 100 ? 0 : Math.max(leastDownShare, 1 - uptimePercent / 100);
}

/** Whether a day was down for a part of its checks, but not for most of them. */
export function isPartlyDown(day: DayFigures): boolean {
  const share = downShare(day);
  return share > 0 && share < 1;
}
