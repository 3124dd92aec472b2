import { createHash } from "node:crypto";
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from "@temporalio/client";

export const dailyScheduleId = "daily-aggregation";

/**
 * Creates the Schedule of the daily aggregation, or brings it up to date; safe to run in several workers at once.
 *
 * A new Schedule runs at once, so that yesterday's records are there on the first day. One that is up to date is left alone,
 * because an update makes Temporal forget the runs that were missed while it was down. Whether it is paused stays the
 * operator's choice. Resolves to what was done.
 */
export async function ensureDailySchedule(
  client: Client,
  taskQueue: string,
): Promise<"created" | "updated" | "unchanged"> {
  const definition = dailySchedule(taskQueue);
  // Temporal hands a definition back in a form of its own, so what it was made from is remembered beside it.
  const fingerprint = createHash("sha256").update(JSON.stringify(definition)).digest("hex").slice(0, 12);
  const action = { ...definition.action, memo: { scheduleDefinition: fingerprint } };
  try {
    await client.schedule.create({
      ...definition,
      action,
      scheduleId: dailyScheduleId,
      state: { triggerImmediately: true },
    });
    return "created";
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
  const schedule = client.schedule.getHandle(dailyScheduleId);
  const existing = await schedule.describe();
  if (existing.action.memo?.["scheduleDefinition"] === fingerprint) return "unchanged";
  await schedule.update((previous) => ({
    ...definition,
    action,
    state: previous.state,
    typedSearchAttributes: previous.typedSearchAttributes,
  }));
  return "updated";
}

function dailySchedule(taskQueue: string) {
  return {
    spec: { calendars: [{ hour: 0, comment: "daily at 00:00 UTC" }], timezone: "UTC" },
    policies: {
      // Missed days are all made up for, one after the other.
      overlap: ScheduleOverlapPolicy.BUFFER_ALL,
      catchupWindow: "30 days",
      pauseOnFailure: false,
    },
    action: {
      type: "startWorkflow" as const,
      workflowType: "dailyAggregation",
      // Temporal appends the time the run was due.
      workflowId: dailyScheduleId,
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
