import { createHash } from "node:crypto";
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from "@temporalio/client";

type Definition = ScheduleOptions;

/** The Schedules of the service, whose workflows run on `taskQueue`. */
export function scheduleDefinitions(taskQueue: string): Definition[] {
  return [
    dailyAggregation(taskQueue),
    correction(taskQueue),
    saltRotation(taskQueue),
    monitorReconciliation(taskQueue),
    exportReconciliation(taskQueue),
    retention(taskQueue),
    retentionReconciliation(taskQueue),
    deletionReconciliation(taskQueue),
    purge(taskQueue),
  ];
}

/**
 * Creates a Schedule, or brings it up to date; safe to run in several workers at once.
 *
 * A new Schedule runs at once, so that yesterday's records are there on the first day, unless its state says otherwise. One that is up to date is left alone,
 * because an update makes Temporal forget the runs that were missed while it was down. Whether it is paused stays the
 * operator's choice. Resolves to what was done.
 */
export async function ensureSchedule(
  client: Client,
  definition: Definition,
): Promise<"created" | "updated" | "unchanged"> {
  // Temporal hands a definition back in a form of its own, so what it was made from is remembered beside it.
  const { scheduleId, ...content } = definition;
  const fingerprint = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 12);
  const action = { ...definition.action, memo: { scheduleDefinition: fingerprint } };
  try {
    await client.schedule.create({ ...definition, action, state: { triggerImmediately: true, ...definition.state } });
    return "created";
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const schedule = client.schedule.getHandle(scheduleId);
  const existing = await schedule.describe();
  if (existing.action.memo?.["scheduleDefinition"] === fingerprint) return "unchanged";
  await schedule.update((previous) => ({
    ...content,
    action,
    state: previous.state,
    typedSearchAttributes: previous.typedSearchAttributes,
  }));
  return "updated";
}

function dailyAggregation(taskQueue: string): Definition {
  return {
    scheduleId: "daily-aggregation",
    spec: { calendars: [{ hour: 0, comment: "daily at 00:00 UTC" }], timezone: "UTC" },
    policies: {
      // Missed days are all made up for, one after the other.
      overlap: ScheduleOverlapPolicy.BUFFER_ALL,
      catchupWindow: "30 days",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "dailyAggregation",
      // Temporal appends the time the run was due.
      workflowId: "daily-aggregation",
      taskQueue,
      args: [],
      staticSummary: "Daily aggregation of all websites",
      staticDetails:
        "Writes the daily aggregation records of the UTC day before the run was due, and once more of the day before that. " +
        'For other days start the workflow type `dailyAggregation` with the input `{"day":"2026-11-20"}` or ' +
        '`{"from":"2026-11-01","to":"2026-11-20"}`.',
    },
  };
}

function correction(taskQueue: string): Definition {
  return {
    scheduleId: "correction",
    spec: { intervals: [{ every: "1 minute" }] },
    policies: {
      // A run takes all that waits, so one that was missed is made up for by the next.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: "1 minute",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "correction",
      workflowId: "correction",
      taskQueue,
      args: [],
      staticSummary: "Sessions and aggregates of the days that got events",
      staticDetails:
        "Each minute the sessions of every website and UTC day that got events are made from the events again, and the daily " +
        "aggregation records of days that are over. What waits stands in the PostgreSQL table `touched_days`.",
    },
  };
}

function saltRotation(taskQueue: string): Definition {
  return {
    scheduleId: "salt-rotation",
    spec: { calendars: [{ hour: 0, comment: "daily at 00:00 UTC" }], timezone: "UTC" },
    policies: {
      // A run destroys the salts of all days before, so one that was missed is made up for by one run.
      overlap: ScheduleOverlapPolicy.BUFFER_ONE,
      catchupWindow: "1 day",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "saltRotation",
      workflowId: "salt-rotation",
      taskQueue,
      args: [],
      staticSummary: "Destroys the visitor salts of earlier days",
      staticDetails:
        "The random salt of a UTC day is destroyed at the next midnight, also when nobody visits: what was hashed with it can then " +
        "be tried on no one. The salt stands in the PostgreSQL table `daily_salts`.",
    },
  };
}

