import { Client } from "@temporalio/client";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { Worker } from "@temporalio/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RetentionStep } from "../../../src/lifecycle/retention/applyRetentionChange.ts";
import type { ExpiredDays } from "../../../src/lifecycle/retention/findExpiredDays.ts";
import { planRetention } from "../../../src/lifecycle/retention/request/planRetention.ts";
import { isExpired, kindsOf, retentionKinds } from "../../../src/retention/kinds.ts";
import { type PendingRetention, type Period, periodsAt, type RetentionDays } from "../../../src/retention/periods.ts";
import { preloadModules, workflowsPath } from "../../../workflows/bundleOptions.ts";
import type { RetentionRun } from "../../../workflows/lifecycle/retentionActivities.ts";
import { startTimeSkipping } from "../../kit/servers/timeSkippingEnvironment.ts";

const dayMs = 86_400_000;
const hourMs = dayMs / 24;
const taskQueue = "retention-year";
const websiteId = "site";

/** Changes, in days after the start of the year: requested periods, or a cancellation of all pending ones. */
const changes: readonly {
  readonly at: number;
  readonly requested?: Partial<RetentionDays>;
  readonly isAmbiguous?: boolean;
}[] = [
  { at: 10.4, requested: { rawEventsDays: 30 } },
  { at: 40.2, requested: { rawEventsDays: 180 } },
  { at: 60.3, requested: { customEventsDays: 7 } },
  { at: 60.9 },
  { at: 100.1, requested: { performanceDays: 60 } },
  { at: 100.7, requested: { performanceDays: 45, customEventsDays: 365 } },
  // Temporal is not notified of it, and then is unavailable.
  { at: 149.8, requested: { rawEventsDays: 100 }, isAmbiguous: true },
  { at: 200.5, requested: { aggregatedDays: 365 } },
  { at: 300.1, requested: { rawEventsDays: 20, performanceDays: 200 } },
  { at: 300.6, requested: { rawEventsDays: 120 } },
  { at: 330.5, requested: { customEventsDays: 1 } },
];

/** Midnights after which Temporal was unavailable, so that there was no run. */
const missedMidnights: readonly number[] = [150, 151, 152, 331];

/** Runs are daily after a change and otherwise weekly, so that most of them catch up on missed ones. */
function hasRun(day: number): boolean {
  return !missedMidnights.includes(day) && (day % 7 === 0 || changes.some(({ at }) => day > at && day < at + 5));
}

const first: RetentionDays = { rawEventsDays: 90, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 };

/** One kind for each of the four periods, and the days with rows, after the start of the year: each second. */
const kinds = ["events", "custom_events", "performance", "aggregated"];
const oldestDay = -800;
const lastDay = 364;
const everyDays = 2;

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkipping();
}, 600_000);
afterAll(async () => await env?.teardown());

it("8: over a year of changing periods each day's data is erased when due, neither sooner nor later", async () => {
  const startMs = Math.ceil((await env.currentTimeMs()) / dayMs) * dayMs + dayMs;
  const world = new World(startMs);
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue,
    workflowsPath,
    bundlerOptions: { preloadModules },
    activities: world.activities,
  });
  // Unlike the environment's own it does not skip time while it waits for a result.
  const client = new Client({ connection: env.connection });
  const sleepUntil = async (day: number) => {
    const waitMs = startMs + day * dayMs - (await env.currentTimeMs());
    if (waitMs > 0) await env.sleep(waitMs);
  };

  const differences: string[] = [];
  const compare = (day: number) => {
    const wanted = expectedRows(day);
    const left = kinds.flatMap((kind) => (world.left(kind) === wanted.get(kind) ? [] : [`day ${day}: ${kind}`]));
    differences.push(...left);
  };
  await worker.runUntil(async () => {
    for (const { at, what } of agenda()) {
      await sleepUntil(at);
      if (what === "run") {
        await client.workflow.execute("retention", { workflowId: `retention/${at}`, taskQueue });
        compare(at);
        continue;
      }
      if (what === "look") {
        // Workflows that wait for shorter periods have woken up by now.
        await client.workflow.getHandle(`retention-change/${websiteId}`).result();
        compare(at);
        continue;
      }
      const nowMs = startMs + at * dayMs;
      world.change(nowMs, what.requested);
      if (what.isAmbiguous) continue;
      await client.workflow.signalWithStart("retentionChange", {
        workflowId: `retention-change/${websiteId}`,
        taskQueue,
        args: [{ websiteId }],
        signal: "retentionPending",
        signalArgs: [world.pending?.effectiveAtMs ?? nowMs],
      });
    }
  });
  expect(differences).toEqual([]);
  expect(world.runs.size).toBeGreaterThan(80);
  expect([...world.runs.values()].every((isFinished) => isFinished)).toBe(true);
}, 580_000);

type Happening = { readonly at: number; readonly what: "run" | "look" | (typeof changes)[number] };

/** All events in order; a comparison follows an hour after shorter periods apply. */
function agenda(): Happening[] {
  const runs = Array.from({ length: lastDay }, (_, day): Happening => ({ at: day, what: "run" }));
  const happenings = changes.map((what): Happening => ({ at: what.at, what }));
  const looks = [11.4, 101.7, 201.5, 331.5].map((at): Happening => ({ at: at + hourMs / dayMs, what: "look" }));
  return [...runs.filter(({ at }) => hasRun(at)), ...happenings, ...looks].sort((a, b) => a.at - b.at);
}

