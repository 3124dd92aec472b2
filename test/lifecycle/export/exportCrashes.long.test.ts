import { randomInt } from "node:crypto";
import type { Client } from "@temporalio/client";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../../kit/stack/workerProcess.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedWorkflowId } from "../../kit/stores/storedWorkflowId.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { download, ended, show, start } from "./exportCalls.ts";
import { expectSameRows, readExported } from "./exportedRows.ts";
import { eventKinds, insertEvents, sourceEvents } from "./exportSource.ts";

let server: OwnServer;
let client: Client;
let worker: WorkerProcess;
let namespace: string;
let removeNamespace: () => Promise<void>;

const runOf = async (id: string) => client.workflow.getHandle(await storedWorkflowId("export", id));

async function startOwnWorker(): Promise<void> {
  const started = startWorker(inject("lookout"), namespace);
  worker = started;
  await started.isReady;
}

beforeAll(async () => {
  const lookout = inject("lookout");
  ({ client, namespace, remove: removeNamespace } = await makeNamespace(lookout.temporalAddress));
  const env = { DATA_DIR: lookout.dataDir, TEMPORAL_NAMESPACE: namespace };
  [server] = await Promise.all([startOwnServer(handlers, env, { exports: { partRows: 100 } }), startOwnWorker()]);
});
afterAll(async () => {
  await stopWorker(worker, "SIGKILL");
  await server?.close();
  await removeNamespace?.();
});

test("4.18: an export whose worker is killed twice is complete, and no finished part is written again", async () => {
  const website = await createWebsite();
  const fromMs = noonDaysAgo(5);
  const questdb = openQuestdb();
  const events = sourceEvents(1_000, website.websiteId, fromMs, 1_000);
  await insertEvents(questdb, events, website.websiteId);
  await questdb.close();
  const day = new Date(fromMs).toISOString().slice(0, 10);
  const id = await start(website.websiteId, { start_date: day, end_date: day, format: "parquet" }, website, server);
  for (const rows of [200, 500]) {
    await expect.poll(async () => (await show(id, website)).rows_done, { timeout: 200_000 }).toBeGreaterThan(rows);
    await stopWorker(worker, "SIGKILL");
    expect(await show(id, website)).toMatchObject({ status: "processing" });
    await startOwnWorker();
  }
  const shown = await ended(id, website, 90_000);
  const files = await download(shown);
  expectSameRows(
    await readExported("events.parquet", files.get("events.parquet") ?? Buffer.alloc(0), eventKinds),
    events,
  );

  const { events: history } = await (await runOf(id)).fetchHistory();
  const parts = (history ?? []).filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === "writeExportPart",
  );
  // The last part of events is empty, and links have one.
  expect(parts).toHaveLength(12);
}, 600_000);

/** Numbers of temporal.api.enums.v1.TimeoutType. */
const heartbeatTimeout = 4;

test("4.18: a worker killed in the first or last step of an export is detected by missing heartbeats, and the step is repeated", async () => {
  const website = await createWebsite();
  const fromMs = noonDaysAgo(5);
  const day = new Date(fromMs).toISOString().slice(0, 10);
  const name = `hold_${website.websiteId.replaceAll("-", "")}`;
  const locks = { planExport: randomInt(2 ** 31), completeExport: randomInt(2 ** 31) };
  await inDatabase(async (database) => {
    for (const lock of Object.values(locks)) await database.query("SELECT pg_advisory_lock($1)", [lock]);
    // Each of the two steps stops where it writes what it has found out.
    await database.query(
      `CREATE FUNCTION ${name}() RETURNS trigger AS $$ BEGIN
         PERFORM pg_advisory_xact_lock(CASE NEW.status WHEN 'completed' THEN ${locks.completeExport} ELSE ${locks.planExport} END);
         RETURN NEW;
       END $$ LANGUAGE plpgsql`,
    );
    await database.query(
      `CREATE TRIGGER ${name} BEFORE UPDATE ON exports FOR EACH ROW
       WHEN (NEW.website_id = '${website.websiteId}' AND (NEW.status, NEW.storage_id) IS DISTINCT FROM (OLD.status, OLD.storage_id))
       EXECUTE FUNCTION ${name}()`,
    );
    try {
      const id = await start(website.websiteId, { start_date: day, end_date: day }, website, server);
      const run = await runOf(id);
      for (const [step, lock] of Object.entries(locks)) {
        const isHeld = async () =>
          (
            await database.query("SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted", [
              lock,
            ])
          ).rowCount !== 0;
        await expect.poll(isHeld, { timeout: 200_000 }).toBe(true);
        await stopWorker(worker, "SIGKILL");
        await startOwnWorker();
        const attempt = async () => {
          const { raw } = await run.describe();
          return raw.pendingActivities?.find(({ activityType }) => activityType?.name === step)?.attempt;
        };
        await expect.poll(attempt, { timeout: 200_000 }).toBe(2);
        await database.query("SELECT pg_advisory_unlock($1)", [lock]);
      }
      expect(await ended(id, website, 90_000)).toMatchObject({ status: "completed" });

      // The last step is in the history once it has ended.
      await expect.poll(async () => (await run.describe()).raw.pendingActivities?.length ?? 0).toBe(0);
      const { events = [] } = await run.fetchHistory();
      const started = events?.flatMap(({ activityTaskStartedEventAttributes: attributes }) => attributes ?? []) ?? [];
      const scheduled = new Map(
        events?.map(({ eventId, activityTaskScheduledEventAttributes: of }) => [
          String(eventId),
          of?.activityType?.name,
        ]),
      );
      const timeouts = started.flatMap(({ scheduledEventId, lastFailure }) =>
        lastFailure ? [[scheduled.get(String(scheduledEventId)), lastFailure.timeoutFailureInfo?.timeoutType]] : [],
      );
      expect(timeouts).toEqual(Object.keys(locks).map((step) => [step, heartbeatTimeout]));
    } finally {
      await database.query(`DROP TRIGGER ${name} ON exports`);
      await database.query(`DROP FUNCTION ${name}()`);
    }
  });
}, 600_000);
