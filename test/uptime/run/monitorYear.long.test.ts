import { ApplicationFailure } from "@temporalio/common";
import type { TestWorkflowEnvironment } from "@temporalio/testing";
import { type InjectedSinks, Worker } from "@temporalio/worker";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LossReason } from "../../../src/observability/metrics.ts";
import type { CheckStatus } from "../../../src/uptime/check/checkTypes.ts";
import type { MonitorNow, MonitorSettings } from "../../../src/uptime/run/monitorSettings.ts";
import { slotResult } from "../../../src/uptime/state/quorum.ts";
import { type DueSlot, slotsBetween } from "../../../src/uptime/state/slots.ts";
import type { IncidentChange, SlotResult } from "../../../src/uptime/state/state.ts";
import type { Transition } from "../../../src/uptime/state/transition.ts";
import { preloadModules, workflowsPath } from "../../../workflows/bundleOptions.ts";
import type { CheckSinks } from "../../../workflows/uptime/checkSinks.ts";
import type { CheckedSlot } from "../../../workflows/uptime/uptimeActivities.ts";
import { startTimeSkipping } from "../../kit/servers/timeSkippingEnvironment.ts";

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const intervalMs = dayMs / 4;
/** After the start of the year, so that the year is the same at whatever time the test runs. */
const firstSlotMs = 174 * 60_000;

/** From when to when, in days after the start of the year. */
type Span = readonly [fromDay: number, untilDay: number];
const outages: readonly Span[] = [
  [3.5, 4.6],
  // One slot: no incident.
  [40, 40.25],
  [90.2, 97.9],
  // Longer than a run of the workflow.
  [105, 150],
  [151.5, 152.5],
  [300.01, 304.1],
  [358.2, 361.8],
];
const slowness: readonly Span[] = [
  [10, 12],
  [97.9, 99],
];
/** No check is possible. */
const blindness: readonly Span[] = [
  [95, 96.5],
  [200, 203],
];
const pauseSpan: Span = [250, 260];

let env: TestWorkflowEnvironment;
beforeAll(async () => {
  env = await startTimeSkipping();
}, 600_000);
afterAll(async () => await env?.teardown());

it("2, 3: a year of a monitor with outages has the right incidents, uptime and coverage", async () => {
  const startMs = await env.currentTimeMs();
  const phaseMs = (startMs + firstSlotMs) % intervalMs;
  const settings = settingsWith(phaseMs);
  const world = scriptedWorld(startMs, settings(1, "active", startMs));
  const lost = new Map<LossReason, number>();
  const sinks: InjectedSinks<CheckSinks> = {
    checks: { lost: { fn: (_run, reason, slots) => void lost.set(reason, (lost.get(reason) ?? 0) + slots) } },
  };
  const worker = await Worker.create({
    connection: env.nativeConnection,
    taskQueue: "year",
    workflowsPath,
    bundlerOptions: { preloadModules },
    activities: world.activities,
    sinks,
  });
  await worker.runUntil(async () => {
    const handle = await env.client.workflow.signalWithStart("monitor", {
      workflowId: "monitor/year",
      taskQueue: "year",
      args: [{ monitorId: "year" }],
      signal: "configure",
      signalArgs: [{ revision: 1 }],
    });
    const change = async (revision: number, to: MonitorSettings | null) => {
      world.change(to);
      await handle.signal("configure", { revision });
    };
    const sleepUntil = async (day: number) => env.sleep(startMs + day * dayMs - (await env.currentTimeMs()));
    await sleepUntil(pauseSpan[0]);
    await change(2, settings(2, "paused", null));
    await sleepUntil(pauseSpan[1]);
    await change(3, settings(3, "active", startMs + pauseSpan[1] * dayMs));
    await sleepUntil(365);
    await change(4, null);
    await handle.result();
    // The year took several runs.
    expect((await handle.describe()).runId).not.toBe(handle.signaledRunId);
  });

  const expected = expectedYear(startMs, phaseMs);
  expect(incidentsOf(world.transitions)).toEqual(expected.incidents);
  const stored = [...world.slots.values()];
  expect(stored.map(({ dueMs }) => dueMs)).toEqual(expected.known.map(({ dueMs }) => dueMs));
  const good = stored.filter(({ status }) => status !== "down").length;
  expect({ known: stored.length, good }).toEqual({
    known: expected.known.length,
    good: expected.known.filter(({ status }) => status !== "down").length,
  });
  const slotsDue =
    slotsBetween(startMs, startMs + pauseSpan[0] * dayMs, intervalMs, phaseMs) +
    slotsBetween(startMs + pauseSpan[1] * dayMs, startMs + yearMs, intervalMs, phaseMs);
  // Each slot of the blind days, counted once although runs are replayed.
  expect(Object.fromEntries(lost)).toEqual({ no_answer: expected.due - expected.known.length });
  expect(stored.length / slotsDue).toBe(expected.known.length / expected.due);
}, 580_000);

