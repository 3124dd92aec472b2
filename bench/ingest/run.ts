/**
 * What one API process accepts and stores, as JSON, each measurement on a stack of its own:
 *
 * - `node bench/ingest/run.ts [seconds] [part of a case's name]`: durable events a second. Beside it in the same run: the same server
 *   whose store accepts all and stores nothing, QuestDB fed with prepared bodies, and the bytes of an event on disk;
 * - `node bench/ingest/run.ts --minutes 10 [--rate 5000]`: memory under a steady load of this many events a second;
 * - `node bench/ingest/run.ts --bytes 500000`: bytes on disk alone, of this many events.
 *
 * All share the machine with the loader, as in production with the other processes. CPU and memory are those of the API process alone.
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { round } from "../../test/kit/load/figures.ts";
import { withStack } from "../../test/kit/stack/benchStack.ts";
import { measureApi } from "./apiThroughput.ts";
import { measureMemory } from "./memory.ts";
import { measureReadyMadeRows } from "./readyMadeRows.ts";
import { measureStoredBytes } from "./storedBytes.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    rate: { type: "string", default: "5000" },
    bytes: { type: "string" },
  },
});
const result =
  values.minutes !== undefined
    ? { memory: await memory(Number(values.minutes), Number(values.rate)) }
    : values.bytes !== undefined
      ? { storedBytes: await storedBytes(Number(values.bytes)) }
      : await throughput(Number(positionals[0] ?? 15), positionals[1] ?? "");
console.log(JSON.stringify({ benchmark: "ingest", node: process.version, cores: cpus().length, ...result }, null, 2));

async function throughput(seconds: number, only: string) {
  const cases = [
    { name: "batches of 100", batchEvents: 100, connections: 24, target: 15_000 },
    {
      name: "batches of 100 with a load time, so two rows an event",
      batchEvents: 100,
      connections: 24,
      loadTime: 1_234.5,
    },
    { name: "single events", batchEvents: 1, connections: 64, target: 2_500 },
  ];
  const results = [];
  for (const { name, target, ...shape } of cases.filter((each) => each.name.includes(only))) {
    const durable = await withStack(undefined, (bench) => measureApi(bench, shape, seconds, true));
    const discarded = await withStack("bench/ingest/discardingApi.ts", (bench) =>
      measureApi(bench, shape, seconds, false),
    );
    const { eventsPerSecond } = durable;
    results.push({
      case: name,
      durable,
      discarded,
      shareOfDiscarding: round(eventsPerSecond / discarded.eventsPerSecond, 2),
      ...(target === undefined ? {} : { target, met: eventsPerSecond >= target }),
    });
  }
  const questdbReadyMade = await withStack(undefined, (bench) => measureReadyMadeRows(bench, seconds));
  return { seconds, results, questdbReadyMade, storedBytes: await storedBytes(100_000) };
}

function memory(minutes: number, eventsPerSecond: number) {
  return withStack("bench/ingest/measuredApi.ts", (bench) => measureMemory(bench, minutes, eventsPerSecond));
}

/** Of events in the form of our tracker and of published SDKs; `events` is a multiple of 100. */
async function storedBytes(events: number) {
  const bySender = [];
  for (const sender of ["tracker", "sdk"] as const)
    bySender.push(await withStack(undefined, (bench) => measureStoredBytes(bench, sender, events)));
  return bySender;
}
