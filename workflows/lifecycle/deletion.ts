import { continueAsNew, setCurrentDetails, workflowInfo } from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import type { ErasureActivities } from "./erasureActivities.ts";

const activities = aliveActivities<ErasureActivities>({
  // Erasures before it, busy partitions and bytes that somebody still reads are waited for.
  startToCloseTimeout: "7 days",
});

/**
 * Erases what a row of the table `deletions` says and writes its receipt; workflow id `deletion/<id>`. PostgreSQL knows what is done, so a run
 * that starts over goes on there.
 *
 * New rows of the range are kept out first. Days are erased one by one, the newest first, since rows that visitors send now wait for
 * the statement of their day.
 */
export async function deletion(id: string): Promise<string> {
  show(id, "waiting for erasures of the website that were asked for before");
  await activities.awaitTurn(id);
  const { days, daysUntilNow, reachesNow, isPurge } = await activities.beginErasure(id);
  let done = 0;
  for (const day of days) {
    if (reachesNow && done === daysUntilNow) await activities.endRangesNow(id);
    show(id, `erasing ${day}, ${done} of ${days.length} days done`);
    await activities.eraseDeletionDay.executeWithOptions({ summary: day }, [id, day]);
    done += 1;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof deletion>(id);
  }
  if (reachesNow) await activities.endRangesNow(id);
  show(id, `${days.length} days erased, making sessions and daily records anew`);
  do {
    await activities.settleErasure(id);
    await activities.withdrawExportsOf(id);
    show(id, "erased; waiting until the bytes are gone from the disk");
    await activities.releaseBytes(id);
    // A write that a killed process left behind may have come late.
  } while ((await activities.verifyErased(id)) > 0);
  if (isPurge) await activities.removeWebsite(id);
  const { tables, goneAt } = await activities.completeErasure(id);
  const rows = tables.map(({ table, rowsBefore, rowsAfter }) => `| ${table} | ${rowsBefore} | ${rowsAfter} |`);
  setCurrentDetails(
    [`### Erased, gone since ${goneAt}`, "", "| table | before | after |", "|-|-|-|", ...rows].join("\n"),
  );
  return goneAt;
}

/** What an operator sees of the run in the Temporal UI. */
function show(id: string, state: string): void {
  setCurrentDetails(["| | |", "|-|-|", `| erasure | ${id} |`, `| state | ${state} |`].join("\n"));
}