/** Activities over rows in memory that decide by the product's own rules. Each step is done twice, as after the loss of a worker. */
class World {
  readonly runs = new Map<string, boolean>();
  readonly #startMs: number;
  readonly #days = new Map<string, Set<number>>();
  #current: RetentionDays = first;
  pending: PendingRetention | null = null;

  constructor(startMs: number) {
    this.#startMs = startMs;
    for (const kind of kinds) {
      const length = (lastDay - oldestDay) / everyDays + 1;
      const days = Array.from({ length }, (_, index) => oldestDay + index * everyDays);
      this.#days.set(kind, new Set(days));
    }
  }

  change(nowMs: number, requested: Partial<RetentionDays> | undefined): void {
    if (requested === undefined) {
      this.pending = null;
      return;
    }
    const plan = planRetention(this.#current, this.pending, requested);
    this.#current = { ...this.#current, ...plan.now };
    const effectiveAtMs = plan.isNewlyShorter ? nowMs + dayMs : (this.pending?.effectiveAtMs ?? 0);
    const isNone = Object.keys(plan.later).length === 0;
    this.pending = isNone
      ? null
      : { periods: plan.later, effectiveAtMs, wouldErase: {}, requestId: "", isNotified: true };
  }

  /** The oldest day that is left; every later one must be there as well. */
  left(kind: string): number {
    const days = [...(this.#days.get(kind) ?? [])];
    const oldest = Math.min(...days);
    return days.length === (lastDay - oldest) / everyDays + 1 ? oldest : Number.NaN;
  }

  readonly activities = {
    beginRetention: async (id: string, _dueMs: number, nowMs: number): Promise<void> => {
      this.#hold(nowMs);
      this.runs.set(id, false);
    },
    findExpiredDays: async (run: RetentionRun): Promise<ExpiredDays[]> => {
      const tables = [...new Set(retentionKinds.map(({ table }) => table))];
      return tables.flatMap((table) => {
        const found = kindsOf(table).flatMap((kind) =>
          [...(this.#days.get(kind.name) ?? [])].filter((day) =>
            isExpired(kind, this.#date(day), this.#current, run.nowMs),
          ),
        );
        const days = [...new Set(found)].sort((a, b) => a - b).map((day) => this.#date(day));
        return days.length === 0 ? [] : [{ table, days }];
      });
    },
    eraseExpiredDay: async (run: RetentionRun, table: ExpiredDays["table"], day: string) => {
      const erased: Record<string, number> = {};
      for (const kind of kindsOf(table)) {
        if (!isExpired(kind, day, this.#current, run.nowMs)) continue;
        const gone = this.#days.get(kind.name)?.delete((Date.parse(day) - this.#startMs) / dayMs);
        if (gone) erased[kind.name] = 1;
      }
      return erased;
    },
    finishRetention: async (id: string): Promise<Record<string, number>> => {
      this.runs.set(id, true);
      return {};
    },
    applyRetentionChange: async (_websiteId: string, nowMs: number): Promise<RetentionStep> => {
      const { pending } = this;
      if (pending === null) return { kind: "none" };
      if (pending.effectiveAtMs > nowMs) return { kind: "waiting", effectiveMs: pending.effectiveAtMs };
      this.#hold(nowMs);
      const runId = `${websiteId}/${pending.effectiveAtMs}`;
      this.runs.set(runId, false);
      return { kind: "erase", runId };
    },
  };

  #hold(nowMs: number): void {
    this.#current = periodsAt(this.#current, this.pending, nowMs);
    if (this.pending !== null && this.pending.effectiveAtMs <= nowMs) this.pending = null;
  }

  #date(day: number): string {
    return new Date(this.#startMs + day * dayMs).toISOString().slice(0, 10);
  }
}

/**
 * The oldest day of each kind that is left on a day of the year, calculated by hand from the times at which each period applies: no part of the
 * product is used.
 */
function expectedRows(at: number): Map<string, number> {
  /** From when on each period applies, in days after the start of the year. */
  const history: Record<Period, readonly (readonly [from: number, days: number])[]> = {
    rawEventsDays: [
      [0, 90],
      [11.4, 30],
      [40.2, 180],
      [150.8, 100],
      [300.6, 120],
    ],
    customEventsDays: [
      [0, 90],
      [100.7, 365],
      [331.5, 1],
    ],
    performanceDays: [
      [0, 90],
      [101.7, 45],
      [300.1, 200],
    ],
    aggregatedDays: [
      [0, 730],
      [201.5, 365],
    ],
  };
  /** Changes after which data is erased at once. The one that Temporal was not notified of waits for the first run. */
  const effective = [11.4, 101.7, 201.5, 331.5];
  const runs = [...Array.from({ length: lastDay }, (_, day) => day).filter(hasRun), ...effective];
  const oldest = (period: Period) => {
    const left = runs
      .filter((run) => run <= at)
      .map((run) => Math.floor(run) - (history[period].filter(([from]) => from <= run).at(-1)?.[1] ?? 0));
    return Math.ceil(Math.max(oldestDay, ...left) / everyDays) * everyDays;
  };
  return new Map([
    ["events", oldest("rawEventsDays")],
    ["custom_events", oldest("customEventsDays")],
    ["performance", oldest("performanceDays")],
    ["aggregated", oldest("aggregatedDays")],
  ]);
}
