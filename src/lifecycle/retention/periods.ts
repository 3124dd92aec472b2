const dayMs = 86_400_000;

/**
 * The midnight (UTC, Unix ms) before which data is past a retention of `days` days (specification part 8). Data expires by whole UTC days
 * in the daily run at 00:00 UTC, so what is younger than `days` days is always kept.
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

/** Shorter periods of a website that are to hold from `effectiveAtMs` (Unix ms) on, as PostgreSQL keeps them. */
export type PendingRetention = {
  readonly periods: Partial<RetentionDays>;
  readonly effectiveAtMs: number;
  /** Rows by kind of data, counted when the periods were asked for. */
  readonly wouldErase: Readonly<Record<string, number>>;
  /** The request that asked for them. */
  readonly requestId: string;
  /** Whether the workflow that waits for them knows of them. */
  readonly isTold: boolean;
};

/** The periods that hold at a time, whether or not what was pending has been written down as holding since. */
export function periodsAt(current: RetentionDays, pending: PendingRetention | null, timeMs: number): RetentionDays {
  return pending === null || timeMs < pending.effectiveAtMs ? current : { ...current, ...pending.periods };
}
