/**
 * `npm run bench:gateway [-- rounds [part of a case's name]]`: what the gateway costs compared with raw node:http + JSON.parse + JSON.stringify in the same run, as JSON.
 *
 * `gateway` is measured against its target with handlers with prepared answers; `whole` is the same with the real handlers on
 * stubbed stores, so with their work on each event and row, for orientation.
 *
 * The server is pinned to one core and the loader to the other. The ratio is raw CPU time a request / ours: what of the raw throughput is
 * left on a core. CPU time, since other processes disturb it less than requests a second, which are listed too.
 */
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { readConfig } from "../../src/config.ts";
import { absolute, type Bench, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { endProcess, forkPinned, messageOf, portOf } from "../../test/kit/load/pinnedProcess.ts";
import { loadRaw } from "../../test/kit/load/rawLoad.ts";
import { answeredPages, batchOf, queryOf, websiteId } from "./payload.ts";
import type { CpuReport } from "./serverProcess.ts";

type Case = {
  readonly name: string;
  readonly path: string;
  readonly body: unknown;
  /** Of an answer to it, the part that has to be right. */
  readonly partOf: (answer: Answer) => unknown;
  readonly right: unknown;
  readonly requests: number;
  readonly target: number;
};
type Answer = {
  readonly results?: readonly { readonly status: string; readonly eventId: string }[];
  readonly data?: readonly { readonly data: unknown }[];
};
type Sample = { readonly cpuUs: number; readonly requestsPerSecond: number };

const ofBatch = (count: number) => ({
  path: "/batch",
  body: batchOf(count),
  partOf: ({ results }: Answer) => results?.map(({ status, eventId }) => [status, eventId]),
  right: batchOf(count).map(({ payload }) => ["success", payload.eventId]),
});
const ofQuery = (count: number) => ({
  path: "/v1/query",
  body: queryOf(count),
  partOf: ({ data }: Answer) => data?.[0]?.data,
  right: answeredPages(count),
});
const cases: readonly Case[] = [
  { name: "batch of 1 event", ...ofBatch(1), requests: 60_000, target: 0.75 },
  { name: "batch of 100 events", ...ofBatch(100), requests: 6_000, target: 0.8 },
  { name: "answer of 100 rows", ...ofQuery(100), requests: 30_000, target: 0.9 },
  { name: "answer of 10,000 rows", ...ofQuery(10_000), requests: 500, target: 0.9 },
];
const servers = {
  raw: ["rawServer.ts", ""],
  gateway: ["lookoutServer.ts", "gateway"],
  whole: ["lookoutServer.ts", "whole"],
} as const;
type ServerName = keyof typeof servers;
const names: readonly ServerName[] = ["raw", "gateway", "whole"];

export const bench: Bench = {
  name: "gateway",
  measure: async ({ isSmoke, args: [givenRounds = "5", only = ""] }) => {
    const rounds = isSmoke ? 1 : Number(givenRounds);
    const samples = new Map<string, Sample[]>();
    const used = cases
      .filter(({ name }) => name.includes(only))
      .map((each) => ({ ...each, requests: isSmoke ? 32 : each.requests }));
    // Each sample is of a new process, except where none is kept.
    const groups = isSmoke ? [used] : used.map((each) => [each]);
    for (const group of groups)
      for (let index = 1; index <= rounds; index += 1) {
        process.stderr.write(`${group.map(({ name }) => name).join(", ")}: round ${index} of ${rounds}\n`);
        for (const name of names)
          for (const [which, sample] of await measureOn(name, group)) {
            const key = `${name} ${which}`;
            samples.set(key, [...(samples.get(key) ?? []), sample]);
          }
      }
    const figures: Record<string, Figure> = {};
    for (const { name, target } of used) {
      const of = (server: ServerName) => samples.get(`${server} ${name}`) ?? [];
      const ratioOf = (server: ServerName) =>
        round(median(of("raw").map((raw, index) => raw.cpuUs / (of(server)[index]?.cpuUs ?? Number.NaN))), 2);
      figures[`${name}: gateway`] = ratio(ratioOf("gateway"), "higher", target);
      figures[`${name}: whole`] = ratio(ratioOf("whole"), "higher");
      for (const server of names) {
        const cpuUs = median(of(server).map((sample) => sample.cpuUs));
        const perSecond = median(of(server).map((sample) => sample.requestsPerSecond));
        figures[`${name}: CPU a request, ${server}`] = absolute(round(cpuUs, 2), "µs", "lower");
        figures[`${name}: requests a second, ${server}`] = absolute(Math.round(perSecond), "1/s", "higher");
      }
    }
    return { settings: { rounds, cases: used.map(({ name }) => name) }, figures, problems: [], details: null };
  },
};

/** Starts a server and measures each case on it. */
async function measureOn(name: ServerName, group: readonly Case[]): Promise<[string, Sample][]> {
  const [file, mode] = servers[name];
  const server = forkPinned(fileURLToPath(new URL(file, import.meta.url)), {
    core: 0,
    args: [mode],
    // The raw server gains nothing from the flag; it runs as node does by default.
    nodeFlags: name === "raw" ? [] : readConfig({}).stack.apiNodeFlags,
  });
  try {
    const port = await portOf(server);
    const samples: [string, Sample][] = [];
    for (const each of group) samples.push([each.name, await measure(server, port, each)]);
    return samples;
  } finally {
    await endProcess(server, "SIGKILL");
  }
}

/** Rejects if an answer is wrong, with the answer. */
async function measure(server: ChildProcess, port: number, { path, body, requests, ...wanted }: Case): Promise<Sample> {
  const json = JSON.stringify(body);
  const target = `${path}?website_id=${websiteId}`;
  const bodyBytes = await checkedBytes(`http://127.0.0.1:${port}${target}`, json, wanted);
  const head = [
    `POST ${target} HTTP/1.1`,
    "host: 127.0.0.1",
    "content-type: application/json",
    "x-api-key: lk_benchmark",
    `content-length: ${Buffer.byteLength(json)}`,
  ];
  // The ids of requests differ in length by a few digits.
  const expected = { status: 200, leastBodyBytes: bodyBytes - 8, mostBodyBytes: bodyBytes + 8 };
  let before = Number.NaN;
  const order = {
    port,
    connections: 16,
    warmUpRequests: Math.ceil(requests / 2),
    measuredRequests: requests,
    expected,
  };
  const { answers, seconds } = await loadRaw({ ...order, requests: [`${head.join("\r\n")}\r\n\r\n${json}`] }, () => {
    void cpuMs(server).then((value) => {
      before = value;
    });
  });
  const sample = { cpuUs: (((await cpuMs(server)) - before) / requests) * 1_000, requestsPerSecond: answers / seconds };
  await checkedBytes(`http://127.0.0.1:${port}${target}`, json, wanted);
  return sample;
}

/** The length of an answer that is right. */
async function checkedBytes(
  url: string,
  body: string,
  { name, partOf, right }: Pick<Case, "name" | "partOf" | "right">,
) {
  const headers = { "content-type": "application/json", "x-api-key": "lk_benchmark" };
  const response = await fetch(url, { method: "POST", headers, body });
  const text = await response.text();
  const isRight = response.status === 200 && isDeepStrictEqual(partOf(JSON.parse(text)), right);
  if (!isRight) throw new Error(`${name}: a wrong answer, ${response.status} ${text.slice(0, 1_000)}`);
  return Buffer.byteLength(text);
}

async function cpuMs(server: ChildProcess): Promise<number> {
  const answer = messageOf<CpuReport>(server);
  server.send("cpu");
  return (await answer).cpuMs;
}

if (import.meta.main) await runAsScript(bench);
