import type { ExcludedTrafficByDayRow, ExcludedTrafficRow } from "../../../../../../../packages/client-js/src/rows.ts";
import { query } from "../../../../api/client.ts";
import { failedAnswer } from "../../../../api/failedAnswer.ts";
import { type CallState, useCall } from "../../../../api/useCall.ts";
import { countDays } from "../../../../figures/days.ts";
import { useDashboard } from "../../context.ts";

export type Excluded = {
  readonly days: readonly ExcludedTrafficByDayRow[];
  readonly rows: readonly ExcludedTrafficRow[];
};

/** More bots than the lists of names have. */
const mostRows = 5_000;

/** With more hours a row of bars is a thicket. */
const mostDaysByHour = 2;

/** Asks what was left out in the range on screen. Filters of visits do not apply to what is no visit. */
export function useExcluded(isWanted: boolean): { readonly state: CallState<Excluded>; readonly question: Question } {
  const { scope, days, granularity, refresh } = useDashboard();
  const { filters: _, ...range } = scope;
  const isLong = granularity === "hourly" && countDays(days) > mostDaysByHour;
  const question = {
    ...range,
    granularity: isLong ? "daily" : granularity,
    limit: mostRows,
    parameters: ["excluded_traffic_by_day", "excluded_traffic"],
  } as const;
  const state = useCall(
    JSON.stringify(question),
    async (signal) => {
      const { data } = await query(question, { signal });
      const [byDay, all] = data;
      if (!byDay.success) throw failedAnswer(byDay);
      if (!all.success) throw failedAnswer(all);
      return { days: byDay.data, rows: all.data };
    },
    { refresh, isWanted },
  );
  return { state, question };
}

type Question = Parameters<typeof query<readonly ["excluded_traffic_by_day", "excluded_traffic"]>>[0];