function monitorReconciliation(taskQueue: string): Definition {
  return {
    scheduleId: "monitor-reconciliation",
    spec: { intervals: [{ every: "1 minute" }] },
    policies: {
      // A run looks at all monitors, so one that was missed is made up for by the next.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: "1 minute",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "monitorReconciliation",
      workflowId: "monitor-reconciliation",
      taskQueue,
      args: [],
      staticSummary: "Monitors run as PostgreSQL has them",
      staticDetails:
        "Tells the workflows of monitors what they missed while Temporal was away, starts those that do not run, and ends those of " +
        "deleted monitors.",
    },
  };
}

function deletionReconciliation(taskQueue: string): Definition {
  return {
    scheduleId: "deletion-reconciliation",
    spec: { intervals: [{ every: "1 minute" }] },
    policies: {
      // A run looks at all erasures, so one that was missed is made up for by the next.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: "1 minute",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "deletionReconciliation",
      workflowId: "deletion-reconciliation",
      taskQueue,
      args: [],
      staticSummary: "Erasures run as PostgreSQL has them",
      staticDetails: "Starts the workflows of erasures that were asked for while Temporal was away.",
    },
  };
}

function purge(taskQueue: string): Definition {
  return {
    scheduleId: "purge",
    spec: { calendars: [{ hour: 0, minute: 30, comment: "daily at 00:30 UTC" }], timezone: "UTC" },
    policies: {
      // A run takes on all websites that are due, so one that was missed is made up for by one run.
      overlap: ScheduleOverlapPolicy.BUFFER_ONE,
      catchupWindow: "1 day",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "purge",
      workflowId: "purge",
      taskQueue,
      args: [],
      staticSummary: "Erases websites that were deleted 90 days ago",
      staticDetails:
        "Each website is erased by a workflow `deletion/<id>` of its own; its receipt stands in the PostgreSQL table `deletions`.",
    },
  };
}

function retention(taskQueue: string): Definition {
  return {
    scheduleId: "retention",
    spec: { calendars: [{ hour: 0, comment: "daily at 00:00 UTC" }], timezone: "UTC" },
    policies: {
      // A run erases all that is past its retention, so those that were missed are made up for by one run.
      overlap: ScheduleOverlapPolicy.BUFFER_ONE,
      catchupWindow: "1 day",
      pauseOnFailure: false,
    },
    // Who starts the service on data from elsewhere has until midnight to set the periods.
    state: { triggerImmediately: false },
    action: {
      type: "startWorkflow",
      workflowType: "retention",
      workflowId: "retention",
      taskQueue,
      args: [],
      staticSummary: "Erases what is past its retention",
      staticDetails:
        "Looks once at each table of QuestDB for days with rows that are past the retention of their website, and erases them " +
        "a day at a time. What each run erased stands in the PostgreSQL tables `retention_runs` and `retention_erased`.",
    },
  };
}

function retentionReconciliation(taskQueue: string): Definition {
  return {
    scheduleId: "retention-reconciliation",
    spec: { intervals: [{ every: "5 minutes" }] },
    policies: {
      // A run looks at all that is pending, so one that was missed is made up for by the next.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: "1 minute",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "retentionReconciliation",
      workflowId: "retention-reconciliation",
      taskQueue,
      args: [],
      staticSummary: "Shorter retentions are waited for as PostgreSQL has them",
      staticDetails: "Starts the workflows of shorter periods whose change was made while Temporal was away.",
    },
  };
}

function exportReconciliation(taskQueue: string): Definition {
  return {
    scheduleId: "export-reconciliation",
    spec: { intervals: [{ every: "10 minutes" }] },
    policies: {
      // A run looks at all exports, so one that was missed is made up for by the next.
      overlap: ScheduleOverlapPolicy.SKIP,
      catchupWindow: "10 minutes",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow",
      workflowType: "exportReconciliation",
      workflowId: "export-reconciliation",
      taskQueue,
      args: [],
      staticSummary: "Exports whose run was lost",
      staticDetails:
        "An export is written, kept and removed by its own run. Where such a run is lost, its export is ended and its files are removed here.",
    },
  };
}
