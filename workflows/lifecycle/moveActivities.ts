import { compareShards } from "../../src/scale/move/compareShards.ts";
import { copyDay } from "../../src/scale/move/copyDay.ts";
import {
  beginMove,
  cancelMove,
  completeCancelled,
  completeMove,
  daysToErase,
  eraseMovedDay,
  leaveShard,
  switchReads,
  writeBoth,
} from "../../src/scale/move/moveSteps.ts";
import { type MoveTools, noteProgress } from "../../src/scale/move/organizationMove.ts";
import { takeOverLog } from "../../src/scale/move/takeOverLog.ts";
import { step } from "../activityStep.ts";

export type MoveActivities = ReturnType<typeof createMoveActivities>;

/** Days of tables that an activity resolves to: Temporal takes answers of up to two megabytes, and the workflow asks again. */
const daysAtOnce = 5_000;

/**
 * The steps of moving an organization to another shard; each may be repeated by another worker. The name of one is in
 * the histories of runs in flight, so it stays.
 */
export function createMoveActivities({
  brokers,
  questdb,
  ...others
}: Omit<MoveTools, "brokers" | "questdb"> & {
  readonly brokers: MoveTools["brokers"] | undefined;
  readonly questdb: MoveTools["questdb"] | undefined;
}) {
  const tools = (): MoveTools => {
    if (brokers === undefined || questdb === undefined)
      throw new Error("Moving an organization needs a log of brokers: start this worker with KAFKA_BROKERS and SHARDS");
    return { ...others, brokers, questdb };
  };
  return {
    beginMove: step(tools, beginMove),
    /** Shows to the operator what the run does. */
    noteMove: (id: string, progress: string) => noteProgress(others.postgres, id, progress),
    takeOverLog: step(tools, takeOverLog),
    /** Days of which the new shard has other rows than the old one; none when there are no more. */
    compareShards: async (id: string) => (await step(tools, compareShards)(id)).slice(0, daysAtOnce),
    /** Resolves to the number of rows. */
    copyDay: step(tools, copyDay),
    /** False when the new shard lacks rows that have to be copied first. */
    writeBoth: step(tools, writeBoth),
    switchReads: step(tools, switchReads),
    leaveShard: step(tools, leaveShard),
    movedDaysToErase: async (id: string) => (await step(tools, daysToErase)(id)).slice(0, daysAtOnce),
    eraseMovedDay: step(tools, eraseMovedDay),
    completeMove: step(tools, completeMove),
    cancelMove: step(tools, cancelMove),
    completeCancelledMove: step(tools, completeCancelled),
  };
}
