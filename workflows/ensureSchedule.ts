import { createHash } from "node:crypto";
import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from "@temporalio/client";

/**
 * Creates a Schedule or updates it; safe to run in several workers at once.
 *
 * A new Schedule runs at once, so that yesterday's records exist on the first day, unless its state says otherwise and `runsAtOnce` does not. A
 * Schedule that is up to date is left alone, because an update makes Temporal drop runs that were missed while it was
 * down. Whether it is paused stays the operator's choice. Resolves to what was done.
 */
export async function ensureSchedule(
  client: Client,
  definition: ScheduleOptions,
  runsAtOnce = definition.state?.triggerImmediately ?? true,
): Promise<"created" | "updated" | "unchanged"> {
  // Temporal returns definitions in another form, so a fingerprint of ours is stored with the Schedule.
  const { scheduleId, ...content } = definition;
  const fingerprint = createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 12);
  const action = { ...definition.action, memo: { scheduleDefinition: fingerprint } };
  try {
    await client.schedule.create({
      ...definition,
      action,
      state: { ...definition.state, triggerImmediately: runsAtOnce },
    });
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
