import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookoutAcknowledged, lookoutKind, lookoutOutcome } from "../../../src/store/temporal/searchAttributes.ts";
import { incidentWorkflowId } from "../../../src/store/temporal/workflowIds.ts";
import type { Monitor } from "../../../src/uptime/monitor/monitor.ts";
import { startEscalation } from "../../../src/uptime/notifications/startDeliveries.ts";
import { notifyMonitor } from "../../../src/uptime/run/notifyMonitor.ts";
import { type HookReceiver, startHookReceiver } from "../../kit/servers/hookReceiver.ts";
import type { UptimeStack } from "../../kit/stack/uptimeStack.ts";
import { addOwnMonitor, changeMonitor, startMonitorStack, storedChecks, storedIncidents } from "./monitorStack.ts";
import { type SwitchTarget, startSwitchTarget } from "./switchTarget.ts";

const patience = { timeout: 200_000, interval: 250 };
const minuteMs = 60_000;

let own: UptimeStack;
let target: SwitchTarget;
let hooks: HookReceiver;
beforeAll(async () => {
  target = await startSwitchTarget();
  hooks = await startHookReceiver();
  own = await startMonitorStack({}, { notifications: { firstRetryMs: 100 } });
  // Its runs are started by hand, so that tests see their effect.
  await own.temporal.client.schedule.getHandle("monitor-reconciliation").pause();
}, 600_000);
afterAll(async () => {
  await own?.stop();
  await hooks?.close();
  await target?.close();
});

const handleOf = ({ workflowId }: Monitor) => own.temporal.client.workflow.getHandle(workflowId);
const checks = ({ id }: Monitor) => storedChecks(own, id);
const incidents = ({ id }: Monitor) => storedIncidents(own, id);
const statusOf = async (monitor: Monitor) => (await handleOf(monitor).describe()).status.name;

async function start(options: { openAfter?: number; intervalMs?: number } = {}): Promise<Monitor> {
  const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000, ...options });
  await notifyMonitor(own, monitor);
  return monitor;
}

async function whenCheckedAgain(monitor: Monitor): Promise<void> {
  const sinceMs = Date.now();
  await expect.poll(async () => (await checks(monitor)).at(-1)?.dueMs ?? 0, patience).toBeGreaterThan(sinceMs);
}

async function reconcile(): Promise<void> {
  await own.temporal.client.workflow.execute("monitorReconciliation", {
    workflowId: `monitor-reconciliation-${randomUUID()}`,
    taskQueue: own.config.temporal.taskQueue,
  });
}

/** What the Temporal UI shows of a workflow as its current details. */
async function detailsOf(workflowId: string): Promise<string> {
  const handle = own.temporal.client.workflow.getHandle(workflowId);
  return (await handle.query<{ currentDetails?: string }>("__temporal_workflow_metadata")).currentDetails ?? "";
}

/** Takes a workflow back to the end of its first task. */
async function reset(workflowId: string): Promise<void> {
  const { events = [] } = await own.temporal.client.workflow.getHandle(workflowId).fetchHistory();
  const first = events?.find(({ workflowTaskCompletedEventAttributes }) => workflowTaskCompletedEventAttributes);
  if (!first?.eventId) throw new Error("No workflow task is completed yet");
  await own.temporal.client.workflowService.resetWorkflowExecution({
    namespace: own.config.temporal.namespace,
    workflowExecution: { workflowId },
    reason: "test",
    requestId: randomUUID(),
    workflowTaskFinishEventId: first.eventId,
  });
}

