import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import type { Manifest } from "../../src/backup/manifest.ts";
import { runDocsLines } from "../kit/calls/docsLines.ts";
import { create } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { type Owner, ownerOf, postJson } from "../kit/stack/owner.ts";
import { startUptimeStack, type UptimeStack } from "../kit/stack/uptimeStack.ts";
import { sql } from "../kit/stores/eventStore.ts";
import { startMonitors } from "../kit/stores/startMonitors.ts";

// Four starts of servers and a dozen commands, one after the other.
vi.setConfig({ testTimeout: 600_000 });

const dayMs = 86_400_000;
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString().slice(0, 10);

let directory: string;
let before: UptimeStack;
let owner: Owner;
const children: ChildProcess[] = [];
const notified: string[] = [];
const site = createServer((request, response) => {
  if (request.url === "/hook")
    void request.toArray().then((body) => {
      const { type, data } = JSON.parse(Buffer.concat(body).toString());
      notified.push(`${type} ${data.incident.id}`);
    });
  response.writeHead(request.url === "/down" ? 500 : 200).end("ok");
});
let siteUrl: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-backups-"));
  await chmod(directory, 0o711);
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  before = await startUptimeStack({ values: { retention: { cancellableMs: 100 } } });
  owner = await ownerOf(before.config);
});

afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await before.stop();
  await new Promise((resolve) => site.close(resolve));
  await rm(directory, { recursive: true, force: true });
});

type Ended = { readonly code: number | null; readonly output: string };

/** Starts one of the commands as npm does. */
function run(command: "backup" | "verify", args: readonly string[], dataDir: string) {
  const env = { ...process.env, DATA_DIR: dataDir, CACHE_DIR: inject("lookout").cacheDir };
  const child = spawn(process.execPath, [`stack/${command}.ts`, ...args], { env, detached: true });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const ended = once(child, "close").then(([code]): Ended => ({ code, output }));
  return { child, ended };
}

/** Runs the commands of a part of the operator's page, as somebody whose working directory is the repository. */
async function runPage(heading: string, env: Readonly<Record<string, string>>): Promise<void> {
  const programs = join(directory, "programs");
  await mkdir(programs, { recursive: true });
  const npm = `#!/bin/sh\ncd "${process.cwd()}" && PATH="${process.env["PATH"]}" exec npm "$@"\n`;
  await writeFile(join(programs, "npm"), npm, { mode: 0o755 });
  const path = [programs, process.env["PATH"]].join(delimiter);
  await runDocsLines("docs/operate/backup.md", heading, { CACHE_DIR: inject("lookout").cacheDir, PATH: path, ...env });
}

async function backUp(to: string): Promise<Manifest> {
  await runPage("## Back up", { DATA_DIR: before.config.stack.dataDir, BACKUPS: to });
  const [name] = (await readdir(join(to, "backups"))).sort().reverse();
  return JSON.parse(await readFile(join(to, "backups", String(name)), "utf8"));
}

