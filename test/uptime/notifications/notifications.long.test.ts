import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lookoutAcknowledged } from "../../../src/store/temporal/searchAttributes.ts";
import { incidentWorkflowId, workflowIdSql } from "../../../src/store/temporal/workflowIds.ts";
import type { Monitor, MonitorOptions } from "../../../src/uptime/monitor/monitor.ts";
import { announceTransition } from "../../../src/uptime/notifications/announceTransition.ts";
import { createWebhookSecret } from "../../../src/uptime/notifications/channels/kinds/webhookSignature.ts";
import { planDeliveries } from "../../../src/uptime/notifications/planDeliveries.ts";
import { stopEscalation } from "../../../src/uptime/notifications/startDeliveries.ts";
import { notifyMonitor } from "../../../src/uptime/run/notifyMonitor.ts";
import { recordTransition } from "../../../src/uptime/state/recordTransition.ts";
import { incidentId, type Transition } from "../../../src/uptime/state/transition.ts";
import { type HookReceiver, isSigned, startHookReceiver } from "../../kit/servers/hookReceiver.ts";
import type { UptimeStack } from "../../kit/stack/uptimeStack.ts";
import { addOwnMonitor, startMonitorStack, storedIncidents } from "../run/monitorStack.ts";
import { startSwitchTarget } from "../run/switchTarget.ts";

const patience = { timeout: 200_000, interval: 200 };
const secret = createWebhookSecret();
const minuteMs = 60_000;

type Mail = { readonly from: string; readonly to: string[]; readonly text: string };

let own: UptimeStack;
let hooks: HookReceiver;
let mailServer: SMTPServer;
const mails: Mail[] = [];
let mailFailures = 0;
beforeAll(async () => {
  hooks = await startHookReceiver();
  const smtpPort = await startMailServer();
  const env = {
    // One address only, so that others of loopback are refused.
    UPTIME_ALLOW_CIDRS: "127.0.0.1/32",
    SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    SMTP_FROM: "Lookout <lookout@example.com>",
  };
  own = await startMonitorStack(env, { notifications: { firstRetryMs: 100 } });
});
afterAll(async () => {
  await own?.stop();
  await hooks?.close();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

async function startMailServer(): Promise<number> {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      stream.on("end", () => {
        if (mailFailures-- > 0) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({ from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address), text });
        done();
      });
    },
  });
  const server = await new Promise<ReturnType<SMTPServer["listen"]>>((resolve) => {
    const listening = mailServer.listen(0, "127.0.0.1", () => resolve(listening));
  });
  // A server that listens on TCP has this kind of address.
  return (server.address() as AddressInfo).port;
}

type Step = MonitorOptions["escalation"][number];

/** A paused monitor, so that only the test makes transitions. */
async function monitorWith(
  escalation: (channels: (path: string) => Promise<string>) => Promise<Step[]>,
): Promise<Monitor> {
  const monitor = await addOwnMonitor(own, {
    url: "http://127.0.0.1:1/?token=secret",
    intervalMs: minuteMs,
    name: "Shop",
  });
  const steps = await escalation((path) => addChannel(monitor, "webhook", hook(path)));
  await own.postgres.query(
    "UPDATE monitors SET status = 'paused', notified_revision = revision, options = options || $2 WHERE id = $1",
    [monitor.id, JSON.stringify({ escalation: steps })],
  );
  await notifyMonitor(own, { ...monitor, status: "paused", revision: monitor.revision + 1 });
  return monitor;
}

const hook = (path: string) => `http://127.0.0.1:${hooks.port}${path}`;

async function addChannel({ organizationId }: Monitor, kind: string, target: string): Promise<string> {
  const id = randomUUID();
  await own.postgres.query(
    "INSERT INTO notification_channels (id, organization_id, name, kind, target, secret) VALUES ($1, $2, 'Test', $3, $4, $5)",
    [id, organizationId, kind, target, kind === "webhook" ? secret : ""],
  );
  return id;
}

