import type { Config } from "../config.ts";
import { dayMs } from "../time/utcDay.ts";

/**
 * The midnight (UTC, Unix ms) before which data is past a retention of `days` days (specification part 8). Data expires
 * by whole UTC days in the daily run at 00:00 UTC, so data younger than `days` days is always kept.
 */
export function oldestKeptMs(nowMs: number, days: number): number {
  return (Math.floor(nowMs / dayMs) - days) * dayMs;
}

/** Days for which data of a website is kept, by kind (specification part 8). */
export type RetentionDays = {
  readonly rawEventsDays: number;
  readonly aggregatedDays: number;
  readonly performanceDays: number;
  readonly customEventsDays: number;
};

export type Period = keyof RetentionDays;

export const periods = [
  "rawEventsDays",
  "aggregatedDays",
  "performanceDays",
  "customEventsDays",
] as const satisfies readonly Period[];

/** A website's own retention periods, days; null where the service's own period applies. */
export type OwnPeriods = { readonly [P in keyof RetentionDays]: number | null };

/** The retention of a website: its own periods, else those of the service. */
export function retentionOf(website: OwnPeriods, otherwise: Config["retention"]): RetentionDays {
  return {
    rawEventsDays: website.rawEventsDays ?? otherwise.rawEventDays,
    aggregatedDays: website.aggregatedDays ?? otherwise.aggregatedDays,
    performanceDays: website.performanceDays ?? otherwise.performanceDays,
    customEventsDays: website.customEventsDays ?? otherwise.customEventDays,
  };
}

/** Shorter periods of a website that take effect at `effectiveAtMs` (Unix ms), as stored in PostgreSQL. */
export type PendingRetention = {
  readonly periods: Partial<RetentionDays>;
  readonly effectiveAtMs: number;
  /** Rows by kind of data, counted when the periods were requested. */
  readonly wouldErase: Readonly<Record<string, number>>;
  /** The request that set them. */
  readonly requestId: string;
  /** Whether the workflow was notified. The name is part of the stored JSON. */
  readonly isNotified: boolean;
};

/** The periods in effect at a time, whether or not due pending periods were already stored as current. */
export function periodsAt(current: RetentionDays, pending: PendingRetention | null, timeMs: number): RetentionDays {
  return pending === null || timeMs < pending.effectiveAtMs ? current : { ...current, ...pending.periods };
}
