import type { DataCall } from "../lifecycle/dataCall.ts";
import { catalogue } from "../query/catalogue/catalogue.ts";
import { audienceKindOf } from "../query/daily/audience.ts";
import type { DayReader } from "../query/daily/daysWithRows.ts";
import { dailyZone } from "../query/daily/planDaily.ts";
import { smallestShown } from "../query/daily/runAudience.ts";
import { findEventRecord } from "../query/unknown/eventRecord.ts";
import { visitFinder } from "../query/visits/findVisits.ts";
import { unsettledRangesIn } from "../query/visits/unsettledRanges.ts";
import { dayMs } from "../time/utcDay.ts";
import { type GroupFacts, groupDays } from "./facts.ts";

/** The query types whose rows are groups by these fields. */
const types = {
  country: "countries",
  path: "top_pages",
  referrer_source: "top_referrers",
  browser: "browsers",
} as const;

/**
 * The fewest visitors of one value that answers show of a day before `nowMs`, by field, where only an audience is measured. Missing are fields
 * of which nothing is shown. Rejects if it cannot be read.
 */
export async function countShownGroups(
  reader: DayReader,
  websiteId: string,
  smallest: number,
  nowMs: number,
  app: DataCall["app"],
): Promise<GroupFacts[]> {
  const range = { startMs: nowMs - groupDays * dayMs, endMs: nowMs };
  const record = await findEventRecord([websiteId], range, app);
  if (record === undefined) throw new Error("it is not known of which days events are stored");
  const findVisits = visitFinder(unsettledRangesIn(app));
  const found = await Promise.all(
    Object.entries(types).map(async ([field, name]): Promise<GroupFacts[]> => {
      const type = catalogue.get(name);
      const kind = type && audienceKindOf({ type, bucketUnit: "day" });
      if (type === undefined || kind === undefined) throw new Error(`${name} shows no groups`);
      const plan = { type, range, zone: dailyZone, bucketUnit: "day", filters: [], limit: 1, offset: 0 } as const;
      const asked = { ...plan, websiteIds: [websiteId] };
      const visitors = await smallestShown({ plan: asked, kind, smallest, record, reader, findVisits, app });
      return visitors === undefined ? [] : [{ field, visitors }];
    }),
  );
  return found.flat();
}
