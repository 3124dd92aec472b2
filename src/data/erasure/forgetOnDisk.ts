import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Deletion } from "./deletionRow.ts";
import { targetsOf } from "./erasureScope.ts";
import type { ErasureTools } from "./erasureTools.ts";
import { blankDeadLetters, hasSpooledBefore } from "./localFiles.ts";

const pauseMs = 500;

/**
 * Blanks the dead letters of an erasure's range below DATA_DIR, and waits until the spools there hold no row from before: rows of the
 * range are dropped when their turn comes. API and worker are to share DATA_DIR; spools of other machines are not seen from here.
 */
export async function forgetOnDisk(
  { config }: Pick<ErasureTools, "config">,
  deletion: Deletion,
  onWait: (reason: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const directories = [config.spool.directory, config.uptime.spoolDirectory];
  const ranges = targetsOf(deletion).map(({ table, fromMs, untilMs }) => ({
    websiteId: deletion.websiteId,
    tables: [table],
    fromMs,
    untilMs,
    visitorKey: deletion.visitorKey,
    closedMs: null,
  }));
  for (const directory of directories) await blankDeadLetters(join(directory, "dead-letters.jsonl"), ranges);
  const nowMs = Date.now();
  for (const directory of directories)
    while (await hasSpooledBefore(directory, nowMs)) {
      onWait(`rows in the spool ${directory}`);
      await pause(pauseMs, undefined, { signal });
    }
}
