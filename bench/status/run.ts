/**
 * `npm run bench:status [-- rounds [connections]]`: requests a second and their latency of a status page with 20 monitors, compared with node:http
 * that answers the same bytes as a static file, in the same run, as JSON. The server is pinned to one core, the loader to another. Figures are medians
 * over the rounds.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../src/config.ts";
import { startStack } from "../../stack/stack.ts";
import { round } from "../../test/kit/load/figures.ts";
import type { LoadOrder, LoadReport } from "./loader.ts";

const rounds = Number(process.argv[2] ?? 5);
const connections = Number(process.argv[3] ?? 64);
const requests = 30_000;
const warmUpRequests = 20_000;
const monitors = 20;
/** Either is enough. */
const target = { requestsPerSecond: 2_000, ratio: 0.5 };
const path = "/status/bench";

const dataDir = await mkdtemp(join(tmpdir(), "lookout-bench-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(dataDir, 0o711);
const config = readConfig({ ...process.env, DATA_DIR: dataDir, PORT: "0", BASE_URL: undefined, LOG_LEVEL: "warn" });
const stack = await startStack({
  config,
  log: (line) => process.stderr.write(`${line}\n`),
  parts: ["questdb", "postgres"],
  preferUsualPorts: false,
});
try {
  const samples: Record<"static" | "lookout", LoadReport[]> = { static: [], lookout: [] };
  const { questdb, postgres } = stack.config;
  const addresses = { DATABASE_URL: postgres.url, QUESTDB_HTTP: questdb.http, QUESTDB_PG: questdb.pg };
  const own = { DATA_DIR: dataDir, PORT: "0", BASE_URL: "", LOG_LEVEL: "error" };
  const env = { ...process.env, ...addresses, ...own };
  const api = pinned("../../src/api.ts", [], stack.config.stack.apiNodeFlags, env);
  const apiPort = await portOf(api);
  await makePage(apiPort);
  const page = await fetch(`http://127.0.0.1:${apiPort}${path}`, { headers: { "accept-encoding": "identity" } });
  const bytes = await bodyOf(apiPort);
  const file = join(dataDir, "page.html.gz");
  await writeFile(file, bytes);
  const baseline = pinned("staticServer.ts", [file], [], process.env);
  const baselinePort = await portOf(baseline);
  for (let number = 1; number <= rounds; number += 1) {
    process.stderr.write(`round ${number} of ${rounds}\n`);
    samples.static.push(await load(baselinePort));
    samples.lookout.push(await load(apiPort));
  }
  for (const server of [api, baseline]) {
    server.kill("SIGTERM");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  }
  const both = (figure: (sample: LoadReport) => number, digits: number) => ({
    static: round(median(samples.static.map(figure)), digits),
    lookout: round(median(samples.lookout.map(figure)), digits),
  });
  const ratio = round(
    median(
      samples.lookout.map(
        (sample, index) => sample.requestsPerSecond / (samples.static[index]?.requestsPerSecond ?? 1),
      ),
    ),
    2,
  );
  const requestsPerSecond = both((sample) => sample.requestsPerSecond, 0);
  const results = {
    requestsPerSecond,
    ratio,
    target,
    met: requestsPerSecond.lookout >= target.requestsPerSecond || ratio >= target.ratio,
    p50Ms: both(({ p50Ms }) => p50Ms, 2),
    p99Ms: both(({ p99Ms }) => p99Ms, 2),
    bytes: { html: (await page.text()).length, sent: bytes.length },
  };
  console.log(
    JSON.stringify({ benchmark: "status", node: process.version, rounds, connections, monitors, results }, null, 2),
  );
} finally {
  await stack.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** A page with monitors that are not checked while the benchmark runs. */
async function makePage(port: number): Promise<void> {
  const credentials = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const { apiKey, websiteId }: { apiKey: string; websiteId: string } = credentials;
  const post = async (to: string, body: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${to}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": apiKey },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${to} was answered ${answer.status}: ${await answer.text()}`);
  };
  for (let number = 1; number <= monitors; number += 1) {
    const monitor = { websiteId, name: `Service ${number}`, url: `https://example.com/${number}`, interval: "24h" };
    await post("/uptime/monitors/create", monitor);
  }
  await post("/uptime/status-pages/create", { websiteId, slug: "bench", title: "Bench", published: true });
}

/** The page as it is sent, compressed: fetch would decompress it. */
async function bodyOf(port: number): Promise<Buffer> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    request({ port, path, host: "127.0.0.1", headers: { "accept-encoding": "gzip" } }, (answer) => {
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => resolve(Buffer.concat(parts)));
    })
      .on("error", reject)
      .end();
  });
}

function pinned(file: string, args: readonly string[], flags: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execPath: "taskset",
    execArgv: ["-c", "0", process.execPath, ...flags],
    stdio: ["ignore", process.stderr, process.stderr, "ipc"],
    env,
  });
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

async function load(port: number): Promise<LoadReport> {
  const order: LoadOrder = { port, path, connections, warmUpRequests, requests };
  const loader = fork(fileURLToPath(new URL("loader.ts", import.meta.url)), [JSON.stringify(order)], {
    execPath: "taskset",
    execArgv: ["-c", "1", process.execPath],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  return new Promise((resolve, reject) => {
    loader.on("message", (report: LoadReport) => resolve(report));
    loader.once("exit", (code) => reject(new Error(`the loader ended with ${code}`)));
  });
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
