/**
 * `npm run bench:links [-- rounds [connections]]`: redirects a second and their latency of one API process that stores every click, compared with
 * node:http that answers a bare redirect, in the same run, as JSON.
 *
 * The server is pinned to one core, loader, QuestDB and PostgreSQL have the other. The CPU ratio is raw CPU time a redirect / ours, all threads of
 * the process counted: the share of the raw throughput that is left if the CPU is the limit. Ratios are medians
 * over the rounds: where others share the machine's memory and caches either server is half as fast again in one round as in the next. Clicks are stored
 * by the same process meanwhile; the long round runs long enough for a backlog to show.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { endProcess, forkPinned, portOf } from "../../test/kit/load/pinnedProcess.ts";
import { usageOf } from "../../test/kit/load/processUsage.ts";
import { loadRaw } from "../../test/kit/load/rawLoad.ts";
import type { LoadReport } from "../../test/kit/load/rawLoader.ts";
import { withBenchApi } from "../../test/kit/stack/benchApi.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { type Owner, postJson } from "../../test/kit/stack/owner.ts";
import { clickRequests, shape } from "./clicks.ts";
import { targetUrl } from "./target.ts";

type Sample = LoadReport & { readonly cpuUs: number };
type Server = { readonly child: ChildProcess; readonly port: number };

const target = 0.45;

export const bench: Bench = {
  name: "links",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

async function measure({ isSmoke, args }: BenchRun, { stack, owner, questdb }: BenchStack) {
  const rounds = isSmoke ? 1 : Number(args[0] ?? 15);
  const connections = isSmoke ? 8 : Number(args[1] ?? 64);
  const requests = isSmoke ? 200 : 100_000;
  const longRequests = isSmoke ? 400 : 1_000_000;
  const warmUpRequests = isSmoke ? 50 : 100_000;
  const stores = [...stack.processIds("questdb"), ...stack.processIds("postgres")];
  // Processes that they start later stay there as well.
  if (!isSmoke)
    for (const pid of stores)
      execFileSync("taskset", ["--all-tasks", "--cpu-list", "--pid", "1", String(pid)], { stdio: "ignore" });
  const slugs = await makeLinks(owner, isSmoke ? 10 : shape.links);
  const clicked = clickRequests(slugs);
  const storedClicks = async () => {
    const [row] = await questdb.read("SELECT count() AS n FROM link_clicks", []);
    return Number(row?.["n"]);
  };
  const before = await storedClicks();

  const load = async ({ child, port }: Server, count: number): Promise<Sample> => {
    let cpuBefore = 0;
    const expected = { status: 302, head: `\r\nlocation: ${targetUrl}\r\n`, leastBodyBytes: 0, mostBodyBytes: 0 };
    const order = { port, requests: clicked, connections, warmUpRequests, measuredRequests: count, expected };
    const report = await loadRaw(order, () => {
      cpuBefore = usageOf(child.pid ?? 0).cpuSeconds;
    });
    // What is done for a click after its redirect counts as well.
    if (!isSmoke) await pause(1_000);
    return { ...report, cpuUs: ((usageOf(child.pid ?? 0).cpuSeconds - cpuBefore) / count) * 1e6 };
  };
  const loadRawServer = async () => {
    await untilIdle(stores, isSmoke);
    const child = forkPinned(fileURLToPath(new URL("rawServer.ts", import.meta.url)), { core: 0 });
    try {
      return await load({ child, port: await portOf(child) }, requests);
    } finally {
      await endProcess(child);
    }
  };
  let clicks = 0;
  const loadApi = async (...counts: number[]) => {
    await untilIdle(stores, isSmoke);
    return await withBenchApi(stack, { core: 0, env: { TRUSTED_PROXIES: "127.0.0.1" } }, async (api) => {
      const samples: Sample[] = [];
      for (const count of counts) {
        samples.push(await load(api, count));
        clicks += warmUpRequests + count;
      }
      return samples;
    });
  };

  const samples: { raw: Sample[]; lookout: Sample[] } = { raw: [], lookout: [] };
  for (let index = 1; index <= rounds; index += 1) {
    process.stderr.write(`round ${index} of ${rounds}\n`);
    samples.raw.push(await loadRawServer());
    samples.lookout.push(...(await loadApi(requests)));
  }
  process.stderr.write("the long round\n");
  const [long] = await loadApi(longRequests);
  if (long === undefined) throw new Error("the long round has no result");
  const stored = (await reached(storedClicks, before + clicks)) - before;

  const rate = ({ answers, seconds }: LoadReport) => answers / seconds;
  const of = (name: "raw" | "lookout", figure: (sample: Sample) => number) => median(samples[name].map(figure));
  const ratioOf = (figure: (sample: Sample) => number) =>
    round(median(samples.lookout.map((own, index) => figure(own) / figure(samples.raw[index] ?? own))), 2);
  const figures = {
    "redirects a second / raw": ratio(ratioOf(rate), "higher", target),
    "raw CPU / CPU of a redirect": ratio(
      ratioOf(({ cpuUs }) => 1 / cpuUs),
      "higher",
    ),
    "redirects a second in the long round / raw": ratio(round(rate(long) / of("raw", rate), 2), "higher"),
    "redirects a second": absolute(round(of("lookout", rate), 0), "1/s", "higher"),
    "redirects a second, raw": absolute(round(of("raw", rate), 0), "1/s", "higher"),
    "CPU a redirect": absolute(
      round(
        of("lookout", ({ cpuUs }) => cpuUs),
        1,
      ),
      "µs",
      "lower",
    ),
    "CPU a redirect, raw": absolute(
      round(
        of("raw", ({ cpuUs }) => cpuUs),
        1,
      ),
      "µs",
      "lower",
    ),
    p50: absolute(
      round(
        of("lookout", ({ p50Ms }) => p50Ms),
        2,
      ),
      "ms",
      "lower",
    ),
    p99: absolute(
      round(
        of("lookout", ({ p99Ms }) => p99Ms),
        2,
      ),
      "ms",
      "lower",
    ),
    "p99 in the long round": absolute(round(long.p99Ms, 2), "ms", "lower"),
  };
  const problems = stored === clicks ? [] : [`${stored} clicks are stored of ${clicks} that were answered`];
  const details = { clicks: { answered: clicks, stored }, longSeconds: round(long.seconds, 0) };
  return { settings: { rounds, connections, requests, longRequests }, figures, problems, details };
}

/** Resolves when the stores have had little to do for a second: so that the clicks of one round do not slow the next. */
async function untilIdle(stores: readonly number[], isSmoke: boolean): Promise<void> {
  const cpuSeconds = () => stores.reduce((sum, pid) => sum + usageOf(pid).cpuSeconds, 0);
  for (let restMs = isSmoke ? 1_000 : 0; restMs < 1_000; ) {
    const before = cpuSeconds();
    await pause(250);
    restMs = cpuSeconds() - before < 0.02 ? restMs + 250 : 0;
  }
}

async function makeLinks(owner: Owner, count: number): Promise<string[]> {
  const slugs: string[] = [];
  for (let index = 0; index < count; index += 1)
    slugs.push((await postJson<{ slug: string }>(owner, "/links/create", { targetUrl })).slug);
  return slugs;
}

/** Clicks that can be queried, once as many as expected are visible or a minute has passed. */
async function reached(storedClicks: () => Promise<number>, expected: number): Promise<number> {
  for (const sinceMs = performance.now(); ; await pause(200)) {
    const stored = await storedClicks();
    if (stored >= expected || performance.now() - sinceMs > 60_000) return stored;
  }
}

if (import.meta.main) await runAsScript(bench);