/** One channel that is notified at once. */
async function monitorTelling(kind: string, target: string): Promise<Monitor> {
  const monitor = await monitorWith(async () => []);
  const id = await addChannel(monitor, kind, target);
  await own.postgres.query("UPDATE monitors SET options = options || $2 WHERE id = $1", [
    monitor.id,
    JSON.stringify({ escalation: [{ channelIds: [id], afterMinutes: 0 }] }),
  ]);
  return monitor;
}

const somePath = () => `/${randomUUID()}`;

function opened({ id }: Monitor, dueMs = Date.now()): Transition {
  const change = {
    kind: "opened",
    startedMs: dueMs,
    firstError: "HTTP status <503>",
    checksAffected: 2,
    regions: ["local"],
  } as const;
  return { kind: "incident", monitorId: id, dueMs, change };
}

function resolved(before: Transition): Transition {
  if (before.kind !== "incident") throw new Error("Only incidents resolve");
  const resolvedMs = before.dueMs + 65_000;
  return { ...before, dueMs: resolvedMs, change: { ...before.change, kind: "resolved", resolvedMs } };
}

const idOf = (transition: Transition) =>
  transition.kind === "incident" ? incidentId(transition.monitorId, transition.change.startedMs) : "";

async function deliveries({ id }: Monitor) {
  const { rows } = await own.postgres.query<{
    event: string;
    status: string;
    attempts: number;
    last_error: string | null;
  }>("SELECT event, status, attempts, last_error FROM deliveries WHERE monitor_id = $1 ORDER BY created_at, event", [
    id,
  ]);
  return rows;
}

async function escalationStatus(transition: Transition): Promise<string> {
  const { rows } = await own.postgres.query<{ workflowId: string }>(
    `SELECT ${workflowIdSql("monitor")} AS "workflowId" FROM monitors WHERE id = $1`,
    [transition.monitorId],
  );
  const workflowId = incidentWorkflowId(rows[0]?.workflowId ?? "", idOf(transition));
  const { status, typedSearchAttributes } = await own.temporal.client.workflow.getHandle(workflowId).describe();
  return `${status.name}${typedSearchAttributes.get(lookoutAcknowledged) ? ", acknowledged" : ""}`;
}

