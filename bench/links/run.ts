/**
 * `npm run bench:links [-- rounds [connections]]`: redirects a second and their latency of one API process that stores every click, compared with
 * node:http that answers a bare redirect, in the same run, as JSON.
 *
 * The server is pinned to one core, loader, QuestDB and PostgreSQL have the other. `ratio` is redirects a second / raw ones, `cpuRatio` raw
 * CPU time a redirect / ours, all threads of the process counted: the share of the raw throughput that is left if the CPU is the limit. Both are medians
 * over the rounds: where others share the machine's memory and caches either server is half as fast again in one round as in the next. Clicks are stored
 * by the same process meanwhile; `long` runs long enough for a backlog to show.
 */
import { type ChildProcess, execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Config, readConfig } from "../../src/config.ts";
import { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { startStack } from "../../stack/stack.ts";
import { round } from "../../test/kit/load/figures.ts";
import { childWith, usageOf } from "../../test/kit/load/processUsage.ts";
import { shape } from "./clicks.ts";
import type { LoadOrder, LoadReport } from "./loader.ts";
import { targetUrl } from "./target.ts";

type ServerName = "raw" | "lookout";
type Sample = LoadReport & { readonly cpuUs: number };

const rounds = Number(process.argv[2] ?? 15);
const connections = Number(process.argv[3] ?? 64);
const requests = 100_000;
const warmUpRequests = 100_000;
const longRequests = 1_000_000;
const target = 0.45;

const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(dataDir, 0o711);
const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
const stack = await startStack({
  config,
  log: (line) => console.error(line),
  parts: ["questdb", "postgres"],
  preferUsualPorts: false,
});
const stores = ["io.questdb", "postgres"].map(childWith);
try {
  // Processes that they start later stay there as well.
  for (const pid of stores)
    execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "1", String(pid)], { stdio: "ignore" });
  const slugs: string[] = [];
  const samples: Record<ServerName, Sample[]> = { raw: [], lookout: [] };
  let clicks = 0;
  for (let index = 1; index <= rounds; index += 1) {
    process.stderr.write(`round ${index} of ${rounds}\n`);
    samples.raw.push(await measure(startRaw, ["any"]));
    samples.lookout.push(await measure(startApi, slugs));
    clicks += warmUpRequests + requests;
  }
  process.stderr.write("the long round\n");
  const long = await measure(startApi, slugs, longRequests);
  clicks += warmUpRequests + longRequests;
  const stored = await storedClicks(stack.config, clicks);
  const of = (name: ServerName, figure: (sample: Sample) => number) => median(samples[name].map(figure));
  const both = (figure: (sample: Sample) => number, digits: number) => ({
    raw: round(of("raw", figure), digits),
    lookout: round(of("lookout", figure), digits),
  });
  const ratioOf = (figure: (sample: Sample) => number) =>
    round(median(samples.lookout.map((own, index) => figure(own) / figure(samples.raw[index] ?? own))), 2);
  const ratio = ratioOf(({ redirects, seconds }) => redirects / seconds);
  const results = {
    ratio,
    target,
    met: ratio >= target,
    cpuRatio: ratioOf(({ cpuUs }) => 1 / cpuUs),
    redirectsPerSecond: both(({ redirects, seconds }) => redirects / seconds, 0),
    p50Ms: both(({ p50Ms }) => p50Ms, 2),
    p99Ms: both(({ p99Ms }) => p99Ms, 2),
    cpuUs: both(({ cpuUs }) => cpuUs, 1),
    long: {
      seconds: round(long.seconds, 0),
      redirectsPerSecond: round(long.redirects / long.seconds, 0),
      ratio: round(long.redirects / long.seconds / of("raw", ({ redirects, seconds }) => redirects / seconds), 2),
      p99Ms: round(long.p99Ms, 2),
    },
    clicks: { answered: clicks, stored, allStored: stored === clicks },
  };
  console.log(JSON.stringify({ benchmark: "links", node: process.version, rounds, connections, results }, null, 2));
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

function startRaw(): ChildProcess {
  return pinned("rawServer.ts", [], process.env);
}

function startApi(): ChildProcess {
  const { questdb, postgres } = stack.config;
  const addresses = { DATABASE_URL: postgres.url, QUESTDB_HTTP: questdb.http, QUESTDB_PG: questdb.pg };
  const own = { DATA_DIR: dataDir, PORT: "0", BASE_URL: "", LOG_LEVEL: "warn", TRUSTED_PROXIES: "127.0.0.1" };
  return pinned("../../src/api.ts", stack.config.stack.apiNodeFlags, { ...process.env, ...addresses, ...own });
}

function pinned(file: string, flags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), [], {
    execPath: "taskset",
    execArgv: ["-c", "0", process.execPath, ...flags],
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    env,
  });
}

/** Resolves when QuestDB and PostgreSQL have had little to do for a second: so that the clicks of one round do not slow the next. */
async function untilStoresRest(): Promise<void> {
  const cpuSeconds = () => stores.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
  for (let restMs = 0; restMs < 1_000; ) {
    const before = cpuSeconds();
    await pause(250);
    restMs = cpuSeconds() - before < 0.02 ? restMs + 250 : 0;
  }
}

async function measure(start: () => ChildProcess, slugs: string[], count = requests): Promise<Sample> {
  await untilStoresRest();
  const server = start();
  try {
    const port = await portOf(server);
    if (slugs.length === 0) slugs.push(...(await makeLinks(port)));
    let before = 0;
    const order = { port, slugs, connections, warmUpRequests, requests: count };
    const report = await load(order, () => {
      before = usageOf(server.pid ?? 0).cpuSeconds;
    });
    // What is done for a click after its redirect counts as well.
    await pause(1_000);
    const cpuUs = ((usageOf(server.pid ?? 0).cpuSeconds - before) / count) * 1e6;
    return { ...report, cpuUs };
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
}

async function portOf(server: ChildProcess): Promise<number> {
  const [message]: { ready: { port: number } }[] = await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => {
      throw new Error("the server ended");
    }),
  ]);
  return message?.ready.port ?? 0;
}

async function makeLinks(port: number): Promise<string[]> {
  const { apiKey }: { apiKey: string } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const slugs: string[] = [];
  for (let index = 0; index < shape.links; index += 1) {
    const answer = await fetch(`http://127.0.0.1:${port}/links/create`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify({ targetUrl }),
    });
    const { slug }: { slug: string } = await answer.json();
    slugs.push(slug);
  }
  return slugs;
}

async function load(order: LoadOrder, whenWarm: () => void): Promise<LoadReport> {
  const loader = fork(fileURLToPath(new URL("loader.ts", import.meta.url)), [JSON.stringify(order)], {
    execPath: "taskset",
    execArgv: ["-c", "1", process.execPath],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    loader.on("message", (message: { isWarm: true } | { report: LoadReport }) => {
      if ("report" in message) resolve(message.report);
      else whenWarm();
    });
    loader.once("exit", (code) => reject(new Error(`the loader ended with ${code}`)));
  });
}

/** Clicks that can be queried, once as many as expected are visible or a minute has passed. */
async function storedClicks({ questdb }: Config, expected: number): Promise<number> {
  const reader = new QuestdbReader(questdb);
  try {
    for (const sinceMs = performance.now(); ; await pause(200)) {
      const [row] = await reader.read("SELECT count() AS n FROM link_clicks", []);
      const stored = Number(row?.["n"]);
      if (stored >= expected || performance.now() - sinceMs > 60_000) return stored;
    }
  } finally {
    await reader.close();
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
