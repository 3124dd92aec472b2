import { afterEach, expect, test, vi } from "vitest";
import { backupSource } from "../../src/health/backupSource.ts";
import { clockOffset, isSkewed } from "../../src/health/clockSource.ts";
import { addSample, decideDisk, type SpaceSample, spaceLeft, spaceText } from "../../src/health/diskSpace.ts";
import { isSilent, pollerSource, silentAfterMs } from "../../src/health/pollerSource.ts";
import { scheduleProblem, scheduleSource } from "../../src/health/scheduleSource.ts";
import { TaskClock } from "../../src/health/taskClock.ts";
import { ApplyLag } from "../../src/store/questdb/applyLag.ts";
import { scheduleEveryMs } from "../../src/store/temporal/scheduleNames.ts";
import { scheduleDefinitions } from "../../workflows/schedules.ts";

afterEach(() => {
  vi.useRealTimers();
});

const gibibyte = 1_073_741_824;
const minute = 60_000;

/** Free space each minute from a start, of which `used(minute)` is gone. */
const samplesOf = (minutes: number, startBytes: number, used: (minute: number) => number): readonly SpaceSample[] =>
  Array.from({ length: minutes + 1 }, (_, at) => ({ atMs: at * minute, freeBytes: startBytes - used(at) })).reduce<
    readonly SpaceSample[]
  >(addSample, []);

test("a disk that fills steadily has the time left of its rate", () => {
  const { freeBytes, secondsLeft } = spaceLeft(samplesOf(30, 31 * gibibyte, (at) => (at / 30) * gibibyte));
  expect(freeBytes).toBe(30 * gibibyte);
  expect(secondsLeft).toBeCloseTo(15 * 3_600, 0);
  expect(spaceText({ freeBytes, secondsLeft })).toBe("30.0 GiB are free, at the current rate for 15.0 hours");
});

test("a single large file, the first minutes and a disk that is emptied are no disk that fills", () => {
  const noRate = { secondsLeft: undefined };
  expect(spaceLeft(samplesOf(30, 31 * gibibyte, (at) => (at > 3 ? 20 * gibibyte : 0)))).toMatchObject(noRate);
  expect(spaceLeft(samplesOf(12, 57 * gibibyte, (at) => (at * gibibyte) / 6)), "a build").toMatchObject(noRate);
  expect(spaceLeft(samplesOf(29, 31 * gibibyte, (at) => at * gibibyte))).toMatchObject(noRate);
  expect(spaceLeft(samplesOf(30, gibibyte, (at) => -at * gibibyte))).toMatchObject(noRate);
  expect(spaceLeft([])).toMatchObject(noRate);
});

test("the rate is that of the last hour", () => {
  const samples = samplesOf(300, 500 * gibibyte, (at) => Math.min(at, 200) * gibibyte);
  expect(samples.length).toBeLessThanOrEqual(61);
  expect(spaceLeft(samples)).toEqual({ freeBytes: 300 * gibibyte, secondsLeft: undefined });
});

test("a disk is low by its bytes or by its time, and full when QuestDB cannot write", () => {
  const limits = { minFreeBytes: gibibyte, minTimeLeftMs: 6 * 3_600_000 };
  expect(decideDisk({ freeBytes: 2 * gibibyte, secondsLeft: undefined }, limits)).toBeUndefined();
  expect(decideDisk({ freeBytes: 2 * gibibyte, secondsLeft: 7 * 3_600 }, limits)).toBeUndefined();
  expect(decideDisk({ freeBytes: 2 * gibibyte, secondsLeft: 5 * 3_600 }, limits)).toBe("disk_low");
  expect(decideDisk({ freeBytes: gibibyte - 1, secondsLeft: undefined }, limits)).toBe("disk_low");
  expect(decideDisk({ freeBytes: 60 * 1_048_576, secondsLeft: undefined }, limits)).toBe("disk_full");
});

test("clocks differ only by what the time of the answer cannot explain", () => {
  expect(clockOffset(1_000, 900, 1_200)).toEqual({ offsetMs: 200, errorMs: 100 });
  expect(isSkewed(clockOffset(10_000, 8_900, 10_010))).toBe(true);
  expect(isSkewed(clockOffset(10_000, 11_200, 10_010))).toBe(true);
  expect(isSkewed(clockOffset(10_000, 9_900, 10_010))).toBe(false);
  expect(isSkewed(clockOffset(10_000, 10_000, 14_000)), "an answer that took 4 s").toBe(false);
});

test("the clock of a probe is compared with the times at which Temporal scheduled its last tasks", async () => {
  const messages = async (...delaysMs: number[]) => {
    const clock = new TaskClock();
    for (const delayMs of delaysMs) clock.note(1_000_000, 1_000_000 + delayMs);
    return (await clock.read()).map(({ message }) => message);
  };
  expect(await messages(-4_000, -4_000), "too few").toEqual([]);
  expect(await messages(5, 70_000, 20)).toEqual([]);
  expect(await messages(-3_990, -4_000, 1_000)).toEqual([expect.stringContaining("4.0 s behind Temporal's, or more")]);
  expect(await messages(8_000, 7_000, 9_000)).toEqual([expect.stringContaining("ahead of Temporal's by up to 7.0 s")]);
  expect(await messages(-4_000, ...Array<number>(20).fill(5)), "corrected since").toEqual([]);
});

test("a queue is silent once nobody has polled it while it was watched", () => {
  expect(isSilent([], 0, silentAfterMs)).toBe(false);
  expect(isSilent([], 0, silentAfterMs + 1)).toBe(true);
  expect(isSilent([1_000, 5_000], 0, silentAfterMs + 4_000)).toBe(false);
  expect(isSilent([1_000, 5_000], 0, silentAfterMs + 5_001)).toBe(true);
});

