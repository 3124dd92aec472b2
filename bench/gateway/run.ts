/**
 * `npm run bench:gateway [-- rounds [part of a case's name]]`: what the gateway costs compared with raw node:http + JSON.parse + JSON.stringify in the same run, as JSON.
 *
 * `gateway` is measured against its target with handlers with prepared answers; `whole` is the same with the real handlers on
 * stubbed stores, so with their work on each event and row, for orientation.
 *
 * The server is pinned to one core and the loader to the other. `ratio` is raw CPU time a request / ours: what of the raw throughput is
 * left on a core. CPU time, since other processes disturb it less than requests a second, which are listed too.
 */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "../../src/config.ts";
import { batchOf, queryOf, websiteId } from "./payload.ts";
import type { ServerReport } from "./serverProcess.ts";

type Case = { name: string; path: string; body: unknown; requests: number; target: number };
type Sample = { cpuUs: number; requestsPerSecond: number };

const rounds = Number(process.argv[2] ?? 5);
const only = process.argv[3] ?? "";
const cases: Case[] = [
  { name: "batch of 1 event", path: "/batch", body: batchOf(1), requests: 60_000, target: 0.75 },
  { name: "batch of 100 events", path: "/batch", body: batchOf(100), requests: 6_000, target: 0.8 },
  { name: "answer of 100 rows", path: "/v1/query", body: queryOf(100), requests: 30_000, target: 0.9 },
  { name: "answer of 10,000 rows", path: "/v1/query", body: queryOf(10_000), requests: 500, target: 0.9 },
];
const servers = {
  raw: ["rawServer.ts", ""],
  gateway: ["lookoutServer.ts", "gateway"],
  whole: ["lookoutServer.ts", "whole"],
} as const;
type ServerName = keyof typeof servers;
const names: readonly ServerName[] = ["raw", "gateway", "whole"];

const directory = mkdtempSync(join(tmpdir(), "lookout-bench-"));
try {
  const results = [];
  for (const each of cases.filter(({ name }) => name.includes(only))) {
    const samples: Record<ServerName, Sample[]> = { raw: [], gateway: [], whole: [] };
    for (let round = 1; round <= rounds; round += 1) {
      process.stderr.write(`${each.name}: round ${round} of ${rounds}\n`);
      for (const name of names) samples[name].push(await measure(name, each));
    }
    const ratioOf = (name: ServerName) =>
      round2(median(samples.raw.map((raw, index) => raw.cpuUs / (samples[name][index]?.cpuUs ?? Number.NaN))));
    const ratio = ratioOf("gateway");
    results.push({
      case: each.name,
      ratio,
      target: each.target,
      met: ratio >= each.target,
      ratioWhole: ratioOf("whole"),
      cpuUs: byName((name) => round2(median(samples[name].map(({ cpuUs }) => cpuUs)))),
      requestsPerSecond: byName((name) => Math.round(median(samples[name].map((sample) => sample.requestsPerSecond)))),
    });
  }
  console.log(JSON.stringify({ benchmark: "gateway", node: process.version, rounds, results }, null, 2));
} finally {
  rmSync(directory, { recursive: true, force: true });
}

function byName(value: (name: ServerName) => number): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, value(name)]));
}

async function measure(name: ServerName, { path, body, requests }: Case): Promise<Sample> {
  const [file, mode] = servers[name];
  const server = fork(fileURLToPath(new URL(file, import.meta.url)), [mode], {
    execPath: "taskset",
    // The raw server gains nothing from the flag; it runs as node does by default.
    execArgv: ["-c", "0", process.execPath, ...(name === "raw" ? [] : readConfig({}).stack.apiNodeFlags)],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  try {
    const first = await report(server);
    if (!("port" in first)) throw new Error(`${file} did not say its port`);
    const bodyFile = join(directory, "body.json");
    writeFileSync(bodyFile, JSON.stringify(body));
    const url = `http://127.0.0.1:${first.port}${path}?website_id=${websiteId}`;
    await load(url, bodyFile, Math.ceil(requests / 2));
    const before = await cpuMs(server);
    const requestsPerSecond = await load(url, bodyFile, requests);
    return { cpuUs: (((await cpuMs(server)) - before) / requests) * 1_000, requestsPerSecond };
  } finally {
    server.kill("SIGKILL");
    await once(server, "exit");
  }
}

async function cpuMs(server: ChildProcess): Promise<number> {
  const answer = report(server);
  server.send("cpu");
  const value = await answer;
  return "cpuMs" in value ? value.cpuMs : Number.NaN;
}

async function report(server: ChildProcess): Promise<ServerReport> {
  const [message] = await Promise.race([
    once(server, "message"),
    once(server, "exit").then(() => {
      throw new Error("the server ended");
    }),
  ]);
  return message;
}

/** Sends the requests over 16 connections; resolves with requests a second. Any answer but 200 is an error. */
async function load(url: string, bodyFile: string, requests: number): Promise<number> {
  const autocannon = fileURLToPath(import.meta.resolve("autocannon"));
  const options = [
    "-m",
    "POST",
    "-c",
    "16",
    "-a",
    String(requests),
    "-i",
    bodyFile,
    "-H",
    "content-type=application/json",
  ];
  const key = ["-H", "x-api-key=lk_benchmark", "--json", "--no-progress"];
  const loader = spawn("taskset", ["-c", "1", process.execPath, autocannon, ...options, ...key, url], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let text = "";
  for await (const part of loader.stdout) text += part;
  const result: { "2xx": number; non2xx: number; errors: number; requests: { total: number }; duration: number } =
    JSON.parse(text);
  if (result["2xx"] !== requests || result.errors > 0)
    throw new Error(`${url}: ${result["2xx"]} of ${requests} answers were 200`);
  return requests / result.duration;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
