import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { TimeRange } from "../../time/dates.ts";
import { isCovered } from "../../time/timeRanges.ts";
import { weeksBefore } from "../../time/weeksBefore.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { isMostlyKnown } from "../unknown/unknownTimes.ts";
import type { OtherVisits } from "../visits/visitsSql.ts";
import { spreadOf } from "./spread.ts";
import { byWebsite, selectedWebsites, unknownOfWebsite, websiteRows } from "./websiteRows.ts";

/** What is usual is the median of as many days, each a week before the other. */
const usualWeeks = 4;

/** The same weekday of the weeks before, each until the time of day at which a range ends. */
export function usualRanges({ range, zone }: Pick<ParameterPlan, "range" | "zone">): TimeRange[] {
  return Array.from({ length: usualWeeks }, (_, index) => weeksBefore(range, index + 1, zone));
}

/** The answer of websites_today: a row for each website, also for one without events, in no order. */
export function prepareWebsitesToday(plan: ParameterPlan): PreparedAnswer {
  const { range, visits } = plan;
  const usual: readonly OtherVisits[] = plan.usual ?? usualRanges(plan).map((before) => ({ range: before }));
  const statements = [{ range, visits }, ...usual].map(({ range: day, visits: source }) =>
    websiteRows({ ...plan, range: day, visits: source }, undefined, ["visitors", "active_sessions"]),
  );
  return {
    statements,
    rows: async (results) => {
      const [today, ...before] = await Promise.all(results.map(byWebsite));
      return await mapInSlices(selectedWebsites(plan), (id) => {
        const row = today?.get(id)?.get(0);
        const isUnknown = row === undefined && isCovered(range, unknownOfWebsite(plan, id, range));
        const known = usual.flatMap(({ range: day }, index) =>
          isMostlyKnown(unknownOfWebsite(plan, id, day), { range: day })
            ? [Number(before[index]?.get(id)?.get(0)?.["m0"] ?? 0)]
            : [],
        );
        const spread = spreadOf(known);
        return {
          website_id: id,
          visitors: isUnknown ? null : Number(row?.["m0"] ?? 0),
          sessions: isUnknown ? null : Number(row?.["m1"] ?? 0),
          usual_visitors: spread?.median ?? null,
          usual_lowest: spread?.lowest ?? null,
          usual_highest: spread?.highest ?? null,
          usual_days: known.length,
          since: startOf(plan.records?.get(id)?.firstMs),
        };
      });
    },
  };
}

function startOf(firstMs: number | undefined): string | null {
  return firstMs === undefined ? null : new Date(firstMs).toISOString();
}
