import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { BackupPart, Manifest } from "../../src/backup/manifest.ts";
import { objectOf } from "../../src/backup/take/packPart.ts";
import { send } from "../kit/calls/request.ts";
import { type Owner, ownerOf } from "../kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../kit/stack/uptimeStack.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { runStackCommand } from "../kit/stores/stackCommand.ts";

// Servers are started for each restore and each verify.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 400_000 });

const erasedDay = new Date(noonDaysAgo(5)).toISOString().slice(0, 10);

let directory: string;
let to: string;
let production: UptimeStack;
let owner: Owner;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-copies-"));
  await chmod(directory, 0o711);
  to = join(directory, "backups");
  production = await startUptimeStack();
  owner = await ownerOf(production.config);
  for (const daysAgo of [5, 3]) await sendEvents(daysAgo);
  expect(await backUp()).toMatchObject({ code: 0 });
});

afterAll(async () => {
  await production?.stop();
  await rm(directory, { recursive: true, force: true });
});

async function sendEvents(daysAgo: number): Promise<void> {
  const body = Array.from({ length: 30 }, (_, index) => ({
    name: "page_view",
    path: `/page-${index % 5}`,
    anonymousId: `visitor-${index % 7}`,
    sessionId: `session-${daysAgo}`,
    timestamp: noonDaysAgo(daysAgo) + index * 1_000,
  }));
  const { baseUrl, websiteId, apiKey } = owner;
  expect((await send("POST", `/batch?website_id=${websiteId}`, { body, baseUrl })).status).toBe(200);
  const day = new Date(noonDaysAgo(daysAgo)).toISOString().slice(0, 10);
  const query = { parameters: ["summary_metrics"], startDate: day, endDate: day };
  const ask = async () =>
    (await send("POST", `/v1/query?website_id=${websiteId}`, { body: query, apiKey, baseUrl })).body;
  await vi.waitFor(async () => expect(await ask()).toMatchObject({ data: [{ data: [{ pageviews: 30 }] }] }), {
    timeout: 200_000,
    interval: 500,
  });
}

const backUp = (...args: string[]) => runStackCommand("backup", ["--to", to, ...args], production.config.stack.dataDir);

async function manifests(): Promise<Manifest[]> {
  const names = (await readdir(join(to, "backups"))).sort();
  return await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(to, "backups", name), "utf8"))));
}

const partOf = (manifest: Manifest | undefined, name: RegExp): BackupPart => {
  const found = manifest?.parts.find((part) => name.test(part.name));
  if (found === undefined) throw new Error(`no part ${name}`);
  return found;
};

test("8: a file that was cut at the place is written again by the next backup, which is then whole", async () => {
  const { object, storedBytes } = partOf((await manifests()).at(-1), /^postgres\/organizations$/);
  const path = join(to, "objects", object);
  await truncate(path, Number(storedBytes) - 3);
  expect(await runStackCommand("verify", ["--from", to], directory)).toMatchObject({
    code: 2,
    output: expect.stringContaining("is damaged: its bytes do not match their checksum"),
  });
  expect(await backUp()).toMatchObject({ code: 0 });
  expect((await readFile(path)).length).toBe(storedBytes);
  expect(await runStackCommand("verify", ["--from", to], directory)).toMatchObject({ code: 0 });
});

test("8: a damaged manifest of an earlier backup is named by the next one, which is made", async () => {
  const [first] = await manifests();
  const path = join(to, "backups", `${first?.id}.json`);
  const text = await readFile(path, "utf8");
  await truncate(path, 100);
  const { code, output } = await backUp();
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining("this backup is made.") });
  expect(output).toContain(`${first?.id}.json is not the manifest of a backup, or is damaged`);
  await writeFile(path, text);
});

test("8: without receipts a restore is refused in one sentence", async () => {
  const place = join(directory, "without-receipts");
  await cp(to, place, { recursive: true });
  await rm(join(place, "receipts.json"));
  const refused = join(directory, "refused");
  const { code, output } = await runStackCommand("restore", ["--from", place], refused);
  expect({ code, output }).toMatchObject({ code: 2, output: expect.stringContaining("--without-receipts") });
  expect(output).toContain("has no receipts.json");
  expect(output).not.toMatch(/\bat .*\.ts:\d+/);
  expect(await readdir(refused)).toEqual([]);
});

/** A copy of the place whose newest backup was changed by a program that can write there; its checksums are right. */
async function changedCopy(name: string, change: (manifest: Manifest) => Promise<BackupPart[]>): Promise<string> {
  const place = join(directory, name);
  await cp(to, place, { recursive: true });
  const newest = (await manifests()).at(-1);
  if (newest === undefined) throw new Error("no backup");
  const parts = await change(newest);
  await writeFile(join(place, "backups", `${newest.id}.json`), JSON.stringify({ ...newest, parts }));
  return place;
}

/** Verifies a changed copy, and returns in what sentence that was refused. */
async function refusalOf(place: string): Promise<string> {
  const { code, output } = await runStackCommand("verify", ["--from", place], directory);
  expect(code, output).toBe(2);
  expect(output).not.toMatch(/\bat .*\.ts:\d+/);
  return output;
}

