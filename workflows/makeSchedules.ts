import type { Client } from "@temporalio/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { ensureSchedule } from "./ensureSchedule.ts";
import { scheduleDefinitions } from "./schedules.ts";

export type ScheduleWork = {
  readonly client: Client;
  readonly postgres: Pick<Pool, "query">;
  readonly log: Pick<Logger, "info">;
};

/**
 * Makes the Schedules that do not exist and brings the others up to date.
 *
 * Retention waits for the first midnight of a new installation. Where it has run before, as after a restore or when Temporal's data was
 * lost, it runs at once: days that are past their retention would stay until then.
 */
export async function makeSchedules({ client, postgres, log }: ScheduleWork, taskQueue: string): Promise<void> {
  for (const definition of scheduleDefinitions(taskQueue)) {
    const isDue = definition.scheduleId === "retention" && (await hasRetained(postgres));
    const outcome = await ensureSchedule(client, definition, isDue || undefined);
    log.info({ outcome, schedule: definition.scheduleId }, "A Schedule is in place");
  }
}

/** Whether a daily run of retention has ended; false where PostgreSQL does not answer, without which workers start. */
async function hasRetained(postgres: Pick<Pool, "query">): Promise<boolean> {
  const ended = "SELECT FROM retention_runs WHERE website_id IS NULL AND finished_at IS NOT NULL LIMIT 1";
  return await postgres.query(ended).then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  );
}
