import { type PendingRetention, periods, type RetentionDays } from "../lifecycle/retention/periods.ts";

/** What a change of periods leads to: those that hold at once, those that are to hold later, and whether the time until then begins anew. */
export type RetentionPlan = {
  readonly now: Partial<RetentionDays>;
  readonly later: Partial<RetentionDays>;
  readonly isNewlyShorter: boolean;
};

/**
 * A period that is not shorter than the present one holds at once, and takes back a shorter one that was pending. A shorter one is pending, in place of
 * what was pending for the same period. Periods that are left out stay as they are, pending ones too.
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
