import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import { notifyMonitor } from "../../../src/uptime/run/notifyMonitor.ts";
import type { UptimeStack } from "../../kit/stack/uptimeStack.ts";
import { addOwnMonitor, changeMonitor, startMonitorStack, storedChecks, storedIncidents } from "./monitorStack.ts";
import { type SwitchTarget, startSwitchTarget } from "./switchTarget.ts";

const patience = { timeout: 200_000, interval: 250 };

let own: UptimeStack;
let target: SwitchTarget;
beforeAll(async () => {
  own = await startMonitorStack();
});
afterAll(async () => await own?.stop());
beforeEach(async () => {
  target = await startSwitchTarget();
});
afterEach(async () => await target.close());

const handleOf = ({ workflowId }: Monitor) => own.temporal.client.workflow.getHandle(workflowId);
const checks = ({ id }: Monitor) => storedChecks(own, id);
const incidents = ({ id }: Monitor) => storedIncidents(own, id);

async function attributesOf(monitor: Monitor) {
  const { searchAttributes } = await handleOf(monitor).describe();
  return Object.fromEntries(Object.entries(searchAttributes).map(([name, values]) => [name, values?.[0]]));
}

/** What the Temporal UI shows of a workflow as its current details. */
async function detailsOf(monitor: Monitor): Promise<string> {
  const metadata = await handleOf(monitor).query<{ currentDetails?: string }>("__temporal_workflow_metadata");
  return metadata.currentDetails ?? "";
}

async function start(options: { openAfter?: number; intervalMs?: number; phaseMs?: number } = {}): Promise<Monitor> {
  const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000, ...options });
  await notifyMonitor(own, monitor);
  return monitor;
}

