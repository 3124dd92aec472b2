/**
 * `npm run bench:ingest [-- seconds [part of a case's name]]`: durable events a second that one API process accepts and stores, as JSON, each
 * measurement on a stack of its own. Beside it in the same run: the same server whose store accepts all and stores nothing, and QuestDB
 * fed with prepared bodies.
 *
 * All share the machine with the loader, as in production with the other processes. CPU and memory are those of the API process alone.
 */
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { round } from "../../test/kit/load/figures.ts";
import { withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { type LoadShape, measureApi, measureVisibility } from "./apiThroughput.ts";
import { lostRows } from "./lostRows.ts";
import { measureReadyMadeRows } from "./readyMadeRows.ts";

type Case = LoadShape & { readonly name: string; readonly target?: number };

const cases: readonly Case[] = [
  { name: "batches of 100", batchEvents: 100, connections: 24, target: 15_000 },
  {
    name: "batches of 100 with a load time, so two rows an event",
    batchEvents: 100,
    connections: 24,
    loadTime: 1_234.5,
  },
  { name: "single events", batchEvents: 1, connections: 64, target: 2_500 },
];

export const bench: Bench = { name: "ingest", measure };

async function measure({ isSmoke, args: [givenSeconds = "15", only = ""], stacks }: BenchRun) {
  const seconds = isSmoke ? 0.5 : Number(givenSeconds);
  const parts = withoutTemporal;
  const figures: Record<string, Figure> = {};
  const problems: string[] = [];
  const results = [];
  for (const { name, target, ...shape } of cases.filter((each) => each.name.includes(only))) {
    const durable = await stacks.use({ parts }, async (stack) => {
      const api = await measureApi(stack, shape, seconds);
      return { ...api, ...(await measureVisibility(stack, api.acknowledged, isSmoke ? 1 : 20)) };
    });
    const discarded = await stacks.use({ parts, api: "bench/ingest/discardingApi.ts" }, (stack) =>
      measureApi(stack, shape, seconds),
    );
    problems.push(...lostRows(name, durable));
    if (discarded.errors > 0) problems.push(`${name}, discarded: ${discarded.errors} requests failed`);
    const share = durable.eventsPerSecond / discarded.eventsPerSecond;
    figures[`${name} / discarded`] = ratio(round(share, 2), "higher");
    figures[name] = absolute(durable.eventsPerSecond, "1/s", "higher", target);
    figures[`${name}: CPU an event`] = absolute(durable.apiCpuUsPerEvent, "µs", "lower");
    figures[`${name}: found after`] = absolute(durable.visibilityLagMs.p50, "ms", "lower");
    results.push({ case: name, durable, discarded });
  }
  const readyMade = await stacks.use({ parts }, (stack) => measureReadyMadeRows(stack, seconds, isSmoke ? 20 : 200));
  problems.push(...lostRows("prepared rows", { ...readyMade, acknowledged: readyMade.sent }));
  figures["rows of QuestDB alone"] = absolute(readyMade.rowsPerSecond, "1/s", "higher");
  return { settings: { seconds }, figures, problems, details: { results, readyMade } };
}

if (import.meta.main) await runAsScript(bench);
