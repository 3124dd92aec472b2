import {
  ApplicationFailure,
  continueAsNew,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import { lookoutDay, lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import type { Activities } from "../activities.ts";
import { aliveActivities } from "../activityOptions.ts";
import { dueTime } from "../scheduledTime.ts";
import { nextDay, type RequestedDays, resolveDays } from "./aggregationDays.ts";

type Totals = { readonly days: number; readonly websites: number; readonly records: number };

/** Where a long run continues in its next part. Set only by the workflow itself. */
type Position = { readonly day: string; readonly afterWebsite: string; readonly totals: Totals };

/**
 * `{"day":"2026-11-20"}`, `{"from":"2026-11-01","to":"2026-11-20"}`, or nothing for the days before the run was due.
 */
export type DailyAggregationInput = RequestedDays & { readonly position?: Position };

export type DailyAggregationResult = { readonly from: string; readonly to: string } & Totals;

const { listWebsites } = aliveActivities<Activities>({
  // Longer than the timeout of a QuestDB query.
  startToCloseTimeout: "45 seconds",
});

const { aggregate } = aliveActivities<Activities>({
  // For a chunk of websites, including the biggest.
  startToCloseTimeout: "1 hour",
});

/** Websites per activity: limits its input in the history to some kB, and how long a cancellation takes. */
const websitesPerChunk = 100;

/**
 * Writes the daily aggregation records of all websites, day by day (specification part 2). Repeating a day is safe.
 *
 * The Schedule `daily-aggregation` starts it at 00:00 UTC. For other days, start a workflow of type `dailyAggregation`
 * in the Temporal UI on the worker's task queue, with the days as input and an id such as
 * `daily-aggregation/2026-11-20`. Fails without a retry when the input has days that have not ended.
 */
export async function dailyAggregation(input?: DailyAggregationInput | null): Promise<DailyAggregationResult> {
  // Set here rather than by the Schedule, so that runs started by hand can be found too.
  upsertSearchAttributes([{ key: lookoutKind, value: "daily-aggregation" }]);
  const range = resolveDays(input ?? {}, dueTime().getTime());
  if ("problem" in range) throw ApplicationFailure.nonRetryable(range.problem, "InvalidInput");

  const { from, to } = range;
  let day = input?.position?.day ?? from;
  let afterWebsite = input?.position?.afterWebsite ?? "";
  let totals = input?.position?.totals ?? { days: 0, websites: 0, records: 0 };

  while (day <= to) {
    showPosition(from, to, day, totals);
    const summary = afterWebsite === "" ? `websites of ${day}` : `websites of ${day} after ${afterWebsite}`;
    const websiteIds = await listWebsites.executeWithOptions({ summary }, [day, afterWebsite, websitesPerChunk]);
    const lastWebsite = websiteIds.at(-1);
    if (lastWebsite !== undefined) {
      const records = await aggregate.executeWithOptions({ summary: `${day}, ${websiteIds.length} websites` }, [
        day,
        websiteIds,
      ]);
      totals = { ...totals, websites: totals.websites + websiteIds.length, records: totals.records + records };
    }
    if (lastWebsite !== undefined && websiteIds.length === websitesPerChunk) {
      afterWebsite = lastWebsite;
    } else {
      totals = { ...totals, days: totals.days + 1 };
      day = nextDay(day);
      afterWebsite = "";
    }
    if (day <= to && workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof dailyAggregation>({ from, to, position: { day, afterWebsite, totals } });
  }
  showPosition(from, to, undefined, totals);
  return { from, to, ...totals };
}

/** What the Temporal UI shows of the run. */
function showPosition(from: string, to: string, day: string | undefined, totals: Totals): void {
  upsertSearchAttributes([{ key: lookoutDay, value: day ?? to }]);
  setCurrentDetails(
    [
      `### Daily aggregation: ${day === undefined ? "done" : `at ${day}`}`,
      "",
      "| | |",
      "|-|-|",
      `| days (UTC) | ${from === to ? from : `${from} to ${to}`} |`,
      `| days done | ${totals.days} |`,
      `| websites done, a website a day | ${totals.websites} |`,
      `| records written | ${totals.records} |`,
    ].join("\n"),
  );
}