describe("3: a monitor continues", { timeout: 600_000 }, () => {
  const huge = "x".repeat(500_000);
  const garbage = [
    "garbage",
    null,
    { url: 5 },
    {},
    { revision: "2" },
    { revision: 1e300 },
    [],
    7,
    { revision: 1, more: huge },
  ];

  it("after signals with any payload, which its details mention", async () => {
    const monitor = await start();
    for (const payload of garbage) await handleOf(monitor).signal("configure", payload);
    await handleOf(monitor).signal("configure");
    await handleOf(monitor).signal("configure", { revision: 1 }, "more");
    await own.temporal.client.workflowService.signalWorkflowExecution({
      namespace: own.config.temporal.namespace,
      workflowExecution: { workflowId: monitor.workflowId },
      signalName: "configure",
      input: { payloads: [{ metadata: { encoding: Buffer.from("json/plain") }, data: Buffer.from("{garbage") }] },
    });
    await whenCheckedAgain(monitor);
    expect(await detailsOf(monitor.workflowId)).toContain(
      "it must be an object with revision, not a payload that cannot be decoded",
    );
    // A revision that does not exist changes nothing.
    await handleOf(monitor).signal("configure", { revision: 2_000_000_000 });
    await whenCheckedAgain(monitor);
    await notifyMonitor(own, await changeMonitor(own, monitor.id, "status = 'paused'"));
    await expect.poll(() => detailsOf(monitor.workflowId), patience).toContain("status | paused");
  });

  it.each(["cancel", "terminate"] as const)("after a %s, once the reconciliation has run", async (how) => {
    const monitor = await start();
    await whenCheckedAgain(monitor);
    await handleOf(monitor)[how]();
    await expect.poll(() => statusOf(monitor), patience).not.toBe("RUNNING");
    await reconcile();
    await whenCheckedAgain(monitor);
  });

  it("after a reset to a time before its incident opened, and closes the incident", async () => {
    target.turn("up");
    const monitor = await start({ openAfter: 1 });
    await whenCheckedAgain(monitor);
    target.turn("down");
    await expect.poll(() => incidents(monitor), patience).toHaveLength(1);
    await reset(monitor.workflowId);
    target.turn("up");
    await expect.poll(async () => (await incidents(monitor))[0]?.resolvedMs, patience).not.toBeNull();
    expect(await incidents(monitor)).toHaveLength(1);
    await whenCheckedAgain(monitor);
  });

  it("when its tasks fail again and again: the reconciliation replaces the run", async () => {
    const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000, timeoutMs: 1_000 });
    await own.postgres.query("UPDATE monitor_schedules SET from_at = now() - interval '1 hour' WHERE monitor_id = $1", [
      monitor.id,
    ]);
    await own.postgres.query("UPDATE monitors SET notified_revision = revision WHERE id = $1", [monitor.id]);
    // No worker knows this type, so each of its tasks fails, like those of a run with a mistake in the code.
    await own.temporal.client.workflow.start("aTypeThatNoWorkerKnows", {
      workflowId: monitor.workflowId,
      taskQueue: own.config.temporal.taskQueue,
      typedSearchAttributes: [{ key: lookoutKind, value: "monitor" }],
    });
    await expect
      .poll(async () => (await handleOf(monitor).describe()).raw.pendingWorkflowTask?.attempt ?? 0, patience)
      .toBeGreaterThan(3);
    await reconcile();
    await whenCheckedAgain(monitor);
  });
});

describe("4.9, 4.12: checks", { timeout: 600_000 }, () => {
  it("end with the deletion, even if Temporal was not informed", async () => {
    const monitor = await start();
    await whenCheckedAgain(monitor);
    await changeMonitor(own, monitor.id, "deleted_at = now(), status = 'stopped'");
    await expect.poll(() => statusOf(monitor), patience).toBe("COMPLETED");
    const last = (await checks(monitor)).at(-1)?.dueMs;
    await expect.poll(async () => (await checks(monitor)).at(-1)?.dueMs, patience).toBe(last);
  });

  it("do not run more than five minutes after their slot", async () => {
    const hourMs = 60 * minuteMs;
    const monitor = await addOwnMonitor(own, {
      url: target.url,
      intervalMs: hourMs,
      phaseMs: (Date.now() - 10 * minuteMs) % hourMs,
    });
    await own.postgres.query(
      "UPDATE monitor_schedules SET from_at = now() - interval '30 minutes' WHERE monitor_id = $1",
      [monitor.id],
    );
    await notifyMonitor(own, monitor);
    const passedOver = async () => {
      const { rows } = await own.postgres.query("SELECT unchecked_due_at FROM monitors WHERE id = $1", [monitor.id]);
      return rows[0]?.unchecked_due_at;
    };
    await expect.poll(passedOver, patience).not.toBeNull();
    await expect.poll(() => detailsOf(monitor.workflowId), patience).toContain("status | unknown");
    expect(await checks(monitor)).toEqual([]);
  });
});

