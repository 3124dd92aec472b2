import { Context } from "@temporalio/activity";
import { compareShards } from "../../src/scale/move/compareShards.ts";
import { copyDay, type DayToCopy } from "../../src/scale/move/copyDay.ts";
import { eraseOwnedRange } from "../../src/scale/move/eraseOwnedRange.ts";
import type { TableDay } from "../../src/scale/move/movedRows.ts";
import {
  beginMove,
  cancelMove,
  completeCancelled,
  completeMove,
  daysToErase,
  leaveShard,
  switchReads,
  writeBoth,
} from "../../src/scale/move/moveSteps.ts";
import {
  type MoveReceipt,
  type MoveTools,
  noteProgress,
  type OrganizationMove,
  readMove,
} from "../../src/scale/move/organizationMove.ts";
import { takeOverLog } from "../../src/scale/move/takeOverLog.ts";

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
  const cancelled = () => Context.current().cancellationSignal;
  return {
    async beginMove(id: string): Promise<Pick<OrganizationMove, "phase" | "organizationId">> {
      return await beginMove(tools(), id, cancelled());
    },

    /** Shows to the operator what the run does. */
    async noteMove(id: string, progress: string): Promise<void> {
      await noteProgress(others.postgres, id, progress);
    },

    async takeOverLog(id: string): Promise<void> {
      await takeOverLog(tools(), id, cancelled());
    },

    /** Days of which the new shard has other rows than the old one; none when there are no more. */
    async compareShards(id: string): Promise<DayToCopy[]> {
      return (await compareShards(tools(), id, cancelled())).slice(0, daysAtOnce);
    },

    /** Resolves to the number of rows. */
    async copyDay(id: string, day: DayToCopy): Promise<number> {
      return await copyDay(tools(), id, day, cancelled());
    },

    /** False when the new shard lacks rows that have to be copied first. */
    async writeBoth(id: string): Promise<boolean> {
      return await writeBoth(tools(), id, cancelled());
    },

    async switchReads(id: string): Promise<void> {
      await switchReads(tools(), id, cancelled());
    },

    async leaveShard(id: string): Promise<void> {
      await leaveShard(tools(), id, cancelled());
    },

    async movedDaysToErase(id: string): Promise<readonly TableDay[]> {
      return (await daysToErase(tools(), id, cancelled())).slice(0, daysAtOnce);
    },

    async eraseMovedDay(id: string, day: TableDay): Promise<void> {
      const { organizationId, fromShard, toShard, phase } = await readMove(others.postgres, id);
      const shard = phase === "leaving" ? fromShard : toShard;
      await eraseOwnedRange(tools(), shard, organizationId, day, cancelled());
    },

    async completeMove(id: string): Promise<MoveReceipt> {
      return await completeMove(tools(), id, cancelled());
    },

    async cancelMove(id: string): Promise<void> {
      await cancelMove(tools(), id, cancelled());
    },

    async completeCancelledMove(id: string): Promise<void> {
      await completeCancelled(tools(), id, cancelled());
    },
  };
}
