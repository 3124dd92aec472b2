import { join } from "node:path";
import { poll } from "../../../concurrency/poll.ts";
import { deleteDamagedFiles } from "../../../durableLog/damagedFiles.ts";
import type { Deletion, LogAway } from "../deletion/deletionRow.ts";
import { targetsOf } from "../deletion/deletionScope.ts";
import type { ErasureTools } from "../stores/erasureTools.ts";
import { blankDeadLetters, hasLoggedBefore } from "./localFiles.ts";
import { whenLogsAreClear } from "./whenLogsAreClear.ts";

/**
 * Removes an erasure's rows from files below DATA_DIR: blanks its dead letters, deletes damaged log files, and waits
 * until no log holds a row received before the call, neither here (also where a killed process left one) nor in another
 * process that reports. Rows of the range are dropped when they are read from a log. Resolves to the logs whose
 * processes do not report.
 */
export async function eraseFromLogs(
  { config, postgres }: Pick<ErasureTools, "config" | "postgres">,
  deletion: Deletion,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<LogAway[]> {
  const { eventsDirectory, checksDirectory } = config.durableLog;
  const directories = [eventsDirectory, checksDirectory];
  const ranges = targetsOf(deletion).map(({ table, fromMs, untilMs }) => ({
    websiteId: deletion.websiteId,
    tables: [table],
    fromMs,
    untilMs,
    visitorKey: deletion.visitorKey,
    closedMs: null,
  }));
  for (const directory of directories) {
    await blankDeadLetters(join(directory, "dead-letters.jsonl"), ranges);
    await deleteDamagedFiles(directory);
  }
  const nowMs = Date.now();
  for (const directory of directories)
    await poll(async () => {
      if (!(await hasLoggedBefore(directory, nowMs))) return true;
      onWait(`rows in the log ${directory}`);
      return false;
    }, signal);
  return await whenLogsAreClear(postgres, onWait, signal);
}