describe("notifications: actions of an operator", { timeout: 600_000 }, () => {
  /** An incident that is escalated after an hour. */
  async function waitingIncident(): Promise<{ readonly id: string; readonly workflowId: string }> {
    const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: minuteMs });
    const channelId = randomUUID();
    await own.postgres.query(
      "INSERT INTO notification_channels (id, organization_id, name, kind, target, secret) VALUES ($1, $2, 'Test', 'slack', $3, '')",
      [channelId, monitor.organizationId, `http://127.0.0.1:${hooks.port}/escalated`],
    );
    await own.postgres.query(
      "UPDATE monitors SET status = 'paused', notified_revision = revision, options = options || $2 WHERE id = $1",
      [monitor.id, JSON.stringify({ escalation: [{ channelIds: [channelId], afterMinutes: 60 }] })],
    );
    const id = `${monitor.id}/${Date.now()}`;
    await own.postgres.query(
      `INSERT INTO incidents (id, monitor_id, started_at, opened_at, first_error, checks_affected, regions)
       VALUES ($1, $2, now(), now(), 'down', 1, '{local}')`,
      [id, monitor.id],
    );
    await startEscalation(own, id);
    const workflowId = incidentWorkflowId(monitor.workflowId, id);
    await expect.poll(() => detailsOf(workflowId), patience).toContain("The next step is sent at");
    return { id, workflowId };
  }

  const shownOfIncident = async (workflowId: string) => {
    const { status, typedSearchAttributes } = await own.temporal.client.workflow.getHandle(workflowId).describe();
    return [status.name, typedSearchAttributes.get(lookoutAcknowledged), typedSearchAttributes.get(lookoutOutcome)];
  };
  const statusOfIncident = async (workflowId: string) => (await shownOfIncident(workflowId))[0];

  it("an incident is not ended by a wrong or unexpected payload; it shows its acknowledgement and its end", async () => {
    const { id, workflowId } = await waitingIncident();
    const handle = own.temporal.client.workflow.getHandle(workflowId);
    for (const payload of ["garbage", null, { url: 5 }, "x".repeat(500_000)]) await handle.signal("settled", payload);
    await handle.signal("settled");
    await expect.poll(() => detailsOf(workflowId), patience).toContain("it takes no payload");
    expect(await shownOfIncident(workflowId)).toEqual(["RUNNING", false, undefined]);
    await own.postgres.query("UPDATE incidents SET acknowledged_at = now() WHERE id = $1", [id]);
    await handle.signal("settled");
    await expect.poll(() => shownOfIncident(workflowId), patience).toEqual(["RUNNING", true, undefined]);
    expect(await detailsOf(workflowId)).toContain("Somebody acknowledged it");
    await own.postgres.query("UPDATE incidents SET resolved_at = now() WHERE id = $1", [id]);
    await handle.signal("settled");
    await expect.poll(() => shownOfIncident(workflowId), patience).toEqual(["COMPLETED", true, "resolved"]);
  });

  it.each(["cancel", "terminate"] as const)("an escalation continues within the hour after a %s", async (how) => {
    const { id, workflowId } = await waitingIncident();
    await own.temporal.client.workflow.getHandle(workflowId)[how]();
    await expect.poll(() => statusOfIncident(workflowId), patience).not.toBe("RUNNING");
    await own.postgres.query(
      "UPDATE incidents SET escalation_started_at = now() - interval '61 minutes' WHERE id = $1",
      [id],
    );
    await reconcile();
    expect(await statusOfIncident(workflowId)).toBe("RUNNING");
    await reset(workflowId);
    await expect.poll(() => detailsOf(workflowId), patience).toContain("The next step is sent at");
  });

  /** A delivery whose receiver refuses it. */
  async function failingDelivery(): Promise<{ id: string; path: string }> {
    const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: minuteMs });
    await own.postgres.query("UPDATE monitors SET status = 'paused', notified_revision = revision WHERE id = $1", [
      monitor.id,
    ]);
    const [channelId, id] = [randomUUID(), randomUUID()];
    const path = `/${id}`;
    hooks.answer(path, ...Array.from({ length: 30 }, () => 500));
    await own.postgres.query(
      "INSERT INTO notification_channels (id, organization_id, name, kind, target, secret) VALUES ($1, $2, 'Test', 'slack', $3, '')",
      [channelId, monitor.organizationId, `http://127.0.0.1:${hooks.port}${path}`],
    );
    const message = { type: "test", timestamp: new Date().toISOString(), data: { text: "Hello" } };
    await own.postgres.query(
      `INSERT INTO deliveries (id, channel_id, organization_id, event, message, status) VALUES ($1, $2, $3, 'test', $4, 'pending')`,
      [id, channelId, monitor.organizationId, JSON.stringify(message)],
    );
    await reconcile();
    await expect.poll(() => hooks.at(path).length, patience).toBeGreaterThan(0);
    return { id, path };
  }

  const statusOfDelivery = async (id: string) => {
    const { rows } = await own.postgres.query("SELECT status, last_error FROM deliveries WHERE id = $1", [id]);
    return rows[0];
  };

  it("a delivery continues after a signal, a reset and a termination, and fails with a cancellation", async () => {
    const { id, path } = await failingDelivery();
    const handle = () => own.temporal.client.workflow.getHandle(`delivery/${id}`);
    await handle().signal("settled", { url: 5 });
    await reset(`delivery/${id}`);
    const attempts = hooks.at(path).length;
    await expect.poll(() => hooks.at(path).length, patience).toBeGreaterThan(attempts);
    await handle().terminate();
    await own.postgres.query("UPDATE deliveries SET started_at = now() - interval '61 minutes' WHERE id = $1", [id]);
    await reconcile();
    const before = hooks.at(path).length;
    await expect.poll(() => hooks.at(path).length, patience).toBeGreaterThan(before);
    await handle().cancel();
    await expect
      .poll(() => statusOfDelivery(id), patience)
      .toEqual({ status: "failed", last_error: "an operator cancelled it" });
  });
});
