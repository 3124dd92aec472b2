import { type ScheduleOptions, ScheduleOverlapPolicy } from "@temporalio/client";
import type { ScheduleName } from "../src/store/temporal/scheduleNames.ts";

/**
 * The Schedules of the service; their workflows run on `taskQueue`. A workflow's id is the Schedule's id, to which
 * Temporal appends the time it was due.
 */
export function scheduleDefinitions(taskQueue: string): ScheduleOptions[] {
  return [
    {
      ...atMidnight,
      // All missed days are made up for, one after the other.
      policies: { overlap: ScheduleOverlapPolicy.BUFFER_ALL, catchupWindow: "30 days", pauseOnFailure: false },
      ...start(
        "daily-aggregation",
        "dailyAggregation",
        "Daily aggregation of all websites",
        "Writes the daily aggregation records of the UTC day before the run was due, and once more of the day before that. " +
          'For other days start the workflow type `dailyAggregation` with the input `{"day":"2026-11-20"}` or ' +
          '`{"from":"2026-11-01","to":"2026-11-20"}`.',
      ),
    },
    {
      ...each("1 minute"),
      ...start(
        "correction",
        "correction",
        "Sessions and aggregates of the days that got events",
        "Each minute the sessions of every website and UTC day that got events are made from the events again, and the daily " +
          "aggregation records of days that are over. The PostgreSQL table `touched_days` is the queue.",
      ),
    },
    {
      ...atMidnight,
      ...start(
        "salt-rotation",
        "saltRotation",
        "Destroys the visitor salts of earlier days",
        "The random salt of a UTC day is destroyed at the next midnight, even without visits: hashes made with it can then " +
          "no longer be checked against anyone. The salt is in the PostgreSQL table `daily_salts`.",
      ),
    },
    {
      ...each("1 minute"),
      ...start(
        "monitor-reconciliation",
        "monitorReconciliation",
        "Monitor workflows match PostgreSQL",
        "Notifies the workflows of monitors of changes made while Temporal was unavailable, starts missing ones, and ends those of " +
          "deleted monitors.",
      ),
    },
    {
      ...each("1 minute"),
      ...start(
        "export-reconciliation",
        "exportReconciliation",
        "Export workflows match PostgreSQL",
        "An export is written, kept and removed by its own run. Starts the runs of exports that were requested while Temporal was unavailable. " +
          "If a run is lost or was terminated, its export is ended here.",
      ),
    },
    {
      ...atMidnight,
      // An operator who imports data has until midnight to set the periods.
      state: { triggerImmediately: false },
      ...start(
        "retention",
        "retention",
        "Erases what is past its retention",
        "Looks once at each table of QuestDB for days with rows that are past the retention of their website, and erases them " +
          "a day at a time. What each run erased is in the PostgreSQL tables `retention_runs` and `retention_erased`.",
      ),
    },
    {
      ...each("5 minutes"),
      ...start(
        "retention-reconciliation",
        "retentionReconciliation",
        "Workflows of shorter retentions match PostgreSQL",
        "Starts the workflows of shorter periods whose change was made while Temporal was unavailable.",
      ),
    },
    {
      ...each("1 minute"),
      ...start(
        "deletion-reconciliation",
        "deletionReconciliation",
        "Deletion workflows match PostgreSQL",
        "Starts the workflows of deletions that were requested while Temporal was unavailable.",
      ),
    },
    {
      ...each("5 minutes"),
      ...start(
        "backup",
        "backup",
        "Makes backups and removes old ones",
        "Makes a backup if `BACKUP_TO` is set and one is due, removes backups that are older than `BACKUP_KEEP_DAYS`, and puts the " +
          "receipts of erasures beside them. The PostgreSQL table `backups` lists all of them.",
      ),
    },
    {
      ...each("5 minutes"),
      ...start(
        "backup-check",
        "backupCheck",
        "Checks the newest backup",
        "Reads the newest backup and compares its files with their checksums, once in `BACKUP_CHECK_INTERVAL_MS`. What is wrong is in the " +
          "PostgreSQL table `backups` and in `/readyz`.",
      ),
    },
    {
      ...atMidnight,
      spec: { calendars: [{ hour: 0, minute: 30, comment: "daily at 00:30 UTC" }], timezone: "UTC" },
      ...start(
        "purge",
        "purge",
        "Erases websites that were deleted 90 days ago",
        "Each website is erased by a workflow `deletion/<id>` of its own; its receipt is in the PostgreSQL table `deletions`.",
      ),
    },
  ];

  function start(scheduleId: ScheduleName, workflowType: string, staticSummary: string, staticDetails: string) {
    const action = { type: "startWorkflow" as const, workflowType, workflowId: scheduleId, taskQueue, args: [] };
    return { scheduleId, action: { ...action, staticSummary, staticDetails } };
  }
}

/** Daily; one run makes up for all that were missed. */
const atMidnight: Pick<ScheduleOptions, "spec" | "policies"> = {
  spec: { calendars: [{ hour: 0, comment: "daily at 00:00 UTC" }], timezone: "UTC" },
  policies: { overlap: ScheduleOverlapPolicy.BUFFER_ONE, catchupWindow: "1 day", pauseOnFailure: false },
};

/** At intervals; each run looks at everything, so it makes up for missed ones. */
function each(every: "1 minute" | "5 minutes"): Pick<ScheduleOptions, "spec" | "policies"> {
  return {
    spec: { intervals: [{ every }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: every, pauseOnFailure: false },
  };
}
