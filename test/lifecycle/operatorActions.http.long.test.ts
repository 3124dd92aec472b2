import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection, type WorkflowHandle } from "@temporalio/client";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { countsOf, dayOf, receiptOf, shown, startErasure } from "../kit/calls/erasureCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pageView, sendEvents } from "../kit/calls/websiteCalls.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../kit/stack/workerProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { storedWorkflowId } from "../kit/stores/storedWorkflowId.ts";
import { cancel, ended, show, start } from "./export/exportCalls.ts";

vi.setConfig({ testTimeout: 240_000 });

const atMs = noonDaysAgo(3);
const day = dayOf(atMs);
const days = { start_date: day, end_date: day };

let connection: Connection;
let temporal: Client;
beforeAll(async () => {
  connection = await Connection.connect({ address: inject("lookout").temporalAddress });
  temporal = new Client({ connection });
});
afterAll(() => connection.close());

async function statusOf(run: WorkflowHandle): Promise<string> {
  return (await run.describe()).status.name;
}

async function detailsOf(run: WorkflowHandle): Promise<string> {
  const metadata = await run.query<{ currentDetails?: string }>("__temporal_workflow_metadata");
  return metadata.currentDetails ?? "";
}

/** What operators can send from the Temporal UI. */
const garbage = [[], ["garbage"], [null], [{ url: 5 }], [-1], [1.5], [[]], [1, 2]];

/** Starts a run over from its first task, as the button of the UI does. */
async function reset(client: Client, workflowId: string): Promise<void> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: 4 as never,
    reason: "test",
    requestId: randomUUID(),
  });
}

async function sendGarbage(run: WorkflowHandle, signal: string): Promise<void> {
  for (const args of garbage) await run.signal(signal, ...args);
  await expect(run.executeUpdate("nonsense", { args: ["garbage"] })).rejects.toThrow();
  await expect(run.query("nonsense", "garbage")).rejects.toThrow();
}

async function failedTasks(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskFailedEventAttributes).length;
}

describe.concurrent("an erasure continues after anything an operator does to its run", () => {
  const slips: Record<string, (run: WorkflowHandle) => Promise<unknown>> = {
    "a terminated one": (run) => run.terminate("by mistake"),
    "a cancelled one": (run) => run.cancel(),
    "a reset one": (run) => reset(temporal, run.workflowId),
    "one that is sent garbage": (run) => sendGarbage(run, "nonsense"),
  };
  for (const [name, slip] of Object.entries(slips))
    test(name, async ({ expect }) => {
      const site = await createWebsite();
      await sendEvents(site.websiteId, [pageView({ timestamp: atMs })]);
      await storedRows("events", site.websiteId, 1);
      const { deletion_id: id } = await startErasure(site, { ...days, data_types: ["events"] });
      await expect.poll(async () => (await shown(site, id)).phase, { timeout: 200_000 }).toBe("releasing");
      const run = temporal.workflow.getHandle(await storedWorkflowId("deletion", id));
      await slip(run);
      expect(countsOf(await receiptOf(site, id))).toMatchObject({ events: [1, 0] });
      await expect.poll(() => statusOf(run)).toBe("COMPLETED");
    });
});

