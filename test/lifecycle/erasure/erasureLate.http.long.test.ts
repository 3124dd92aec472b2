import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, Connection } from "@temporalio/client";
import { afterEach, expect, inject, test, vi } from "vitest";
import { countsOf, dayOf, receiptOf, shown, startErasure } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";
import { pageView, sendEvents } from "../../kit/calls/websiteCalls.ts";
import { createGate } from "../../kit/servers/gate.ts";
import { startApiProcess } from "../../kit/stack/apiProcess.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";
import { storedWorkflowId } from "../../kit/stores/storedWorkflowId.ts";

vi.setConfig({ testTimeout: 180_000 });

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An API process as on another machine: with a DATA_DIR that no worker sees, and without QuestDB while the gate is shut. */
async function startElsewhere() {
  const url = new URL(inject("lookout").questdbHttp);
  const gate = await createGate(Number(url.port));
  cleanUps.push(() => gate.shut());
  url.port = String(gate.port);
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-late-"));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const env = { DATA_DIR: dataDir, QUESTDB_HTTP: url.href };
  const api = await startApiProcess(env);
  cleanUps.push(() => api.stop());
  return { gate, dataDir, env, api };
}

/** Text of all files below a directory. */
async function textBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return (await Promise.all(files.map((file) => readFile(file, "latin1")))).join("\n");
}

const erased = {
  start_date: dayOf(noonDaysAgo(4)),
  end_date: dayOf(noonDaysAgo(2)),
  data_types: ["events"],
};

test("4.17: gone means that no log or dead letter file of another process holds the rows", async () => {
  const site = await createWebsite();
  const { gate, dataDir, api } = await startElsewhere();
  const marker = `marker${randomUUID().replaceAll("-", "")}`;
  const atMs = noonDaysAgo(3);
  const letter = (websiteId: string) => {
    const row = {
      table: "events",
      tsUs: atMs * 1_000,
      values: { website_id: websiteId, visitor_key: 1, path: marker },
    };
    return `${JSON.stringify({ at: new Date().toISOString(), reason: "refused", row })}\n`;
  };
  await writeFile(join(dataDir, "log", "events", "dead-letters.jsonl"), letter(site.websiteId) + letter("another"));
  await gate.shut();
  const late = pageView({ eventId: randomUUID(), timestamp: atMs, path: `https://example.com/${marker}` });
  // Allowed rows wait for QuestDB, and all rows after them wait as well.
  const other = await createWebsite();
  expect((await sendEvents(other.websiteId, [pageView({ timestamp: atMs })], api.baseUrl)).status).toBe(200);
  expect((await sendEvents(site.websiteId, [late], api.baseUrl)).status).toBe(200);
  expect(await textBelow(join(dataDir, "log"))).toContain(`/${marker}`);

  const { deletion_id: id } = await startErasure(site, erased);
  const connection = await Connection.connect({ address: inject("lookout").temporalAddress });
  cleanUps.push(() => connection.close());
  const run = new Client({ connection }).workflow.getHandle(await storedWorkflowId("deletion", id));
  await vi.waitFor(
    async () => {
      const { raw } = await run.describe();
      expect(JSON.stringify(raw.pendingActivities?.map(({ heartbeatDetails }) => textOf(heartbeatDetails)))).toContain(
        dataDir,
      );
    },
    { timeout: 200_000, interval: 500 },
  );
  expect(await shown(site, id)).toMatchObject({ status: "processing", phase: "releasing" });

  await gate.open();
  const receipt = await receiptOf(site, id);
  expect(receipt.spools_away.filter(({ place }) => place.includes(dataDir))).toEqual([]);
  await storedRows("events", other.websiteId, 1);
  const left = await textBelow(join(dataDir, "log"));
  expect(left.split(marker), "only what is another's").toHaveLength(2);
  expect(left).toContain('"website_id":"another"');
});

/** The last heartbeat details of an activity. */
function textOf(details: { payloads?: { data?: Uint8Array | null }[] | null } | null | undefined): string {
  return (details?.payloads ?? []).map(({ data }) => Buffer.from(data ?? []).toString()).join(" ");
}