test("workers and the probes of each region are looked for, each kind of task by itself", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const source = pollerSource(
    {
      describeTaskQueue: async ({
        taskQueue,
        taskQueueType,
      }: {
        taskQueue?: { name?: string };
        taskQueueType?: number;
      }) => ({
        pollers:
          taskQueue?.name === "lookout" && taskQueueType === 1
            ? [{ lastAccessTime: { seconds: Math.floor(Date.now() / 1_000) } }]
            : [],
      }),
    } as unknown as Parameters<typeof pollerSource>[0],
    { namespace: "default", taskQueue: "lookout" },
    ["eu-1"],
  );
  expect(await source.read(), "too early to say").toEqual([]);
  vi.setSystemTime(Date.now() + silentAfterMs + 1);
  expect(await source.read()).toEqual([
    { state: "no_worker", of: "activity", message: "no worker asks for activity tasks of the queue lookout" },
    { state: "no_probe", of: "eu-1", message: "no probe of the region eu-1 asks for work" },
  ]);
});

test("a Schedule that was deleted is made again, and reported until it is seen", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const listed = new Set(Object.keys(scheduleEveryMs));
  const client = {
    schedule: {
      list: async function* () {
        for (const scheduleId of listed)
          yield {
            scheduleId,
            state: { paused: scheduleId === "purge" },
            info: { recentActions: [], nextActionTimes: [new Date()] },
          };
      },
    },
  } as unknown as Parameters<typeof scheduleSource>[0];
  const source = scheduleSource(client, async () => void listed.add("correction"));
  listed.delete("correction");
  const paused = { state: "schedule_late", of: "purge", message: "the Schedule purge is paused" };
  expect(await source.read(), "the first worker makes it").toEqual([paused]);
  vi.setSystemTime(Date.now() + silentAfterMs + 1);
  const missing = { state: "schedule_late", of: "correction", message: "the Schedule correction is missing" };
  expect(await source.read()).toEqual([missing, paused]);
  expect(await source.read()).toEqual([paused]);
});

test("a Schedule is late when a run does not begin, or when none has begun for too long", () => {
  const now = 100 * minute;
  const fine = { isPaused: false, lastDueMs: now - minute, nextDueMs: now + 1 };
  const problem = (given: Partial<typeof fine>, everyMs = minute) =>
    scheduleProblem({ ...fine, ...given }, everyMs, now);
  expect(problem({})).toBeUndefined();
  expect(problem({ isPaused: true })).toBe("is paused");
  expect(problem({ nextDueMs: now - minute })).toBeUndefined();
  expect(problem({ nextDueMs: now - minute - 1 })).toBe("should have run at 1970-01-01T01:38:59.999Z");
  expect(problem({ lastDueMs: now - 11 * minute })).toBeUndefined();
  expect(problem({ lastDueMs: now - 11 * minute - 1 })).toMatch("has not begun another run since that of 1970");
  expect(problem({ lastDueMs: now - 30 * minute }, 60 * minute), "an hourly one").toBeUndefined();
  expect(scheduleProblem({ ...fine, lastDueMs: undefined }, minute, now), "a new one").toBeUndefined();
  expect(scheduleProblem({ ...fine, nextDueMs: undefined }, minute, now)).toBe("will not run again");
});

test("backups are late twice their interval after the newest, or after the first attempt", async () => {
  const now = Date.parse("2026-11-24T12:00:00Z");
  vi.useFakeTimers({ toFake: ["Date"], now });
  const settings = { to: "/backups", intervalMs: 10 * minute };
  const read = (row: { newestMs: number | null; firstMs: number | null }) =>
    backupSource({ query: async () => ({ rows: [row] }) } as never, settings).read();
  const old = now - 20 * minute - 1;
  expect(await read({ newestMs: old, firstMs: old })).toEqual([
    { state: "backup_late", message: "no backup is made at BACKUP_TO: the newest is of 2026-11-24T11:39:59.999Z" },
  ]);
  expect(await read({ newestMs: null, firstMs: old })).toMatchObject([{ message: expect.stringContaining("none") }]);
  expect(await read({ newestMs: old + 1, firstMs: old })).toEqual([]);
  expect(await read({ newestMs: null, firstMs: null }), "the Schedule was not there yet").toEqual([]);
  expect(await backupSource({ query: expect.fail } as never, { ...settings, to: undefined }).read()).toEqual([]);
});

test("every Schedule is watched, with its interval", () => {
  const minutely = /^(\d+) minutes?$/;
  const defined = scheduleDefinitions("queue").map(({ scheduleId, spec }) => {
    const every = spec.intervals?.[0]?.every;
    return [scheduleId, every === undefined ? 86_400_000 : Number(minutely.exec(String(every))?.[1]) * minute];
  });
  expect(Object.fromEntries(defined)).toEqual(scheduleEveryMs);
});

test("rows are seen late from the first sight of their transaction until it is applied", () => {
  const lag = new ApplyLag();
  expect(lag.note({ committed: 5, applied: 5 }, 0)).toBe(0);
  expect(lag.note({ committed: 7, applied: 5 }, 1_000)).toBe(0);
  expect(lag.note({ committed: 9, applied: 6 }, 2_000)).toBe(1_000);
  expect(lag.note({ committed: 9, applied: 7 }, 3_000)).toBe(1_000);
  expect(lag.note({ committed: 9, applied: 9 }, 4_000)).toBe(0);
  expect(lag.note({ committed: 10, applied: 9 }, 5_000)).toBe(0);
});
