import { ApplicationFailure, Context } from "@temporalio/activity";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { BackupBusyError, BackupError } from "../../src/backup/backupError.ts";
import { checkNewest } from "../../src/backup/checkNewest.ts";
import { type KeptBackups, keepBackups } from "../../src/backup/keepBackups.ts";
import type { Config } from "../../src/config.ts";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { reportProgress } from "../heartbeat.ts";

export type BackupActivities = ReturnType<typeof createBackupActivities>;

export type BackupActivityTools = {
  readonly postgres: Pool;
  readonly questdb: QuestdbReader;
  readonly config: Config;
  readonly log: Pick<Logger, "warn" | "info">;
};

export function createBackupActivities(tools: BackupActivityTools) {
  return {
    /** Makes a backup if one is due, and removes those that are too old. Fails for what an operator must mend. */
    async keepBackups(): Promise<KeptBackups> {
      try {
        return await keepBackups(tools, reportProgress, Context.current().cancellationSignal);
      } catch (error) {
        // One that an operator has started.
        if (error instanceof BackupBusyError) return { made: null, removed: [] };
        if (!(error instanceof BackupError)) throw error;
        tools.log.warn({ reason: error.message }, "the backup was not made");
        throw ApplicationFailure.nonRetryable(error.message, "BackupError");
      }
    },
    /** Checks the newest backup if that is due. Resolves to its id, or to null. */
    async checkNewestBackup(): Promise<string | null> {
      return await checkNewest(tools, reportProgress, Context.current().cancellationSignal);
    },
  };
}
