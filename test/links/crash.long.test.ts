import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { clicksOf, create, follow } from "../kit/calls/linkCalls.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { startApiProcess } from "../kit/stack/apiProcess.ts";

const directories: string[] = [];
afterEach(async () => {
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true });
});

async function dataDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "lookout-links-"));
  directories.push(directory);
  return directory;
}

/** Everything in the files below a directory. */
async function textsBelow(directory: string): Promise<string> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(texts)).join("");
}

test("8.5: no answered click is lost when the API is killed right after, and none is counted twice", async () => {
  const website = await createWebsite();
  const links = [await create({}, website), await create({}, website)];
  const env = { DATA_DIR: await dataDirectory(), LOG_LEVEL: "fatal" };
  let answered = 0;
  for (let round = 0; round < 3; round += 1) {
    const api = await startApiProcess(env);
    let isKilled = false;
    const clickOn = async () => {
      for (let index = 0; !isKilled; index += 1) {
        const answer = await follow(links[index % 2]?.slug ?? "", { baseUrl: api.baseUrl }).catch(() => undefined);
        if (answer?.status === 302) answered += 1;
        if (answered >= (round + 1) * 200) {
          isKilled = true;
          api.child.kill("SIGKILL");
        }
      }
    };
    const ended = once(api.child, "exit");
    await Promise.all(Array.from({ length: 8 }, clickOn));
    await ended;
  }
  const last = await startApiProcess(env);
  const counted = async () => {
    const counts = await Promise.all(links.map(({ id }) => clicksOf(id, website)));
    return counts.reduce((sum: number, count) => sum + Number(count), 0);
  };
  // A redirect in flight when the process was killed may be stored without having arrived.
  await expect.poll(counted).toBeGreaterThanOrEqual(answered);
  expect(await counted()).toBeLessThanOrEqual(answered + 3 * 8);
  await last.stop();
}, 600_000);

test("8.5: clicks are stored while QuestDB is up even if no file can be written", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  const env = { DATA_DIR: await dataDirectory(), LOG_LEVEL: "fatal" };
  const api = await startApiProcess(env);
  await rm(join(env.DATA_DIR, "log"), { recursive: true });
  for (let click = 0; click < 5; click += 1)
    expect((await follow(made.slug, { baseUrl: api.baseUrl })).status).toBe(302);
  await expect.poll(() => clicksOf(made.id, website)).toBe(5);
  const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
  expect(metrics).not.toContain('reason="store_unavailable"');
  await api.stop();
});

test("1, 8.5: while QuestDB is unavailable links redirect and clicks are kept, without the visitor's address", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  const env = { DATA_DIR: await dataDirectory(), LOG_LEVEL: "fatal", TRUSTED_PROXIES: "127.0.0.1" };
  const api = await startApiProcess({ ...env, QUESTDB_HTTP: "http://127.0.0.1:1" });
  const headers = { "x-forwarded-for": "8.8.8.8", referer: "https://site.example/secret-page?name=ann" };
  for (let click = 0; click < 20; click += 1)
    expect((await follow(made.slug, { headers, baseUrl: api.baseUrl })).status).toBe(302);
  const ended = once(api.child, "exit");
  api.child.kill("SIGKILL");
  await ended;
  const kept = await textsBelow(env.DATA_DIR);
  expect(kept).toContain(made.id);
  for (const secret of ["8.8.8.8", "secret-page", "ann", "AppleWebKit"]) expect(kept).not.toContain(secret);
  const next = await startApiProcess(env);
  await expect.poll(() => clicksOf(made.id, website)).toBe(20);
  await next.stop();
  expect(await textsBelow(join(env.DATA_DIR, "log"))).not.toContain(made.id);
}, 600_000);
