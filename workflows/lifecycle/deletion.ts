import { continueAsNew, setCurrentDetails, workflowInfo } from "@temporalio/workflow";
import { aliveActivities } from "../activityOptions.ts";
import { markdownTable } from "../markdownTable.ts";
import { showOutcome } from "../outcome.ts";
import type { ErasureActivities } from "./erasureActivities.ts";

const activities = aliveActivities<ErasureActivities>({
  // Waits for earlier erasures, busy partitions, and files that are still being read.
  startToCloseTimeout: "7 days",
});

/** Histories of runs in flight have the name on the left. */
const { verifyErased: eraseLateRows } = activities;

/**
 * Runs the erasure of a row of the table `deletions` and writes its receipt. PostgreSQL
 * knows what is done, so a run that starts over continues there.
 *
 * New rows of the range are blocked first. Days are erased one by one, newest first, since rows that visitors send now
 * wait for the statement of their day.
 */
export async function deletion(id: string): Promise<string> {
  show(id, "waiting for earlier deletions of the website");
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
  show(id, `${days.length} days erased, recomputing sessions and daily records`);
  do {
    await activities.settleErasure(id);
    await activities.withdrawExportsOf(id);
    show(id, "erased; waiting until the bytes are gone from the disk");
    await activities.releaseBytes(id);
    // A write of a killed process may have arrived late.
  } while ((await eraseLateRows(id)) > 0);
  if (isPurge) await activities.removeWebsite(id);
  const { tables, goneAt } = await activities.completeErasure(id);
  const rows = tables.map(({ table, rowsBefore, rowsAfter }) => [table, rowsBefore, rowsAfter]);
  setCurrentDetails(`### Erased, gone since ${goneAt}\n\n${markdownTable(["table", "before", "after"], rows)}`);
  showOutcome("erased");
  return goneAt;
}

/** What the Temporal UI shows of the run. */
function show(id: string, state: string): void {
  setCurrentDetails(markdownTable(["deletion", id], [["state", state]]));
}