describe("2, 3: a monitor's workflow", { timeout: 600_000 }, () => {
  it("checks at its slots, opens an incident when the target fails twice in a row and resolves it when it is back", async () => {
    const monitor = await start({ phaseMs: 700 });
    await expect.poll(() => checks(monitor), patience).not.toEqual([]);
    expect(await incidents(monitor)).toEqual([]);

    target.turn("down");
    await expect.poll(() => incidents(monitor), patience).toHaveLength(1);
    await expect.poll(async () => (await incidents(monitor))[0]?.checksAffected, patience).toBeGreaterThan(2);
    await expect.poll(async () => (await attributesOf(monitor))["LookoutMonitorStatus"], patience).toBe("down");
    const details = await detailsOf(monitor);
    for (const shown of [
      "status | down",
      monitor.id,
      monitor.websiteId,
      target.url,
      "last check | 20",
      "next check | 20",
      "since 20",
    ])
      expect(details).toContain(shown);

    target.turn("up");
    await expect.poll(async () => (await incidents(monitor))[0]?.resolvedMs, patience).not.toBeNull();
    await expect.poll(async () => (await attributesOf(monitor))["LookoutMonitorStatus"], patience).toBe("up");
    const [incident] = await incidents(monitor);
    // PostgreSQL has the incident before a query sees its checks.
    const slots = async () => (await checks(monitor)).map(({ dueMs }) => dueMs);
    await expect.poll(slots, patience).toContain(incident?.resolvedMs);
    const rows = await checks(monitor);
    const down = rows.filter(({ slot_status }) => slot_status === "down");
    expect(incident).toMatchObject({
      startedMs: down[0]?.dueMs,
      checksAffected: down.length,
      regions: ["local"],
      firstError: "HTTP status 503, expected 200-299",
    });
    expect(incident?.resolvedMs).toBe(
      rows.find(({ dueMs, slot_status }) => dueMs > Number(incident?.startedMs) && slot_status === "up")?.dueMs,
    );
    expect(rows.every(({ dueMs }) => dueMs % 2_000 === 700)).toBe(true);
    expect(new Set(rows.map(({ dueMs }) => dueMs)).size).toBe(rows.length);
    expect(await attributesOf(monitor)).toMatchObject({
      LookoutKind: "monitor",
      LookoutWebsite: monitor.websiteId,
      LookoutUrl: target.url,
    });
    const { staticSummary } = await handleOf(monitor)
      .describe()
      .then(async (about) => ({ staticSummary: await about.staticSummary() }));
    expect(staticSummary).toBe(`Uptime of ${target.url}`);
  });

  it("is paused and resumed, applies a new URL, and ignores older settings than its own", async () => {
    const other = await startSwitchTarget();
    try {
      const monitor = await start();
      await expect.poll(() => checks(monitor), patience).not.toEqual([]);
      await notifyMonitor(own, await changeMonitor(own, monitor.id, "status = 'paused'"));
      await expect.poll(async () => (await attributesOf(monitor))["LookoutMonitorStatus"], patience).toBe("paused");
      const before = target.requestTimes.length;
      // Of an older revision, as if it had been delayed.
      await handleOf(monitor).signal("configure", { revision: 1 });
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      expect(target.requestTimes.length).toBe(before);

      await notifyMonitor(own, await changeMonitor(own, monitor.id, `status = 'active', url = '${other.url}'`));
      await expect.poll(() => other.requestTimes.length, patience).toBeGreaterThan(1);
      expect(target.requestTimes.length).toBe(before);
      // A check is part of a workflow task, which Temporal records when it is over.
      await expect.poll(async () => (await attributesOf(monitor))["LookoutUrl"], patience).toBe(other.url);
      const { rows } = await own.postgres.query("SELECT revision, notified_revision FROM monitors WHERE id = $1", [
        monitor.id,
      ]);
      expect(rows).toEqual([{ revision: 3, notified_revision: 3 }]);
    } finally {
      await other.close();
    }
  });

  it("shows signals that arrive when it continues as a new run", async () => {
    const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 3_600_000 });
    await notifyMonitor(own, await changeMonitor(own, monitor.id, "status = 'paused'"));
    const shown = async () => {
      const { LookoutMonitorStatus, LookoutUrl } = await attributesOf(monitor);
      return { isPaused: LookoutMonitorStatus === "paused", url: LookoutUrl };
    };
    await expect.poll(shown, patience).toEqual({ isPaused: true, url: target.url });
    const { runId } = await handleOf(monitor).describe();
    // Each is an event, and so many fill the run: it continues as a new run at the next signal.
    await Promise.all(Array.from({ length: 250 }, () => handleOf(monitor).signal("configure", { revision: 0 })));
    const other = `${target.url}other`;
    await notifyMonitor(own, await changeMonitor(own, monitor.id, `status = 'active', url = '${other}'`));
    await expect.poll(shown, patience).toEqual({ isPaused: false, url: other });
    expect((await handleOf(monitor).describe()).runId).not.toBe(runId);
  });

  it("checks a slot that became due during the check before it right after that one", async () => {
    target.turn("hold");
    // The longest interval of which the slot before the current one may still be checked: a busy machine cannot reach the third slot.
    const intervalMs = 300_000;
    const secondDueMs = Date.now() + 15_000;
    const phaseMs = secondDueMs % intervalMs;
    const monitor = await addOwnMonitor(own, { url: target.url, intervalMs, phaseMs, timeoutMs: 60_000 });
    await own.postgres.query(
      "UPDATE monitor_schedules SET from_at = now() - interval '5 minutes' WHERE monitor_id = $1",
      [monitor.id],
    );
    await notifyMonitor(own, monitor);
    await expect.poll(() => target.requestTimes.length, patience).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, secondDueMs + 500 - Date.now()));
    target.turn("up");
    const slots = async () => (await checks(monitor)).map(({ dueMs }) => dueMs);
    await expect.poll(slots, patience).toEqual([secondDueMs - intervalMs, secondDueMs]);
  });

  it("checks the current slot if it wakes up late", async () => {
    const monitor = await addOwnMonitor(own, {
      url: target.url,
      intervalMs: 3_600_000,
      phaseMs: Date.now() % 3_600_000,
    });
    await own.postgres.query(
      "UPDATE monitor_schedules SET from_at = now() - interval '1 minute' WHERE monitor_id = $1",
      [monitor.id],
    );
    await notifyMonitor(own, monitor);
    await expect.poll(() => checks(monitor), patience).toHaveLength(1);
  });

  it("ends when the monitor is deleted, and ends its open incident", async () => {
    target.turn("down");
    const monitor = await start({ openAfter: 1 });
    await expect.poll(() => incidents(monitor), patience).toHaveLength(1);
    const deleted = await changeMonitor(own, monitor.id, "deleted_at = now(), status = 'stopped'");
    await notifyMonitor(own, deleted, true);
    await expect.poll(async () => (await handleOf(monitor).describe()).status.name, patience).toBe("COMPLETED");
    expect((await incidents(monitor))[0]?.resolvedMs).toBeGreaterThan(0);
  });
});