describe("notifications", { timeout: 600_000 }, () => {
  it("sends a webhook an incident's start and end, signed, and once however often it is planned", async () => {
    const path = somePath();
    const monitor = await monitorTelling("webhook", hook(path));
    const beginning = opened(monitor);
    await Promise.all([announceTransition(own, beginning), announceTransition(own, beginning)]);
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered" }]);
    const end = resolved(beginning);
    await announceTransition(own, end);
    await expect
      .poll(() => deliveries(monitor), patience)
      .toMatchObject([
        { event: "incident.opened", status: "delivered", attempts: 1, last_error: null },
        { event: "incident.resolved", status: "delivered", attempts: 1 },
      ]);
    for (const again of [beginning, end]) await announceTransition(own, again);
    await own.temporal.client.schedule.getHandle("monitor-reconciliation").trigger();
    await expect.poll(() => escalationStatus(beginning), patience).toBe("COMPLETED");

    const [first, second, ...more] = hooks.at(path);
    expect(more).toEqual([]);
    if (first === undefined || second === undefined) throw new Error("Two messages were expected");
    for (const message of [first, second]) {
      expect(message.headers["content-type"]).toBe("application/json");
      expect(isSigned(message, secret)).toBe(true);
      expect(isSigned({ ...message, body: `${message.body} ` }, secret)).toBe(false);
    }
    expect(first.headers["webhook-id"]).not.toBe(second.headers["webhook-id"]);
    const startedAt = new Date(beginning.dueMs).toISOString();
    expect(JSON.parse(first.body)).toEqual({
      type: "incident.opened",
      timestamp: startedAt,
      data: {
        monitor: { id: monitor.id, name: "Shop", url: "http://127.0.0.1:1/", websiteId: monitor.websiteId },
        incident: {
          id: idOf(beginning),
          url: expect.stringContaining(`/uptime/${monitor.websiteId}/incident/`),
          startedAt,
          resolvedAt: null,
          durationMs: 0,
          firstError: "HTTP status <503>",
          checksAffected: 2,
          regions: ["local"],
        },
      },
    });
    expect(JSON.parse(second.body)).toMatchObject({
      type: "incident.resolved",
      data: { incident: { resolvedAt: new Date(end.dueMs).toISOString(), durationMs: 65_000 } },
    });
  });

  it("retries after errors, with the same id, until it arrives", async () => {
    const path = somePath();
    hooks.answer(path, 500, 302, 503);
    const monitor = await monitorTelling("webhook", hook(path));
    await announceTransition(own, opened(monitor));
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered", attempts: 4 }]);
    expect((await deliveries(monitor))[0]?.last_error).toBe("the hook answered 503");
    const messages = hooks.at(path);
    expect(messages).toHaveLength(4);
    expect(new Set(messages.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    expect(messages.every((message) => isSigned(message, secret))).toBe(true);
    expect(hooks.at("/elsewhere")).toEqual([]);
  });

  it("stops at 410, and never reaches an address that is not public", async () => {
    const path = somePath();
    hooks.answer(path, 410);
    const gone = await monitorTelling("webhook", hook(path));
    await announceTransition(own, opened(gone));
    await expect.poll(() => deliveries(gone), patience).toMatchObject([{ status: "failed", attempts: 1 }]);
    const inner = await startHookReceiver("127.0.0.2");
    try {
      const monitor = await monitorTelling("webhook", `http://127.0.0.2:${inner.port}/`);
      await announceTransition(own, opened(monitor));
      await expect.poll(async () => (await deliveries(monitor))[0]?.last_error, patience).toMatch(/not public/);
      expect(inner.received).toEqual([]);
    } finally {
      await inner.close();
    }
  });

  it("sends what was planned while Temporal was unavailable", async () => {
    const path = somePath();
    const monitor = await monitorTelling("webhook", hook(path));
    const beginning = opened(monitor);
    await recordTransition(own.postgres, beginning);
    expect(await planDeliveries(own.postgres, beginning)).toHaveLength(1);
    expect(await deliveries(monitor)).toMatchObject([{ status: "pending", attempts: 0 }]);
    await own.temporal.client.schedule.getHandle("monitor-reconciliation").trigger();
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered" }]);
    await expect.poll(() => escalationStatus(beginning), patience).toBe("RUNNING");
    expect(hooks.at(path)).toHaveLength(1);
  });

  it("sends an e-mail, again after the mail server refused it temporarily", async () => {
    mailFailures = 1;
    const monitor = await monitorTelling("email", "ops@example.com");
    await announceTransition(own, opened(monitor));
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered", attempts: 2 }]);
    expect((await deliveries(monitor))[0]?.last_error).toMatch(/try later/);
    const [mail, ...more] = mails;
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ from: "lookout@example.com", to: ["ops@example.com"] });
    for (const part of [
      "Subject: Shop is down",
      "From: Lookout <lookout@example.com>",
      "Error: HTTP status <503>",
      "Message-ID: <msg_",
    ])
      expect(mail?.text).toContain(part);
    expect(mail?.text).not.toContain("token=secret");
  });

  it("sends to a Slack-compatible hook", async () => {
    const path = somePath();
    const monitor = await monitorTelling("slack", hook(path));
    await announceTransition(own, opened(monitor));
    await expect.poll(() => hooks.at(path).length, patience).toBe(1);
    const [message] = hooks.at(path);
    expect(message?.headers["webhook-id"]).toBeUndefined();
    expect(JSON.parse(message?.body ?? "")).toEqual({
      text: "Shop is down",
      blocks: [
        {
          type: "section",
          text: {
            type: "mrkdwn",
            text: expect.stringMatching(
              /^\*Shop is down\*\nhttp:\/\/127.0.0.1:1\/\nError: HTTP status &lt;503&gt;\nDown since 20/,
            ),
          },
        },
      ],
    });
  });

  it("notifies of an expiring certificate once", async () => {
    const path = somePath();
    const monitor = await monitorTelling("webhook", hook(path));
    const expiryMs = Date.UTC(2030, 0, 1);
    const transition = { kind: "certificateExpiring", monitorId: monitor.id, dueMs: Date.now(), expiryMs } as const;
    await announceTransition(own, transition);
    await announceTransition(own, { ...transition, dueMs: transition.dueMs + minuteMs });
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered" }]);
    expect(hooks.at(path).map(({ body }) => JSON.parse(body))).toMatchObject([
      { type: "certificate.expiring", data: { certificate: { expiresAt: "2030-01-01T00:00:00.000Z" } } },
    ]);
  });

  it("continues after a kill of the worker in the middle of a delivery: the receiver sees the same id again", async () => {
    const path = somePath();
    hooks.answer(path, "hold");
    const monitor = await monitorTelling("webhook", hook(path));
    await announceTransition(own, opened(monitor));
    await expect.poll(() => hooks.at(path).length, patience).toBe(1);
    await own.stack.kill("worker");
    await own.stack.restart("worker");
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered", attempts: 2 }]);
    const ids = hooks.at(path).map(({ headers }) => headers["webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
  });
});

describe("escalation", { timeout: 600_000 }, () => {
  it("notifies each step when due, stops at the acknowledgement, and notifies the notified channels of the end", async () => {
    const [first, second, third] = [somePath(), somePath(), somePath()];
    const monitor = await monitorWith(async (channel) => [
      { channelIds: [await channel(first)], afterMinutes: 0 },
      { channelIds: [await channel(second)], afterMinutes: 1 },
      { channelIds: [await channel(third)], afterMinutes: 2 },
    ]);
    const beginning = opened(monitor, Date.now() - minuteMs + 3_000);
    await announceTransition(own, beginning);
    await expect.poll(() => hooks.at(first).length, patience).toBe(1);
    await expect.poll(() => hooks.at(second).length, patience).toBe(1);
    expect(JSON.parse(hooks.at(second)[0]?.body ?? "")).toMatchObject({
      type: "incident.escalated",
      data: { afterMinutes: 1 },
    });
    expect(await escalationStatus(beginning)).toBe("RUNNING");

    await own.postgres.query("UPDATE incidents SET acknowledged_at = now() WHERE id = $1", [idOf(beginning)]);
    await stopEscalation(own, idOf(beginning));
    await expect.poll(() => escalationStatus(beginning), patience).toBe("RUNNING, acknowledged");
    await announceTransition(own, resolved(beginning));
    await expect.poll(() => escalationStatus(beginning), patience).toBe("COMPLETED, acknowledged");
    // A second time, when nothing is left to end.
    await stopEscalation(own, idOf(beginning));
    await expect.poll(() => hooks.at(first).length, patience).toBe(2);
    await expect.poll(() => hooks.at(second).length, patience).toBe(2);
    expect(hooks.at(third)).toEqual([]);
    expect(await deliveries(monitor)).toHaveLength(4);
  });

  it("reads PostgreSQL before each step, so that a lost signal causes no notification", async () => {
    const path = somePath();
    const monitor = await monitorWith(async (channel) => [{ channelIds: [await channel(path)], afterMinutes: 1 }]);
    const beginning = opened(monitor, Date.now() - minuteMs + 5_000);
    await announceTransition(own, beginning);
    await own.postgres.query("UPDATE incidents SET acknowledged_at = now() WHERE id = $1", [idOf(beginning)]);
    await expect.poll(() => escalationStatus(beginning), patience).toBe("RUNNING, acknowledged");
    expect(await deliveries(monitor)).toEqual([]);
  });

  it("ends when the incident is over", async () => {
    const path = somePath();
    const monitor = await monitorWith(async (channel) => [{ channelIds: [await channel(path)], afterMinutes: 5 }]);
    const beginning = opened(monitor);
    await announceTransition(own, beginning);
    await expect.poll(() => escalationStatus(beginning), patience).toBe("RUNNING");
    await announceTransition(own, resolved(beginning));
    await expect.poll(() => escalationStatus(beginning), patience).toBe("COMPLETED");
    expect(await deliveries(monitor)).toEqual([]);
  });
});

describe("maintenance windows", { timeout: 600_000 }, () => {
  async function addWindow({ websiteId }: Monitor, monitorIds: string[], endsMs: number): Promise<void> {
    await own.postgres.query(
      `INSERT INTO maintenance_windows (id, website_id, monitor_ids, title, starts_at, ends_at)
       VALUES ($1, $2, $3, 'Disks', now() - interval '1 hour', to_timestamp($4::float8 / 1000))`,
      [randomUUID(), websiteId, monitorIds, endsMs],
    );
  }

  it("suppress notifications of an incident; one that outlasts the window is notified at its end", async () => {
    const path = somePath();
    const monitor = await monitorTelling("webhook", hook(path));
    await addWindow(monitor, [monitor.id], Date.now() + 8_000);
    await announceTransition(own, opened(monitor));
    expect(await deliveries(monitor)).toMatchObject([{ event: "incident.opened", status: "suppressed", attempts: 0 }]);
    await expect.poll(() => deliveries(monitor), patience).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("suppress for good incidents that end before them, and do not affect other monitors", async () => {
    const [path, otherPath] = [somePath(), somePath()];
    const monitor = await monitorTelling("webhook", hook(path));
    await addWindow(monitor, [], Date.now() + 3_600_000);
    const beginning = opened(monitor);
    await announceTransition(own, beginning);
    await announceTransition(own, resolved(beginning));
    await expect.poll(() => escalationStatus(beginning), patience).toBe("COMPLETED");
    expect(await deliveries(monitor)).toMatchObject([{ event: "incident.opened", status: "suppressed" }]);
    expect(hooks.at(path)).toEqual([]);
    const other = await monitorTelling("webhook", hook(otherPath));
    await addWindow(other, [randomUUID()], Date.now() + 3_600_000);
    await announceTransition(own, opened(other));
    await expect.poll(() => hooks.at(otherPath).length, patience).toBe(1);
  });
});

describe("a checked monitor", { timeout: 600_000 }, () => {
  it("notifies its channel when its target goes down and comes back", async () => {
    const path = somePath();
    const target = await startSwitchTarget();
    try {
      target.turn("down");
      const monitor = await addOwnMonitor(own, { url: target.url, intervalMs: 2_000 });
      const channelId = await addChannel(monitor, "webhook", hook(path));
      await own.postgres.query("UPDATE monitors SET options = options || $2 WHERE id = $1", [
        monitor.id,
        JSON.stringify({ escalation: [{ channelIds: [channelId], afterMinutes: 0 }] }),
      ]);
      await notifyMonitor(own, monitor);
      await expect.poll(() => hooks.at(path).length, patience).toBe(1);
      target.turn("up");
      await expect.poll(() => hooks.at(path).length, patience).toBe(2);
      const types = hooks.at(path).map(({ body }) => (JSON.parse(body) as { type: string }).type);
      expect(types).toEqual(["incident.opened", "incident.resolved"]);
      expect(await storedIncidents(own, monitor.id)).toHaveLength(1);
    } finally {
      await target.close();
    }
  });
});