describe.concurrent("a change of retention", () => {
  const runOf = ({ websiteId }: TestWebsite) => temporal.workflow.getHandle(`retention-change/${websiteId}`);
  async function shorten(): Promise<TestWebsite> {
    const site = await createWebsite();
    const retention = { rawEventsDays: 30, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 };
    const set = { id: site.websiteId, retention };
    expect((await send("POST", "/websites/retention", { body: set, apiKey: site.apiKey })).status).toBe(200);
    await expect.poll(() => detailsOf(runOf(site))).toContain("shorter periods take effect at");
    return site;
  }

  test("survives a reset and invalid signals, and records that they were ignored", async ({ expect }) => {
    const site = await shorten();
    const run = runOf(site);
    await reset(temporal, run.workflowId);
    await expect.poll(() => detailsOf(run)).toContain("shorter periods take effect at");
    const [before, failedBefore] = [await detailsOf(run), await failedTasks(run)];
    await sendGarbage(run, "retentionPending");
    await expect.poll(() => detailsOf(run)).toContain("Ignored the signal `retentionPending`");
    expect(await detailsOf(run)).toContain(before);
    expect([await statusOf(run), await failedTasks(run)]).toEqual(["RUNNING", failedBefore]);
  });

  for (const how of ["cancel", "terminate"] as const)
    test(`takes effect after a ${how}, once its time has come`, async ({ expect }) => {
      const site = await shorten();
      await runOf(site)[how]();
      await expect.poll(() => statusOf(runOf(site))).not.toBe("RUNNING");
      await inDatabase((database) =>
        database.query(
          `UPDATE websites SET pending_retention = pending_retention || '{"effectiveAtMs": 1700000000000}' WHERE id = $1`,
          [site.websiteId],
        ),
      );
      const options = { taskQueue: "lookout", workflowId: randomUUID() };
      await temporal.workflow.execute("retentionReconciliation", options);
      await runOf(site).result();
      const { body } = await send("POST", "/websites/get", { body: { id: site.websiteId }, apiKey: site.apiKey });
      expect(body).toMatchObject({ retention: { rawEventsDays: 30 }, pendingRetention: null });
    });
});

describe.concurrent("the run of a Schedule that was terminated is made up for by the next one, which may be reset", () => {
  for (const type of [
    "correction",
    "saltRotation",
    "purge",
    "monitorReconciliation",
    "exportReconciliation",
    "deletionReconciliation",
    "retentionReconciliation",
  ])
    test(type, async ({ expect }) => {
      const startRun = () => temporal.workflow.start(type, { taskQueue: "lookout", workflowId: randomUUID() });
      const first = await startRun();
      // It may have ended by then.
      await first.terminate("by mistake").catch(() => undefined);
      await expect.poll(() => statusOf(first)).toMatch(/^(TERMINATED|COMPLETED)$/);
      const second = await startRun();
      await second.result();
      await reset(temporal, second.workflowId);
      await temporal.workflow.getHandle(second.workflowId).result();
      expect(await statusOf(temporal.workflow.getHandle(second.workflowId))).toBe("COMPLETED");
    });
});