function settingsWith(phaseMs: number) {
  return (revision: number, status: MonitorSettings["status"], dueFromMs: number | null): MonitorSettings => ({
    websiteId: "site",
    revision,
    status,
    intervalMs,
    phaseMs,
    timeoutMs: 10_000,
    dueFromMs,
    checksHere: true,
    probes: [],
    shownUrl: "https://example.com/",
    thresholds: { openAfter: 2, resolveAfter: 1, certificateNoticeDays: 0 },
  });
}

function isWithin(spans: readonly Span[], startMs: number, timeMs: number): boolean {
  return spans.some(([from, until]) => timeMs >= startMs + from * dayMs && timeMs < startMs + until * dayMs);
}

function statusAt(startMs: number, timeMs: number): CheckStatus {
  if (isWithin(outages, startMs, timeMs)) return "down";
  return isWithin(slowness, startMs, timeMs) ? "degraded" : "up";
}

/** Activities whose target and stores are scripted: stored slots and recorded transitions are in `slots` and `transitions`. */
function scriptedWorld(startMs: number, first: MonitorSettings) {
  let settings: MonitorSettings | null = first;
  const slots = new Map<number, SlotResult>();
  const transitions: Transition[] = [];
  const activities = {
    async loadMonitor(): Promise<MonitorNow> {
      return { settings };
    },
    async checkAndStore({ dueMs }: DueSlot): Promise<CheckedSlot> {
      // As in the product, a deleted monitor is not checked even before the signal arrives.
      if (settings === null) return { kind: "changed", now: { settings } };
      if (isWithin(blindness, startMs, dueMs)) throw ApplicationFailure.nonRetryable("the worker is blind");
      const status = statusAt(startMs, dueMs);
      const zero = { dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, totalMs: 0, responseBytes: 0, attempts: 1 };
      const outcome = { ...zero, status, httpCode: 0, startedMs: dueMs, finishedMs: dueMs, error: status };
      const result = slotResult(dueMs, [{ region: "local", outcome }], false);
      slots.set(dueMs, result);
      return { kind: "checked", slot: result };
    },
    async recordTransition(transition: Transition): Promise<void> {
      transitions.push(transition);
    },
    async recordGrowth(_monitorId: string, _change: IncidentChange): Promise<void> {},
  };
  const change = (to: MonitorSettings | null) => {
    settings = to;
  };
  return { activities, slots, transitions, change };
}

type Incident = { startedMs: number; resolvedMs: number | undefined; checks: number };

function incidentsOf(transitions: readonly Transition[]): Incident[] {
  return transitions.flatMap((transition) => {
    if (transition.kind !== "incident" || transition.change.kind !== "resolved") return [];
    const { startedMs, resolvedMs, checksAffected } = transition.change;
    return [{ startedMs, resolvedMs, checks: checksAffected }];
  });
}

/** The same year, calculated from the spans alone, without any part of the product. */
function expectedYear(startMs: number, phaseMs: number) {
  const known: { dueMs: number; status: CheckStatus }[] = [];
  let due = 0;
  const firstMs = Math.ceil((startMs - phaseMs) / intervalMs) * intervalMs + phaseMs;
  for (let dueMs = firstMs; dueMs < startMs + yearMs; dueMs += intervalMs) {
    if (isWithin([pauseSpan], startMs, dueMs)) continue;
    due += 1;
    if (!isWithin(blindness, startMs, dueMs)) known.push({ dueMs, status: statusAt(startMs, dueMs) });
  }
  const incidents: Incident[] = [];
  for (let index = 0; index < known.length; ) {
    const run = known.slice(index).findIndex(({ status }) => status !== "down");
    const failed = run === -1 ? known.length - index : run;
    const first = known[index];
    if (first !== undefined && failed >= 2)
      incidents.push({ startedMs: first.dueMs, resolvedMs: known[index + failed]?.dueMs, checks: failed });
    index += Math.max(1, failed);
  }
  return { known, due, incidents };
}
