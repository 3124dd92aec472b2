import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  continueAsNew,
  isCancellation,
  setCurrentDetails,
  sleep,
  upsertSearchAttributes,
  workflowInfo,
} from "@temporalio/workflow";
import { lookoutKind, lookoutOrganization } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import { markdownTable } from "../markdownTable.ts";
import { showOutcome } from "../outcome.ts";
import type { MoveActivities } from "./moveActivities.ts";

const activities = aliveActivities<MoveActivities>({
  // Waits for processes, replicas and files.
  startToCloseTimeout: "7 days",
  // Nothing of a cancelled move may still be at work while it is undone.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Days that are copied before the log is looked at again: it must not lose rows meanwhile. */
const daysPerLook = 50;

/**
 * Moves an organization to another shard and erases it on the one that it leaves. PostgreSQL (`organization_moves`) knows how far it is, so a run that
 * starts over continues there. Cancelled before queries have gone over it leaves everything as it was; after that it goes on. With
 * `isGivenUp` it only undoes what was done: a run that does so and continues as a new one, and one that an operator starts after the move's has failed.
 */
export async function organizationMove(id: string, isGivenUp = false): Promise<string> {
  upsertSearchAttributes([{ key: lookoutKind, value: "organization-move" }]);
  try {
    if (isGivenUp) throw new CancelledFailure("the move was given up");
    const { phase, organizationId } = await activities.beginMove(id);
    upsertSearchAttributes([{ key: lookoutOrganization, value: organizationId }]);
    if (phase === "copying" || phase === "both") await copyAll(id);
  } catch (error) {
    if (!isCancellation(error)) throw error;
    await CancellationScope.nonCancellable(() => undo(id));
    showOutcome("cancelled");
    throw error;
  }
  return await CancellationScope.nonCancellable(() => leave(id));
}

/** Copies until both shards have the same rows and both are written. */
async function copyAll(id: string): Promise<void> {
  for (;;) {
    await show(id, "taking over the log, and comparing the shards");
    await activities.takeOverLog(id);
    const days = await activities.compareShards(id);
    for (const [done, day] of days.entries()) {
      await show(id, `copying ${day.table} of ${day.day}, ${done} of ${days.length} days of tables done`);
      await activities.copyDay.executeWithOptions({ summary: `${day.table} ${day.day}` }, [id, day]);
      if (done % daysPerLook === daysPerLook - 1) await activities.takeOverLog(id);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof organizationMove>(id);
    }
    if (days.length === 0) {
      await show(id, "writing to both shards, until the new one has everything");
      if (await activities.writeBoth(id)) return;
    }
    await sleep("1 second");
  }
}

async function leave(id: string): Promise<string> {
  await show(id, "queries go over to the new shard");
  await activities.switchReads(id);
  await show(id, "ending the writes to the old shard");
  await activities.leaveShard(id);
  await erase(id, "erasing on the old shard", false);
  await show(id, "erased on the old shard; waiting until the bytes are gone from its disks");
  const { tables, goneAt } = await activities.completeMove(id);
  const rows = tables.map(({ table, rowsBefore, rowsAfter }) => [table, rowsBefore, rowsAfter]);
  const table = markdownTable(["table", "before", "after"], rows);
  setCurrentDetails(`### Moved, gone from the old shard since ${goneAt}\n\n${table}`);
  showOutcome("moved");
  return goneAt;
}

async function undo(id: string): Promise<void> {
  await show(id, "cancelled; ending what is under way");
  await activities.cancelMove(id);
  await erase(id, "cancelled; erasing the copies", true);
  await activities.completeCancelledMove(id);
}

/** Erases until nothing is left: a write of a killed process may have arrived late. */
async function erase(id: string, what: string, isGivenUp: boolean): Promise<void> {
  for (;;) {
    const days = await activities.movedDaysToErase(id);
    if (days.length === 0) return;
    for (const [done, day] of days.entries()) {
      await show(id, `${what}, ${done} of ${days.length} days of tables done`);
      await activities.eraseMovedDay.executeWithOptions({ summary: `${day.table} ${day.day}` }, [id, day]);
      if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof organizationMove>(id, isGivenUp);
    }
  }
}

/** What the Temporal UI and the command show of the run. */
async function show(id: string, state: string): Promise<void> {
  setCurrentDetails(markdownTable(["move", id], [["state", state]]));
  await activities.noteMove(id, state);
}
