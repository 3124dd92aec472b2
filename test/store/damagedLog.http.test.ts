import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clicksOf, create, follow } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function kill({ child }: ApiProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Offsets at which records begin, see src/durableLog/record.ts. */
function recordOffsets(bytes: Buffer): number[] {
  const offsets: number[] = [];
  const magic = Buffer.from([0xff, 0x4c, 0x4f, 0xfe]);
  for (let at = bytes.indexOf(magic); at !== -1; at = bytes.indexOf(magic, at + 1)) offsets.push(at);
  return offsets;
}

test("8: a flipped bit in a length and zeros at the start of a record lose these rows alone after a restart, and are reported once", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "lookout-damage-"));
  cleanUps.push(() => rm(dataDir, { recursive: true, force: true }));
  const website = await createWebsite();
  const link = await create({}, website);
  const withoutQuestdb = await startApiProcess({ DATA_DIR: dataDir, QUESTDB_HTTP: "http://127.0.0.1:1" });
  cleanUps.push(() => withoutQuestdb.stop());
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const eventId of ids) {
    const body = [{ name: "signup", eventId }];
    const path = `/batch?website_id=${website.websiteId}`;
    expect((await send("POST", path, { baseUrl: withoutQuestdb.baseUrl, body })).status).toBe(200);
    expect((await follow(link.slug, { baseUrl: withoutQuestdb.baseUrl })).status).toBe(302);
  }
  await kill(withoutQuestdb);

  const root = join(dataDir, "log", "events");
  const [name = ""] = (await readdir(root, { recursive: true })).filter((each) => each.endsWith(".log"));
  const bytes = await readFile(join(root, name));
  const offsets = recordOffsets(bytes);
  expect(offsets).toHaveLength(40);
  // An event's record, then a click's.
  const [event = 0, click = 0] = [offsets[10], offsets[21]];
  bytes[event + 6] = (bytes[event + 6] ?? 0) ^ 0x02;
  bytes.fill(0, click, click + 20);
  await writeFile(join(root, name), bytes);

  const next = await startApiProcess({ DATA_DIR: dataDir });
  cleanUps.push(() => next.stop());
  const stored = await storedRows("events", website.websiteId, 19);
  expect(stored.map((row) => row["event_id"]).sort()).toEqual(ids.filter((_, index) => index !== 5).sort());
  await expect.poll(() => clicksOf(link.id, website)).toBe(19);
  const metrics = await (await fetch(`${next.baseUrl}/metrics`)).text();
  expect(metrics).toContain("lookout_log_damaged_total 2");
  expect(next.output().split("a file of the log is damaged")).toHaveLength(2);
  // Any erasure, such as one of another test, deletes what is in it.
  await expect.poll(() => readdir(root)).toContain("damaged");
}, 240_000);
