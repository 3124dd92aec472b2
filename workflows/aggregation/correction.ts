import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import type { Activities } from "../activities.ts";
import { aliveActivities } from "../activityOptions.ts";

const { correctTouchedDays } = aliveActivities<Activities>({
  startToCloseTimeout: "1 hour",
});

/** What a run did, in website-days and rows. */
export type CorrectionResult = Awaited<ReturnType<Activities["correctTouchedDays"]>>;

/**
 * Makes stored sessions and daily aggregation records (specification part 2) equal to their events again, for every
 * website and UTC day that got events. The Schedule `correction` starts it every minute; running it at any time is
 * safe.
 */
export async function correction(): Promise<CorrectionResult> {
  upsertSearchAttributes([{ key: lookoutKind, value: "correction" }]);
  const result = await correctTouchedDays();
  setCurrentDetails(
    [
      "### Correction: done",
      "",
      "| | |",
      "|-|-|",
      `| website-days corrected | ${result.days} |`,
      `| session rows written | ${result.sessions} |`,
      `| aggregation records written | ${result.records} |`,
      `| website-days skipped, past the retention of their events | ${result.expired} |`,
      `| website-days that failed and are tried again | ${result.failed} |`,
    ].join("\n"),
  );
  return result;
}
