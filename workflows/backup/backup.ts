import { setCurrentDetails, upsertSearchAttributes } from "@temporalio/workflow";
import type { KeptBackups } from "../../src/backup/keepBackups.ts";
import { lookoutKind } from "../../src/store/temporal/searchAttributes.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { BackupActivities } from "./backupActivities.ts";

const { keepBackups, checkNewestBackup } = aliveActivities<BackupActivities>({ startToCloseTimeout: "12 hours" });

/** Makes a backup if one is due, and removes those that are too old (specification part 8: within 30 days). Every five minutes. */
export async function backup(): Promise<KeptBackups> {
  upsertSearchAttributes([{ key: lookoutKind, value: "backup" }]);
  const kept = await keepBackups();
  setCurrentDetails(
    `### Backups\n\nmade: ${kept.made ?? "none was due"}, removed: ${kept.removed.join(", ") || "none"}`,
  );
  return kept;
}

/**
 * Checks the newest backup once in BACKUP_CHECK_INTERVAL_MS; every five minutes it looks whether that is due. By itself, since reading a
 * large backup from a bucket takes hours, in which the next one may be due.
 */
export async function backupCheck(): Promise<string | null> {
  upsertSearchAttributes([{ key: lookoutKind, value: "backup-check" }]);
  const checked = await checkNewestBackup();
  setCurrentDetails(`### Backups\n\nchecked: ${checked ?? "none was due"}`);
  return checked;
}
