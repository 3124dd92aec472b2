import { type PendingRetention, periods, type RetentionDays } from "../../../retention/periods.ts";

/**
 * The result of a change of periods: those that take effect at once, those that take effect later, and whether the
 * waiting time starts again.
 */
export type RetentionPlan = {
  readonly now: Partial<RetentionDays>;
  readonly later: Partial<RetentionDays>;
  readonly isNewlyShorter: boolean;
};

/**
 * A period that is not shorter than the current one takes effect at once, and cancels a shorter one that was pending. A
 * shorter one becomes pending and replaces what was pending for the same period. Periods left out stay as they are,
 * including pending ones.
 */
export function planRetention(
  current: RetentionDays,
  pending: PendingRetention | null,
  asked: { readonly [P in keyof RetentionDays]?: number | undefined },
): RetentionPlan {
  const now: Record<string, number> = {};
  const later: Record<string, number> = { ...pending?.periods };
  let isNewlyShorter = false;
  for (const period of periods) {
    const days = asked[period];
    if (days === undefined) continue;
    if (days >= current[period]) {
      now[period] = days;
      delete later[period];
      continue;
    }
    if (later[period] !== days) isNewlyShorter = true;
    later[period] = days;
  }
  return { now, later, isNewlyShorter };
}