describe("a run of an export ends as the export does, and an export as its run", () => {
  let server: OwnServer;
  let worker: WorkerProcess | undefined;
  let client: Client;
  let namespace: string;
  let removeNamespace: () => Promise<void>;
  let dataDir: string;
  let website: TestWebsite;

  const runOf = async (id: string) => client.workflow.getHandle(await storedWorkflowId("export", id));
  const startOne = () => start(website.websiteId, days, website, server);
  const resume = async (): Promise<void> => {
    if (worker !== undefined) return;
    const started = startWorker({ ...inject("lookout"), dataDir }, namespace);
    worker = started;
    await started.isReady;
  };
  /** Nothing happens until the worker is back. */
  const pauseWorker = async (): Promise<void> => {
    if (worker !== undefined) await stopWorker(worker, "SIGTERM");
    worker = undefined;
  };
  const reconcile = async (id: string): Promise<void> => {
    await inDatabase((database) =>
      database.query("UPDATE exports SET run_started_at = now() - interval '2 minutes' WHERE id = $1", [id]),
    );
    await client.workflow.execute("exportReconciliation", { taskQueue: "lookout", workflowId: randomUUID() });
  };

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "lookout-slips-"));
    ({ client, namespace, remove: removeNamespace } = await makeNamespace(inject("lookout").temporalAddress));
    website = await createWebsite();
    await sendEvents(website.websiteId, [pageView({ timestamp: atMs })]);
    const env = { DATA_DIR: dataDir, TEMPORAL_NAMESPACE: namespace, EXPORT_MAX_RUNNING: "50" };
    server = await startOwnServer(handlers, env);
    // The first worker of a namespace registers its search attributes.
    await resume();
    await pauseWorker();
  }, 600_000);
  afterAll(async () => {
    await pauseWorker();
    await server?.close();
    await removeNamespace?.();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("4.18: failed, cancelled, withdrawn, terminated, reset or signalled with invalid payloads", async () => {
    await storedRows("events", website.websiteId, 1);
    const [failed, cancelled, byOperator, terminated, whole] = await Promise.all(Array.from({ length: 5 }, startOne));
    if (!failed || !cancelled || !byOperator || !terminated || !whole) throw new Error("five exports were started");
    // A file where its folder is to be.
    await mkdir(join(dataDir, "exports"), { recursive: true });
    await writeFile(join(dataDir, "exports", failed), "");
    await cancel(cancelled, website);
    await (await runOf(byOperator)).cancel();
    await (await runOf(terminated)).terminate("by mistake");
    for (const args of garbage) await (await runOf(whole)).signal("nonsense", ...args);
    await resume();

    expect(await ended(failed, website, 120_000)).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("went wrong on our side"),
    });
    const { reason } = await show(failed, website);
    await expect.poll(async () => statusOf(await runOf(failed))).toBe("FAILED");
    await expect((await runOf(failed)).result()).rejects.toMatchObject({
      cause: { type: "ExportFailed", message: reason },
    });
    expect(await detailsOf(await runOf(failed))).toContain(`### Export: failed\n\n${reason}`);

    for (const [id, why] of [
      [cancelled, "It was cancelled"],
      [byOperator, "An operator cancelled it. Start a new export"],
    ] as const) {
      expect(await ended(id, website)).toMatchObject({ status: "cancelled", reason: why });
      // The API's request to cancel the run may be lost: the run then ends by itself.
      await expect
        .poll(async () => statusOf(await runOf(id)))
        .toMatch(id === byOperator ? /^CANCELLED$/ : /^(CANCELLED|COMPLETED)$/);
      expect(await detailsOf(await runOf(id))).toContain(`### Export: cancelled\n\n${why}`);
    }

    await reconcile(terminated);
    expect(await show(terminated, website)).toMatchObject({
      status: "failed",
      reason: "Its run was lost or stopped by an operator. Start the export again",
    });

    expect(await ended(whole, website)).toMatchObject({ status: "completed", rows_done: 1 });
    const wholeRun = await runOf(whole);
    await sendGarbage(wholeRun, "nonsense");
    expect(await failedTasks(wholeRun)).toBe(0);
    await reset(client, wholeRun.workflowId);
    await expect.poll(() => detailsOf(wholeRun)).toContain("kept until");
    expect(await show(whole, website)).toMatchObject({ status: "completed", rows_done: 1 });
    expect(await statusOf(wholeRun)).toBe("RUNNING");

    // While it waits to be written.
    await pauseWorker();
    const withdrawn = await startOne();
    await resume();
    await startErasure(website, { ...days, data_types: ["events"] }, server.baseUrl);
    const withdrawal = "Data of these days was erased. Start a new export of what is left";
    for (const [id, status] of [
      [withdrawn, "expired|cancelled"],
      [whole, "expired"],
    ] as const) {
      await expect
        .poll(async () => (await show(id, website)).status, { timeout: 200_000 })
        .toMatch(new RegExp(`^(${status})$`));
      const { status: now } = await show(id, website);
      expect(await show(id, website)).toMatchObject({ reason: withdrawal });
      await expect.poll(async () => statusOf(await runOf(id))).toMatch(/^(CANCELLED|COMPLETED)$/);
      expect(await detailsOf(await runOf(id))).toContain(`### Export: ${now}\n\n${withdrawal}`);
    }
  });
});
