import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { KeptBackups } from "../../src/backup/keepBackups.ts";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { BackupActivities } from "./backupActivities.ts";

const { keepBackups } = aliveActivities<BackupActivities>({ startToCloseTimeout: "12 hours" });

/**
 * Makes a backup if one is due, and removes those that are too old (specification part 8: within 30 days). Every five
 * minutes.
 */
export async function backup(): Promise<KeptBackups> {
  upsertSearchAttributes([{ key: lookoutKind, value: "backup" }]);
  const kept = await keepBackups();
  setCurrentDetails(
    `### Backups\n\nmade: ${kept.made ?? "none was due"}, removed: ${kept.removed.join(", ") || "none"}`,
  );
  return kept;
}
