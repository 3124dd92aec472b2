import type { ScheduleOptions } from "@temporalio/client";
import { expect, test } from "vitest";
import { makeSchedules } from "../../workflows/makeSchedules.ts";

/** Which new Schedules run at once, where `query` answers whether retention has run. */
async function startedAtOnce(query: () => Promise<{ rowCount: number }>): Promise<string[]> {
  const created: ScheduleOptions[] = [];
  const schedule = { create: async (options: ScheduleOptions) => void created.push(options) };
  const log = { info: () => undefined };
  await makeSchedules({ client: { schedule } as never, postgres: { query } as never, log }, "queue");
  return created.flatMap(({ scheduleId, state }) => (state?.triggerImmediately ? [scheduleId] : []));
}

test("8: retention of a new installation waits for midnight, and runs at once where it has run before, as after a restore", async () => {
  const ofNew = await startedAtOnce(async () => ({ rowCount: 0 }));
  expect(ofNew).toEqual(expect.arrayContaining(["daily-aggregation", "purge", "salt-rotation"]));
  expect(ofNew).not.toContain("retention");
  expect(await startedAtOnce(async () => ({ rowCount: 1 }))).toEqual(expect.arrayContaining([...ofNew, "retention"]));
  expect(await startedAtOnce(() => Promise.reject(new Error("no database")))).toEqual(ofNew);
});
