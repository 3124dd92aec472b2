import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import { notifyMonitor } from "../../../src/uptime/run/notifyMonitor.ts";
import { createGate, type Gate } from "../../kit/servers/gate.ts";
import type { UptimeStack } from "../../kit/stack/uptimeStack.ts";
import { addOwnMonitor, startMonitorStack, storedChecks, storedIncidents } from "./monitorStack.ts";
import { type SwitchTarget, startSwitchTarget } from "./switchTarget.ts";

const patience = { timeout: 200_000, interval: 250 };

const probeKey = "a key of the tests with 32 characters";

let own: UptimeStack;
let questdb: Gate;
let target: SwitchTarget;
beforeAll(async () => {
  const address = new URL(inject("lookout").questdbHttp);
  questdb = await createGate(Number(address.port));
  address.port = String(questdb.port);
  own = await startMonitorStack({ QUESTDB_HTTP: address.href, UPTIME_PROBE_KEY: probeKey });
});
afterAll(async () => {
  await own?.stop();
  await questdb?.shut();
});
beforeEach(async () => {
  target = await startSwitchTarget();
});
afterEach(async () => await target.close());

const handleOf = ({ workflowId }: Monitor) => own.temporal.client.workflow.getHandle(workflowId);
const checks = ({ id }: Monitor) => storedChecks(own, id);
const incidents = ({ id }: Monitor) => storedIncidents(own, id);

async function start(
  options: { openAfter?: number; intervalMs?: number; phaseMs?: number; regions?: string[] } = {},
): Promise<Monitor> {
  const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000, ...options });
  await notifyMonitor(own, monitor);
  return monitor;
}

describe("3: a monitor survives", { timeout: 600_000 }, () => {
  it("a kill of its worker in the middle of a check, whose slot is stored once", async () => {
    target.turn("hold");
    const monitor = await start({ intervalMs: 300_000, phaseMs: (Date.now() + 3_000) % 300_000 });
    await expect.poll(() => target.requestTimes.length, patience).toBe(1);
    await own.stack.kill("worker");
    target.turn("up");
    await own.stack.restart("worker");
    await expect.poll(() => checks(monitor), patience).toHaveLength(1);
    expect(target.requestTimes.length).toBe(2);
  });

  it("a kill of Temporal: checks go on while it is watched, and changes made meanwhile in the API apply", async () => {
    const monitor = await start();
    // It is watched from its first check on; the workflow itself cannot make a check without Temporal.
    await expect.poll(async () => (await checks(monitor)).length, patience).toBeGreaterThan(2);
    await own.stack.kill("temporal");
    const killedMs = Date.now();
    await pause(6_000);
    // The API answers anyway; the reconciliation applies the change later.
    const unnotified = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000 });
    await expect(notifyMonitor(own, unnotified)).rejects.toThrow();
    const restartedMs = Date.now();
    await own.stack.restart("temporal");
    await expect.poll(async () => (await checks(monitor)).at(-1)?.dueMs, patience).toBeGreaterThan(restartedMs);
    const between = (await checks(monitor)).filter(
      ({ dueMs }) => dueMs > killedMs + 2_000 && dueMs < restartedMs - 2_000,
    );
    expect(between).not.toEqual([]);
    await expect.poll(() => checks(unnotified), { ...patience, timeout: 150_000 }).not.toEqual([]);
  });

  it("the loss of its workflow: it is started again and resolves the incident that it had opened", async () => {
    target.turn("down");
    const monitor = await start({ openAfter: 1 });
    await expect.poll(() => incidents(monitor), patience).toHaveLength(1);
    await handleOf(monitor).terminate("lost");
    await own.temporal.client.schedule.getHandle("monitor-reconciliation").trigger();
    await expect.poll(async () => (await handleOf(monitor).describe()).status.name, patience).toBe("RUNNING");
    target.turn("up");
    await expect.poll(async () => (await incidents(monitor))[0]?.resolvedMs, patience).not.toBeNull();
    expect(await incidents(monitor)).toHaveLength(1);
  });

  it("PostgreSQL being unavailable: checks continue with the last known settings", async () => {
    const monitor = await start();
    await expect.poll(() => checks(monitor), patience).not.toEqual([]);
    await own.stack.kill("postgres");
    try {
      const before = target.requestTimes.length;
      await expect.poll(() => target.requestTimes.length, patience).toBeGreaterThan(before + 2);
    } finally {
      await own.stack.restart("postgres");
    }
  });

  it("QuestDB being unavailable: no check is lost", async () => {
    const monitor = await start();
    await expect.poll(() => checks(monitor), patience).not.toEqual([]);
    await questdb.shut();
    const before = target.requestTimes.length;
    await expect.poll(() => target.requestTimes.length, patience).toBeGreaterThan(before + 2);
    const seen = target.requestTimes.length;
    await questdb.open();
    await expect.poll(async () => (await checks(monitor)).length, patience).toBeGreaterThanOrEqual(seen);
  });
});

describe("3: several regions", { timeout: 600_000 }, () => {
  it("a target that one of two regions cannot reach is degraded, and a region without a probe has no vote", async () => {
    // This probe may not reach the target's address.
    const probe = fork("workflows/probe.ts", ["--region", "eu-1"], {
      env: {
        ...process.env,
        TEMPORAL_ADDRESS: own.config.temporal.address,
        UPTIME_PROBE_KEY: probeKey,
        LOG_LEVEL: "warn",
      },
      execArgv: [],
    });
    try {
      await once(probe, "message");
      const monitor = await start({ regions: ["local", "eu-1", "us-1"], openAfter: 1 });
      await expect.poll(async () => (await checks(monitor)).length, patience).toBeGreaterThanOrEqual(4);
      const rows = await checks(monitor);
      for (const row of rows)
        expect(row).toMatchObject({ slot_status: "degraded", status: row.region === "local" ? "up" : "down" });
      expect([...new Set(rows.map(({ region }) => region))].sort()).toEqual(["eu-1", "local"]);
      expect(await incidents(monitor)).toEqual([]);
    } finally {
      const ended = once(probe, "exit");
      probe.kill("SIGTERM");
      await ended;
    }
  });
});
