import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { deleteDamagedFiles } from "../../../durableLog/damagedFiles.ts";
import type { Deletion } from "../request/deletionRow.ts";
import { targetsOf } from "../request/erasureScope.ts";
import type { ErasureTools } from "../steps/erasureTools.ts";
import { blankDeadLetters, hasLoggedBefore } from "./localFiles.ts";
import { type SpoolAway, whenSpoolsAreClear } from "./whenSpoolsAreClear.ts";

const pauseMs = 500;

/**
 * Blanks the dead letters of an erasure's range below DATA_DIR, deletes damaged files of logs, and waits until no log holds a row from
 * before: neither there, also where a killed process left it, nor where another process reports it. Rows of the range are dropped when
 * their turn comes. Resolves to the logs whose processes do not report.
 */
export async function forgetOnDisk(
  { config, postgres }: Pick<ErasureTools, "config" | "postgres">,
  deletion: Deletion,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<SpoolAway[]> {
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
    while (await hasLoggedBefore(directory, nowMs)) {
      onWait(`rows in the log ${directory}`);
      await pause(pauseMs, undefined, { signal });
    }
  return await whenSpoolsAreClear(postgres, onWait, signal);
}
