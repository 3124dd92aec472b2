import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { receiptOf, startErasure } from "../../kit/calls/erasureCalls.ts";
import { createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../../kit/stack/apiProcess.ts";
import { makeNamespace, startWorker, stopWorker, type WorkerProcess } from "../../kit/stack/workerProcess.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { readArchive } from "../../kit/stores/readArchive.ts";
import { openQuestdb } from "../../kit/stores/testQuestdb.ts";
import { ended, type ShownExport, start } from "./exportCalls.ts";
import { insertEvents, sourceEvents } from "./exportSource.ts";

vi.setConfig({ testTimeout: 600_000 });

const fromMs = noonDaysAgo(6);
const day = new Date(fromMs).toISOString().slice(0, 10);
const days = { start_date: day, end_date: day };

/** A machine: an API process and a worker, with a DATA_DIR of their own. */
type Machine = { readonly dataDir: string; readonly api: ApiProcess; worker: WorkerProcess };

let namespace: string;
let removeNamespace: () => Promise<void>;
let machines: Machine[] = [];
let website: TestWebsite;

async function startMachineWorker(dataDir: string): Promise<WorkerProcess> {
  const worker = startWorker({ ...inject("lookout"), dataDir }, namespace);
  await worker.isReady;
  return worker;
}

async function startMachine(): Promise<Machine> {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-machine-"));
  const env = { DATA_DIR: dataDir, TEMPORAL_NAMESPACE: namespace, EXPORT_MAX_RUNNING: "6" };
  const [api, worker] = await Promise.all([startApiProcess(env), startMachineWorker(dataDir)]);
  return { dataDir, api, worker };
}

beforeAll(async () => {
  ({ namespace, remove: removeNamespace } = await makeNamespace(inject("lookout").temporalAddress));
  machines = await Promise.all([startMachine(), startMachine()]);
  website = await createWebsite();
  const questdb = openQuestdb();
  await insertEvents(questdb, sourceEvents(300, website.websiteId, fromMs, 1_000), website.websiteId);
  await questdb.close();
}, 600_000);
afterAll(async () => {
  for (const { dataDir, api, worker } of machines) {
    await Promise.all([api.stop(), stopWorker(worker, "SIGKILL")]);
    await rm(dataDir, { recursive: true, force: true });
  }
  await removeNamespace();
});

const hasFiles = ({ dataDir }: Machine, id: string): Promise<boolean> =>
  access(join(dataDir, "exports", id)).then(
    () => true,
    () => false,
  );

const downloadFrom = ({ api }: Machine, { download_url }: ShownExport): Promise<Response> => {
  const { pathname, search } = new URL(String(download_url));
  return fetch(`${api.baseUrl}${pathname}${search}`);
};

test("4.18: without a bucket each export is on the machine that wrote it and, when erased, gone from it", async () => {
  const ids = await Promise.all(
    [0, 1, 0, 1, 0, 1].map((index) => start(website.websiteId, days, website, machines[index]?.api)),
  );
  const shown = await Promise.all(ids.map((id) => ended(id, website, 240_000)));
  const places: number[] = [];
  for (const one of shown) {
    expect(one).toMatchObject({ status: "completed", rows_done: 300 });
    const have = await Promise.all(machines.map((machine) => hasFiles(machine, one.export_id)));
    expect(have.filter(Boolean)).toHaveLength(1);
    places.push(have.indexOf(true));
    const answers = await Promise.all(machines.map((machine) => downloadFrom(machine, one)));
    for (const [index, answer] of answers.entries()) {
      expect(answer.status).toBe(have[index] ? 200 : 503);
      if (have[index])
        expect([...readArchive(Buffer.from(await answer.arrayBuffer())).keys()]).toContain("manifest.json");
      else
        expect(await answer.json()).toMatchObject({
          code: "SERVICE_UNAVAILABLE",
          error: expect.stringContaining("EXPORT_S3_BUCKET"),
        });
    }
  }

  // The machine of the first export is off while its data is erased.
  const off = machines[places[0] ?? 0];
  const on = machines[1 - (places[0] ?? 0)];
  if (off === undefined || on === undefined) throw new Error("there are two machines");
  await stopWorker(off.worker, "SIGKILL");
  const request = { ...days, data_types: ["events"] };
  const { deletion_id: id } = await startErasure(website, request, on.api.baseUrl);
  const receipt = await receiptOf(website, id);
  expect(receipt.exports_withdrawn.toSorted()).toEqual(ids.toSorted());
  for (const [index, exportId] of ids.entries()) expect(await hasFiles(on, exportId), `${index}`).toBe(false);
  expect(receipt.spools_away.map(({ place }) => place)).toContainEqual(
    expect.stringContaining(join(off.dataDir, "exports")),
  );
  expect(await hasFiles(off, ids[0] ?? "")).toBe(true);
  off.worker = await startMachineWorker(off.dataDir);
  for (const exportId of ids) await expect.poll(() => hasFiles(off, exportId), { timeout: 200_000 }).toBe(false);
});
