import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { latencies, mean, round, slope } from "../../test/kit/load/figures.ts";
import { runLoad } from "../../test/kit/load/load.ts";
import { seededRandom } from "../../test/kit/random/seededRandom.ts";
import type { BenchStack } from "../../test/kit/stack/benchStack.ts";
import { storedRows, withReader } from "./storedRows.ts";
import { Visits } from "./visits.ts";

/** In DATA_DIR, a line of JSON for each sample; bytes. */
export const memoryFile = "memory.jsonl";

type Sample = Readonly<Record<"atSeconds" | "rss" | "heapUsed" | "external" | "arrayBuffers", number>>;

const batchEvents = 100;

/** Memory of the API process (measuredApi.ts) under a steady load, after a minute in which everything has warmed up. */
export async function measureMemory(bench: BenchStack, minutes: number, eventsPerSecond: number) {
  const { stack, websiteId } = bench;
  const visits = new Visits("tracker", seededRandom(1));
  const options = {
    url: `${stack.config.server.baseUrl}/batch?website_id=${websiteId}`,
    connections: 24,
    rate: eventsPerSecond / batchEvents,
    next: () => {
      const { userAgent, events } = visits.next(batchEvents, Date.now());
      return { body: JSON.stringify(events), headers: { "user-agent": userAgent } };
    },
    accepts: (text: string) => !text.includes('"status":"error"'),
  };
  const warm = await runLoad({ ...options, seconds: 60 });
  const file = join(stack.config.stack.dataDir, memoryFile);
  await rm(file, { force: true });
  const load = await runLoad({ ...options, seconds: minutes * 60 });
  const samples = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line): Sample => JSON.parse(line));
  const acknowledged = (warm.answers + load.answers) * batchEvents;
  const stored = await withReader(bench, (reader) => storedRows(reader, websiteId, acknowledged));
  return {
    minutes,
    eventsPerSecond: Math.round((load.answers * batchEvents) / load.seconds),
    wantedEventsPerSecond: eventsPerSecond,
    errors: load.errors,
    acknowledgementMs: latencies(load),
    acknowledged,
    stored,
    samples: samples.length,
    rss: trend(samples, "rss"),
    heapUsed: trend(samples, "heapUsed"),
    external: trend(samples, "external"),
    arrayBuffers: trend(samples, "arrayBuffers"),
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