test("4.17: rows left in a killed process's log before the erasure are dropped when it is taken over; the receipt names the log", async () => {
  const site = await createWebsite();
  const { gate, dataDir, env, api: first } = await startElsewhere();
  await gate.shut();
  const [oldMs, newMs] = [noonDaysAgo(3), noonDaysAgo(1)];
  const late = [oldMs, newMs].map((timestamp) => pageView({ eventId: randomUUID(), timestamp }));
  expect((await sendEvents(site.websiteId, late, first.baseUrl)).status).toBe(200);
  first.child.kill("SIGKILL");

  const { deletion_id: id } = await startErasure(site, erased);
  const receipt = await receiptOf(site, id);
  expect(countsOf(receipt)["events"]).toEqual([0, 0]);
  expect(receipt.spools_away).toContainEqual({
    place: expect.stringContaining(join(dataDir, "log")),
    last_seen_at: expect.any(String),
  });
  await gate.open();
  const next = await startApiProcess(env);
  cleanUps.push(() => next.stop());
  expect(await storedRows("events", site.websiteId, 1)).toMatchObject([{ ts: newMs }]);
  await vi.waitFor(async () => {
    const { body } = await send("GET", "/metrics", { baseUrl: next.baseUrl });
    expect(body).toContain('lookout_erased_rows_total{table="events"} 1');
  }, 100_000);
});

test("part 3: a website deleted 90 days ago is erased as a whole and cannot be restored; others are not changed", async () => {
  const [gone, recent] = [await createWebsite(), await createWebsite()];
  const atMs = noonDaysAgo(2);
  for (const { websiteId } of [gone, recent]) {
    await sendEvents(websiteId, [pageView({ timestamp: atMs }), pageView({ timestamp: noonDaysAgo(100) })]);
    await storedRows("events", websiteId, 2);
  }
  const monitor = { websiteId: gone.websiteId, url: "https://shop.invalid/", interval: "24h" };
  expect(await send("POST", "/uptime/monitors/create", { body: monitor, apiKey: gone.apiKey })).toMatchObject({
    status: 200,
  });
  const filters = [{ field: "country", op: "eq", value: "DE" }];
  for (const { websiteId, apiKey } of [gone, recent]) {
    const body = { websiteId, name: "Germany", filters, shared: true };
    expect(await send("POST", "/v1/segments/create", { body, apiKey })).toMatchObject({ status: 200 });
  }
  await inDatabase(async (database) => {
    const deletedAgo = (days: number, id: string) =>
      database.query("UPDATE websites SET deleted_at = now() - $1 * interval '1 day' WHERE id = $2", [days, id]);
    await deletedAgo(90.1, gone.websiteId);
    await deletedAgo(89.9, recent.websiteId);
  });
  const connection = await Connection.connect({ address: inject("lookout").temporalAddress });
  cleanUps.push(() => connection.close());
  const options = { taskQueue: "lookout", workflowId: `purge-${randomUUID()}`, args: [] };
  const client = new Client({ connection });
  const runsOf = async (websiteId: string) => {
    const found: string[] = [];
    for await (const { workflowId } of client.workflow.list({ query: `LookoutWebsite = '${websiteId}'` }))
      found.push(workflowId);
    return found;
  };
  await expect.poll(() => runsOf(gone.websiteId)).toEqual([expect.stringMatching(/^monitor\//)]);
  await client.workflow.execute("purge", options);
  const find = (websiteId: string) =>
    inDatabase(async (database) => {
      const { rows } = await database.query(
        `SELECT name, domain, purged_at IS NOT NULL AS purged,
           (SELECT receipt FROM deletions WHERE website_id = websites.id AND kind = 'purge') AS receipt,
           (SELECT count(*)::integer FROM segments WHERE website_id = websites.id) AS segments
         FROM websites WHERE id = $1`,
        [websiteId],
      );
      return rows[0];
    });
  await vi.waitFor(async () => expect((await find(gone.websiteId)).receipt).not.toBeNull(), 120_000);
  expect(await find(gone.websiteId)).toMatchObject({ name: "", domain: "", purged: true, segments: 0 });
  expect(await find(recent.websiteId)).toMatchObject({ purged: false, receipt: null, segments: 1 });
  // Nothing with its domain or names is left in Temporal.
  await expect.poll(() => runsOf(gone.websiteId)).toEqual([expect.stringMatching(/^deletion\/[0-9a-f-]{36}$/)]);
  await storedRows("events", gone.websiteId, 0);
  await storedRows("events", recent.websiteId, 2);
  const restore = (site: typeof gone) =>
    send("POST", "/websites/restore", { apiKey: site.apiKey, body: { id: site.websiteId } });
  expect(await restore(gone)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await restore(recent)).toMatchObject({ status: 200 });
});
