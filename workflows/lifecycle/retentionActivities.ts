import { Context } from "@temporalio/activity";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { putReceipts } from "../../src/backup/keepBackups.ts";
import type { Config } from "../../src/config.ts";
import { applyDueChanges, applyRetentionChange } from "../../src/lifecycle/retention/applyRetentionChange.ts";
import {
  eraseExpiredRangeEverywhere,
  findExpiredDaysEverywhere,
} from "../../src/lifecycle/retention/expiredEverywhere.ts";
import type { ExpiredDays, RetentionScope } from "../../src/lifecycle/retention/findExpiredDays.ts";
import { startPendingRetentions } from "../../src/lifecycle/retention/notifyRetentionChange.ts";
import { finishRun, forgetOldRuns, insertRun } from "../../src/lifecycle/retention/retentionRuns.ts";
import type { Questdbs } from "../../src/store/questdb/questdbs.ts";
import type { RunTools } from "../../src/store/temporal/runs.ts";

export type RetentionActivities = ReturnType<typeof createRetentionActivities>;

export type RetentionTools = Pick<RunTools, "temporal"> & {
  readonly postgres: Pool;
  readonly questdb: Pick<Questdbs, "nodes">;
  readonly config: Config;
  readonly log: Pick<Logger, "warn">;
};

/** A run that erases, and its scope. Plain JSON. */
export type RetentionRun = { readonly id: string } & RetentionScope;

/** How far Temporal's clock may be ahead of ours. */
const clockToleranceMs = 3_600_000;

/** The activities of retention. The name of one is in the histories of runs in flight, so it stays. */
export function createRetentionActivities(tools: RetentionTools) {
  const { postgres } = tools;
  return {
    /** Begins a daily run with the periods that are in effect at `nowMs` (Unix ms). Safe to repeat. */
    async beginRetention(id: string, dueMs: number, nowMs: number): Promise<void> {
      await forgetOldRuns(postgres);
      await applyDueChanges(postgres, nowMs);
      await insertRun(postgres, { id, dueMs });
    },

    /** The days of each table that have rows to erase. */
    async findExpiredDays(run: RetentionRun): Promise<ExpiredDays[]> {
      return await findExpiredDaysEverywhere(tools, run.id, withSafeTime(run), Context.current().cancellationSignal);
    },

    /** Erases what is past its retention on one day of a table. Resolves to the rows by kind of data. */
    async eraseExpiredDay(
      run: RetentionRun,
      table: ExpiredDays["table"],
      day: string,
    ): Promise<Record<string, number>> {
      const signal = Context.current().cancellationSignal;
      return await eraseExpiredRangeEverywhere(tools, run.id, withSafeTime(run), table, day, signal);
    },

    /** Ends a run, and puts its record beside the backups. Resolves to all rows that it erased, by kind of data. */
    async finishRetention(id: string): Promise<Record<string, number>> {
      const erased = await finishRun(postgres, id);
      await putReceipts(tools);
      return erased;
    },

    applyRetentionChange: (websiteId: string, nowMs: number) => applyRetentionChange(postgres, websiteId, nowMs),
    startPendingRetentions: () => startPendingRetentions(tools, tools.log),
  };
}

/** Erasure is final, so two clocks must agree that the time has come. */
function withSafeTime(run: RetentionRun): RetentionRun {
  return { ...run, nowMs: Math.min(run.nowMs, Date.now() + clockToleranceMs) };
}