/** Sends page views of today until it is stopped; resolves to the acknowledged ids with the time of their answer. */
function sendEvents({ baseUrl, websiteId }: Owner) {
  const acknowledged = new Map<string, number>();
  let isOver = false;
  const sending = (async () => {
    while (!isOver) {
      const body = Array.from({ length: 20 }, () => ({
        name: "page_view",
        eventId: randomUUID(),
        path: "/now",
        anonymousId: `visitor-${Math.floor(Math.random() * 50)}`,
        sessionId: "session-now",
      }));
      const { status } = await send("POST", `/batch?website_id=${websiteId}`, { body, baseUrl });
      if (status === 200) for (const { eventId } of body) acknowledged.set(eventId, Date.now());
      await pause(50);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      isOver = true;
      await sending;
    },
  };
}

/** Page views of an earlier day by several visitors. */
async function sendPastEvents({ baseUrl, websiteId }: Owner, daysAgo: number): Promise<void> {
  const noon = Date.parse(`${day(daysAgo)}T12:00:00Z`);
  const body = Array.from({ length: 60 }, (_, index) => ({
    name: "page_view",
    path: `/page-${index % 5}`,
    anonymousId: `visitor-${index % 7}`,
    sessionId: `session-${daysAgo}-${index % 7}`,
    timestamp: noon + index * 1_000,
  }));
  expect((await send("POST", `/batch?website_id=${websiteId}`, { body, baseUrl })).status).toBe(200);
}

/** Waits until daily figures are kept since a day: from then on they answer once its events are gone, also in a backup. */
async function dailyFiguresSince(from: string): Promise<void> {
  const client = new pg.Client({ connectionString: before.config.postgres.url });
  await client.connect();
  try {
    const made = "SELECT figures_from <= $2 AS made FROM websites WHERE id = $1";
    await expect
      .poll(async () => (await client.query<{ made: boolean }>(made, [owner.websiteId, from])).rows[0]?.made)
      .toBe(true);
  } finally {
    await client.end();
  }
}

/** What users see of past days, of links and of monitors. */
async function seen({ baseUrl, websiteId, apiKey }: Owner) {
  const ask = async (path: string, body: unknown) => (await send("POST", path, { body, apiKey, baseUrl })).body;
  const range = { start_date: day(20), end_date: day(1) };
  const figures = (await ask(`/v1/query?website_id=${websiteId}`, {
    parameters: ["summary_metrics", "top_pages", { name: "visitors", granularity: "daily" }, "session_list"].map(
      (parameter) => (typeof parameter === "string" ? { name: parameter, ...range } : { ...parameter, ...range }),
    ),
    limit: 100,
  })) as { data: { parameter: string; data: unknown }[] };
  const { links } = (await ask("/links/list", {})) as { links: Record<string, unknown>[] };
  const { websites } = (await ask("/websites/list", {})) as { websites: { id: string }[] };
  const { monitors } = (await ask("/uptime/monitors/list", { websiteId })) as { monitors: Record<string, unknown>[] };
  return {
    websites: websites.map(({ id }) => id),
    figures: figures.data.map(({ parameter, data }) => ({ parameter, data })),
    links: links.map(({ shortUrl: _, ...link }) => link),
    monitors: monitors.map(({ id, url, interval, status }) => ({ id, url, interval, status })),
  };
}

test("8: a backup under load survives kill -9, and is restored on an empty directory without what was erased since", async () => {
  const to = join(directory, "backups");
  for (const daysAgo of [9, 8, 5, 3]) await sendPastEvents(owner, daysAgo);
  await dailyFiguresSince(day(9));
  await create({ targetUrl: "https://shop.example/" }, owner, owner.baseUrl);
  const { id: gone } = await postJson<{ id: string }>(owner, "/websites/create", { name: "X", domain: "gone.example" });
  const { channel } = await postJson<{ channel: { id: string } }>(owner, "/uptime/channels/create", {
    name: "Hook",
    kind: "webhook",
    target: `${siteUrl}/hook`,
  });
  const escalation = [{ channelIds: [channel.id], afterMinutes: 0 }];
  const [up] = await startMonitors(before, owner, [
    { url: `${siteUrl}/up`, intervalMs: 1_000, escalation },
    { url: `${siteUrl}/down`, intervalMs: 1_000, escalation },
  ]);
  const load = sendEvents(owner);

  // A killed backup leaves nothing that looks whole, and no checkpoint once the next one is done.
  for (const startMs of [500, 1_500]) {
    const { child, ended } = run("backup", ["--to", to], before.config.stack.dataDir);
    await pause(startMs + Math.random() * 1_500);
    // On a fast machine the backup may be done by now.
    if (child.exitCode === null) process.kill(-Number(child.pid), "SIGKILL");
    await ended;
  }
  await expect.poll(() => notified.length).toBe(1);
  const first = await backUp(to);
  expect(await sql(before.config.questdb.http, "SELECT in_progress FROM checkpoint_status()")).toEqual([
    { in_progress: false },
  ]);
  expect((await readdir(to)).sort()).toEqual(["backups", "objects", "receipts.json"]);
  const manifest = await backUp(to);
  const shared = new Set(first.parts.map(({ object }) => object));
  const past = manifest.parts.filter(({ name }) => /events~\d+\/20/.test(name) && !name.includes(day(0)));
  expect(past.length).toBeGreaterThanOrEqual(4);
  expect(past.filter(({ object }) => !shared.has(object))).toEqual([]);
  await load.stop();

  // A run of retention, an erasure and a deleted website after the backup.
  await postJson(owner, "/websites/delete", { id: gone });
  await postJson(owner, "/websites/retention", { id: owner.websiteId, retention: { rawEventsDays: 7 } });
  const request = { start_date: day(5), end_date: day(5), data_types: ["events", "sessions"] };
  const { apiKey, baseUrl, websiteId } = owner;
  const started = await send("DELETE", `/v1/websites/${websiteId}/data`, { body: request, apiKey, baseUrl });
  const { deletion_id: id } = started.body as { deletion_id: string };
  const deletion = async (url: string) => (await send("GET", `/v1/deletions/${id}`, { apiKey, baseUrl: url })).body;
  const runs = () =>
    postJson<{ runs: { finishedAt: string | null; erased: object }[] }>(owner, "/websites/retention/runs", {
      id: owner.websiteId,
    });
  const countRuns = async () =>
    (await runs()).runs.filter((run) => run.finishedAt !== null && "events" in run.erased).length;
  await Promise.all([
    runPage("## Verify", { BACKUPS: to }),
    expect.poll(countRuns).toBe(1),
    expect.poll(() => deletion(baseUrl)).toMatchObject({ status: "completed" }),
  ]);
  await expect.poll(() => readFile(join(to, "receipts.json"), "utf8").catch(() => "")).toContain(`"${id}"`);
  const expected = await seen(owner);
  const sent = notified.length;
  await before.stack.stop();
  await rm(before.config.stack.dataDir, { recursive: true, force: true });

  const dataDir = join(directory, "restored");
  await runPage("## Restore", { NEW: dataDir, BACKUPS: to });
  expect((await stat(join(dataDir, "credentials.json"))).mode & 0o777).toBe(0o600);
  const [object] = past.map((part) => part.object);
  await writeFile(join(to, "objects", String(object)), "damaged");
  const [after, damaged] = await Promise.all([
    startUptimeStack({ env: { DATA_DIR: dataDir } }),
    run("verify", ["--from", to], dataDir).ended,
  ]);
  try {
    expect(damaged.code).toBe(2);
    expect(damaged.output).toContain(
      "is damaged: its bytes do not match their checksum. Name another backup with --backup.",
    );
    expect(damaged.output).not.toMatch(/\bat .*\.ts:\d+/);
    const restoredOwner = { ...owner, baseUrl: after.config.server.baseUrl };
    expect(await seen(restoredOwner)).toEqual(expected);
    expect(await deletion(restoredOwner.baseUrl)).toMatchObject({
      status: "completed",
      receipt: {
        days: [day(5)],
        backups_expire_at: expect.any(String),
        reapplied: [{ backup_taken_at: manifest.takenAt, rows: expect.any(Number) }],
      },
    });
    // Everything acknowledged before the backup is there once; the log is stored first.
    const wanted = [...load.acknowledged].flatMap(([eventId, ms]) =>
      ms < Date.parse(manifest.takenAt) ? [eventId] : [],
    );
    expect(wanted.length).toBeGreaterThan(100);
    const stored = () => sql(after.config.questdb.http, "SELECT event_id FROM events WHERE path = '/now'");
    await expect
      .poll(async () => {
        const ids = new Set((await stored()).map((row) => row["event_id"]));
        return wanted.filter((eventId) => !ids.has(eventId)).length;
      })
      .toBe(0);
    const ids = (await stored()).map((row) => row["event_id"]);
    expect(ids.length).toBe(new Set(ids).size);
    // Monitors continue, and nothing is notified twice.
    const since = new Date().toISOString();
    await expect
      .poll(async () => {
        const checks = `SELECT count() n FROM uptime_checks WHERE monitor_id = '${up?.id}' AND ts > '${since}'`;
        return (await sql(after.config.questdb.http, checks))[0]?.["n"];
      })
      .toBeGreaterThan(1);
    expect(notified.slice(sent)).toEqual([]);
  } finally {
    await after.stop();
  }
});
