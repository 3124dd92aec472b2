import type { Client } from "@temporalio/client";
import { type ScheduleName, scheduleEveryMs } from "../store/temporal/scheduleNames.ts";
import { isoTime } from "../time/utcDay.ts";
import { silentAfterMs } from "./pollerSource.ts";
import type { HealthSource } from "./source.ts";

/** A Schedule as Temporal lists it; times are Unix ms. */
export type ScheduleState = {
  readonly isPaused: boolean;
  /** When its last run was due. */
  readonly lastDueMs: number | undefined;
  /** When its next run is due. */
  readonly nextDueMs: number | undefined;
};

/** How late a run may start. */
const maxStartDelayMs = 60_000;
/** Longest run; meanwhile the next one is queued or skipped. */
const maxRunMs = 600_000;
/** Runs that may take longer. Backups and their checks have states of their own (`backup_late`, `backup_unchecked`). */
const longRunsMs: Readonly<Partial<Record<string, number>>> = {
  backup: 43_200_000,
  "backup-check": 43_200_000,
} satisfies Partial<Record<ScheduleName, number>>;

/** What is wrong with a Schedule that runs every `everyMs`; undefined if nothing is. */
export function scheduleProblem(
  { isPaused, lastDueMs, nextDueMs }: ScheduleState,
  everyMs: number,
  nowMs: number,
): string | undefined {
  if (isPaused) return "is paused";
  if (nextDueMs === undefined) return "will not run again";
  if (nextDueMs + maxStartDelayMs < nowMs) return `should have run at ${isoTime(nextDueMs)}`;
  if (lastDueMs !== undefined && lastDueMs + everyMs + maxRunMs < nowMs)
    return `has not begun another run since that of ${isoTime(lastDueMs)}`;
  return undefined;
}

const lookEveryMs = 30_000;

/**
 * Reports Schedules of the service that are missing or do not run at their times. `makeMissing` creates those that were deleted.
 */
export function scheduleSource(client: Pick<Client, "schedule">, makeMissing?: () => Promise<void>): HealthSource {
  const watchedSinceMs = Date.now();
  return {
    everyMs: lookEveryMs,
    async read() {
      const found = new Map<string, ScheduleState>();
      for await (const { scheduleId, state, info } of client.schedule.list())
        found.set(scheduleId, {
          isPaused: state.paused,
          lastDueMs: info.recentActions.at(-1)?.scheduledAt.getTime(),
          nextDueMs: info.nextActionTimes[0]?.getTime(),
        });
      const nowMs = Date.now();
      // The first worker creates them, and the list may be slightly stale.
      const isNew = nowMs < watchedSinceMs + silentAfterMs;
      const names = Object.keys(scheduleEveryMs);
      // It is still reported until the next look: runs may have been missed.
      if (!isNew && names.some((name) => !found.has(name))) await makeMissing?.().catch(() => undefined);
      return Object.entries(scheduleEveryMs).flatMap(([name, everyMs]) => {
        const known = found.get(name);
        const missing = isNew ? undefined : "is missing";
        const problem =
          known === undefined ? missing : scheduleProblem(known, everyMs + (longRunsMs[name] ?? 0), nowMs);
        if (problem === undefined) return [];
        return [{ state: "schedule_late" as const, of: name, message: `the Schedule ${name} ${problem}` }];
      });
    },
  };
}