// One change of each kind: others are in backupIsData.unit.test.ts, and each command starts servers.
test("a backup with a changed heading runs no command, and is refused in one sentence", async () => {
  const shown = join(directory, "shown");
  const heading = `id) FROM PROGRAM 'id > ${shown}; echo' --\n`;
  const place = await changedCopy("changed-heading", async ({ parts }) => {
    const part = parts.find(({ name }) => name === "postgres/organizations");
    if (part === undefined) throw new Error("no organizations");
    const bytes = zstdDecompressSync(await readFile(join(to, "objects", part.object)));
    const changed = Buffer.concat([Buffer.from(heading), bytes.subarray(bytes.indexOf("\n") + 1)]);
    const sha256 = createHash("sha256").update(changed).digest("hex");
    const files = part.files.map((file) => ({ ...file, bytes: changed.length, sha256 }));
    const stored = zstdCompressSync(changed);
    const storedBytes = stored.length;
    const object = objectOf(files, storedBytes);
    await writeFile(join(directory, "changed-heading", "objects", object), stored);
    return parts.map((each) => (each === part ? { ...part, files, object, storedBytes } : each));
  });
  expect(await refusalOf(place)).toContain("table organizations has columns that the table does not have");
  expect(existsSync(shown)).toBe(false);
});

test("a backup with a changed path writes no other file, and is refused in one sentence", async () => {
  const path = "data/postgres/data/pg_hba.conf";
  const place = await changedCopy("changed-path", async ({ parts }) =>
    parts.map((part) => ({ ...part, files: part.files.map((file, at) => (at === 0 ? { ...file, path } : file)) })),
  );
  expect(await refusalOf(place)).toContain("which no backup of this version has");
});

test("8: a restored copy that runs beside production changes nothing at its place, and what production erases stays erased", async () => {
  const drill = join(directory, "drill");
  expect(await runStackCommand("restore", ["--from", to], drill)).toMatchObject({ code: 0 });
  const copy = await startUptimeStack({ env: { DATA_DIR: drill } });
  try {
    const { apiKey, baseUrl, websiteId } = owner;
    const range = { start_date: erasedDay, end_date: erasedDay, data_types: ["events", "sessions"] };
    const started = await send("DELETE", `/v1/websites/${websiteId}/data`, { body: range, apiKey, baseUrl });
    const { deletion_id: id } = started.body as { deletion_id: string };
    const deletion = async () => (await send("GET", `/v1/deletions/${id}`, { apiKey, baseUrl })).body;
    await expect.poll(deletion, { timeout: 200_000 }).toMatchObject({ status: "completed" });
    const receipts = async () => await readFile(join(to, "receipts.json"), "utf8");
    await expect.poll(receipts).toContain(id);
    // Production itself writes its receipts again every five minutes.
    const place = async () => [
      await readdir(join(to, "backups")),
      { ...JSON.parse(await receipts()), writtenAt: undefined },
    ];
    const before = await place();

    // What its worker does every five minutes.
    const handle = copy.temporal.client.schedule.getHandle("backup");
    const runs = async () => (await handle.describe()).info.numActionsTaken;
    const runsBefore = await runs();
    await handle.trigger();
    await expect.poll(runs).toBeGreaterThan(runsBefore);
    const isIdle = async () => (await handle.describe()).info.runningActions.length;
    await expect.poll(isIdle).toBe(0);
    const refused = await runStackCommand("backup", ["--to", to], copy.config.stack.dataDir);
    expect(refused).toMatchObject({
      code: 2,
      output: expect.stringContaining("has the backups of another installation"),
    });
    expect(await place()).toEqual(before);

    // It still has what production has erased meanwhile.
    const tooEarly = await runStackCommand("backup", ["--to", to, "--take-over"], copy.config.stack.dataDir);
    expect(tooEarly).toMatchObject({ code: 2, output: expect.stringContaining("receipts of erasures") });
    expect(await place()).toEqual(before);
  } finally {
    await copy.stop();
  }

  const restored = join(directory, "restored");
  expect(await runStackCommand("restore", ["--from", to], restored)).toMatchObject({
    code: 0,
    output: expect.stringMatching(/erased again what was erased after the backup: \d+ deletions/),
  });
  const after = await startUptimeStack({ env: { DATA_DIR: restored } });
  try {
    const body = { parameters: ["summary_metrics"], startDate: erasedDay, endDate: erasedDay };
    const { apiKey, websiteId } = owner;
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
      body,
      apiKey,
      baseUrl: after.config.server.baseUrl,
    });
    expect(answer.body).toMatchObject({ data: [{ data: [{ pageviews: null }] }] });
    // One that replaces production says so, and production is refused from then on.
    const takenOver = await runStackCommand("backup", ["--to", to, "--take-over"], after.config.stack.dataDir);
    expect(takenOver).toMatchObject({ code: 0 });
    expect(await backUp()).toMatchObject({ code: 2, output: expect.stringContaining("another installation") });
    expect(await readFile(join(to, "receipts.json"), "utf8")).toContain(erasedDay);
  } finally {
    await after.stop();
  }
});
