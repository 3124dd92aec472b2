/**
 * `npm run bench:memory [-- --minutes 10 --rate 5000]`: memory of the API process under a steady load of this many events a second, after a
 * minute in which everything has warmed up, as JSON, on a stack of its own. The process is measuredApi.ts.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { latencies, mean, round, slope } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { lostRows } from "./lostRows.ts";
import { memoryFile } from "./memoryFile.ts";
import { storedRows } from "./storedRows.ts";
import { Visits } from "./visits.ts";

type Sample = Readonly<Record<"atSeconds" | "rss" | "heapUsed" | "external" | "arrayBuffers", number>>;

const batchEvents = 100;

export const bench: Bench = {
  name: "memory",
  measure: (run) =>
    run.stacks.use({ parts: withoutTemporal, api: "bench/ingest/measuredApi.ts" }, (stack) => measure(run, stack)),
};

async function measure({ isSmoke, args }: BenchRun, { owner, questdb, apiDataDir }: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: { minutes: { type: "string", default: "10" }, rate: { type: "string", default: "5000" } },
  });
  const seconds = isSmoke ? 1 : Number(values.minutes) * 60;
  const eventsPerSecond = isSmoke ? 5_000 : Number(values.rate);
  const { baseUrl, websiteId } = owner;
  const visits = new Visits("tracker", seededRandom(1));
  const options = {
    url: `${baseUrl}/batch?website_id=${websiteId}`,
    connections: 24,
    rate: eventsPerSecond / batchEvents,
    next: () => {
      const { userAgent, events } = visits.next(batchEvents, Date.now());
      return { body: JSON.stringify(events), headers: { "user-agent": userAgent } };
    },
    accepts: (text: string) => !text.includes('"status":"error"'),
  };
  const warm = await runLoad({ ...options, seconds: isSmoke ? 1 : 60 });
  const file = join(apiDataDir, memoryFile);
  await rm(file, { force: true });
  const load = await runLoad({ ...options, seconds });
  // A smoke run is over before the first sample.
  const samples = (await readFile(file, "utf8").catch(() => ""))
    .split("\n")
    .filter(Boolean)
    .map((line): Sample => JSON.parse(line));
  const acknowledged = (warm.answers + load.answers) * batchEvents;
  const stored = await storedRows(questdb, websiteId, acknowledged);
  const names = ["rss", "heapUsed", "external", "arrayBuffers"] as const;
  const trends = samples.length < 3 ? {} : Object.fromEntries(names.map((name) => [name, trend(samples, name)]));
  const figures = Object.fromEntries(
    Object.entries(trends).flatMap(([name, { maxMb, lastToFirstThird }]) => [
      [`${name}: last third / first`, ratio(lastToFirstThird, "lower")],
      [`${name}: most`, absolute(maxMb, "MB", "lower")],
    ]),
  );
  const errors = warm.errors + load.errors;
  return {
    settings: { seconds, eventsPerSecond },
    figures,
    problems: lostRows("the steady load", { errors, acknowledged, stored }),
    details: {
      eventsPerSecond: Math.round((load.answers * batchEvents) / load.seconds),
      acknowledgementMs: latencies(load),
      acknowledged,
      samples: samples.length,
      ...trends,
    },
  };
}

/** Megabytes; `lastToFirstThird` is the ratio of the means, 1 when memory is flat. */
function trend(samples: readonly Sample[], name: keyof Sample) {
  const megabytes = samples.map((sample) => sample[name] / 1e6);
  const third = Math.floor(samples.length / 3);
  const points = samples.map((sample) => [sample.atSeconds / 60, sample[name] / 1e6] as const);
  return {
    minMb: round(Math.min(...megabytes), 1),
    maxMb: round(Math.max(...megabytes), 1),
    slopeMbPerMinute: round(slope(points), 3),
    lastToFirstThird: round(mean(megabytes.slice(-third)) / mean(megabytes.slice(0, third)), 3),
  };
}

if (import.meta.main) await runAsScript(bench);
