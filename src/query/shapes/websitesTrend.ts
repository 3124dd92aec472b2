import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { bucketsOf } from "../sql/buckets.ts";
import { isBucketWithin } from "../sql/bucketTimes.ts";
import { byWebsite, selectedWebsites, unknownOfWebsite, websiteRows } from "./websiteRows.ts";

/** The answer of websites_trend: a row for each website, with a list of the visitors of each day, in no order. */
export function prepareWebsitesTrend(plan: ParameterPlan): PreparedAnswer {
  const { range, zone } = plan;
  const buckets = bucketsOf(range, "day", zone);
  return {
    statements: [websiteRows(plan, buckets, ["visitors"])],
    rows: async ([rows = []]) => {
      const found = await byWebsite(rows);
      return await mapInSlices(selectedWebsites(plan), (id) => {
        const unknown = unknownOfWebsite(plan, id, range);
        const days = found.get(id);
        return {
          website_id: id,
          first_day: buckets.labels[0] ?? "",
          visitors_by_day: buckets.labels.map((_, day) => {
            const row = days?.get(day);
            if (row === undefined && isBucketWithin(buckets, day, range, unknown)) return null;
            return Number(row?.["m0"] ?? 0);
          }),
        };
      });
    },
  };
}
