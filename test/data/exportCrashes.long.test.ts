import type { Client } from "@temporalio/client";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { handlers } from "../../src/handlers.ts";
import { QuestdbReader } from "../../src/store/questdbReader.ts";
import { noonDaysAgo } from "../support/noonDaysAgo.ts";
import { type OwnServer, startOwnServer } from "../support/ownServer.ts";
import { createWebsite } from "../support/website.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../workflows/workerProcess.ts";
import { download, ended, show, start } from "./exportCalls.ts";
import { expectSameRows, readExported } from "./exportedRows.ts";
import { eventKinds, insertEvents, sourceEvents } from "./exportSource.ts";

let server: OwnServer;
let client: Client;
let worker: WorkerProcess;
let namespace: string;
let removeNamespace: () => Promise<void>;

async function startOwnWorker(): Promise<void> {
  const started = startWorker(inject("lookout"), namespace);
  worker = started;
  await started.isReady;
}

beforeAll(async () => {
  const lookout = inject("lookout");
  ({ client, namespace, remove: removeNamespace } = await makeNamespace(lookout.temporalAddress));
  const env = { EXPORT_PART_ROWS: "100", DATA_DIR: lookout.dataDir, TEMPORAL_NAMESPACE: namespace };
  [server] = await Promise.all([startOwnServer(handlers, env), startOwnWorker()]);
});
afterAll(async () => {
  await stopWorker(worker, "SIGKILL");
  await server?.close();
  await removeNamespace?.();
});

test("4.18: an export whose worker is killed twice is whole, and no finished part is written again", async () => {
  const website = await createWebsite();
  const fromMs = noonDaysAgo(5);
  const questdb = new QuestdbReader(readConfig({ QUESTDB_PG: inject("lookout").questdbPg }).questdb);
  const events = sourceEvents(1_000, website.websiteId, fromMs, 1_000);
  await insertEvents(questdb, events, website.websiteId);
  await questdb.close();
  const day = new Date(fromMs).toISOString().slice(0, 10);
  const id = await start(website.websiteId, { start_date: day, end_date: day, format: "parquet" }, website, server);
  for (const rows of [200, 500]) {
    await expect.poll(async () => (await show(id, website)).rows_done, { timeout: 60_000 }).toBeGreaterThan(rows);
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

  const { events: history } = await client.workflow.getHandle(`export/${id}`).fetchHistory();
  const parts = (history ?? []).filter(
    (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === "writeExportPart",
  );
  // The last part of events is empty, and links have one.
  expect(parts).toHaveLength(12);
}, 240_000);
