/**
 * `npm run bench:scale [-- --seconds 20 --only batches --short]`: what the log of brokers costs, as JSON: events a second, how far the
 * stores are behind, and the CPU of each component per event, in batches and for single events.
 *
 * First two installations beside each other, each at the same rate: an embedded one, which is one API process, PostgreSQL and QuestDB as
 * `npm start` runs them, and one with the log and one replica. Their CPU per event is compared. They run at the same time because the
 * brokers, which are machines of their own in production, slow down all other processes of this one: measured one after the other, functions
 * that both installations run alike took up to 1.7 times as long beside brokers.
 *
 * Then each installation alone, at a rate that all of them take and as many events as each takes:
 *
 * - embedded;
 * - one replica: three brokers and a consumer between the API and one QuestDB;
 * - two replicas with one and with two API processes;
 * - two shards of one replica with two API processes, half of the events each.
 *
 * `--short` stops after the comparison, and so does a smoke run. All share the machine with the loader.
 */
import { parseArgs } from "node:util";
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { round } from "../../test/kit/load/figures.ts";
import { withEmbedded, withLog } from "./installations.ts";
import { type Installation, type Measured, measureIngest, type Shape } from "./measureIngest.ts";

/** The log may cost this many times the CPU per event of the embedded installation. */
const mostOfEmbedded = 1.3;

/** Events a second: less than any of the installations takes, and beside each other less than both take on two cores. */
const shapes = [
  { name: "batches of 100", batchEvents: 100, connections: 16, rate: 5_000, rateBeside: 2_500 },
  { name: "single events", batchEvents: 1, connections: 48, rate: 500, rateBeside: 250 },
];
type RatedShape = (typeof shapes)[number];
const one = { shards: 1, replicas: 1, apis: 1 };
/** What is measured alone, by name. */
const installations: Readonly<Record<string, <T>(work: (installation: Installation) => Promise<T>) => Promise<T>>> = {
  embedded: withEmbedded,
  "one replica": (work) => withLog(one, work),
  "two replicas": (work) => withLog({ ...one, replicas: 2 }, work),
  "two replicas and APIs": (work) => withLog({ shards: 1, replicas: 2, apis: 2 }, work),
  "two shards and APIs": (work) => withLog({ shards: 2, replicas: 1, apis: 2 }, work),
};

export const bench: Bench = { name: "scale", measure };

async function measure({ isSmoke, args }: BenchRun) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "20" },
      only: { type: "string", default: "" },
      short: { type: "boolean", default: false },
    },
  });
  const seconds = isSmoke ? 1 : Number(values.seconds);
  const used = shapes.filter(({ name }) => name.includes(values.only));
  const found: Found[] = [];
  const figures: Record<string, Figure> = {};
  await withEmbedded((embedded) =>
    withLog(one, async (log) => {
      for (const shape of used) {
        const load = { seconds, warmUpSeconds: seconds, eventsPerSecond: shape.rateBeside };
        const [ofEmbedded, ofLog] = await Promise.all([
          measureIngest(embedded, shape, load),
          measureIngest(log, shape, load),
        ]);
        found.push({ what: `${shape.name}, embedded beside the log`, measured: ofEmbedded });
        found.push({ what: `${shape.name}, log beside embedded`, measured: ofLog });
        Object.assign(figures, costOf(shape.name, ofEmbedded, ofLog));
      }
    }),
  );
  if (!isSmoke && !values.short)
    for (const [name, use] of Object.entries(installations))
      await use(async (installation) => {
        for (const shape of used) found.push(...(await measureAlone(name, installation, shape, seconds)));
      });
  for (const { what, measured } of found) figures[what] = absolute(measured.eventsPerSecond, "1/s", "higher");
  return { settings: { seconds }, figures, problems: found.flatMap(problemsOf), details: { found } };
}

type Found = { readonly what: string; readonly measured: Measured };

/** At a rate that all installations take, and as many events as this one takes. */
async function measureAlone(
  name: string,
  installation: Installation,
  { rate, ...shape }: Shape & Pick<RatedShape, "rate">,
  seconds: number,
): Promise<Found[]> {
  const steady = { seconds, warmUpSeconds: seconds, eventsPerSecond: rate };
  return [
    { what: `${shape.name}, ${name}, steady`, measured: await measureIngest(installation, shape, steady) },
    {
      what: `${shape.name}, ${name}, most`,
      measured: await measureIngest(installation, shape, { seconds, warmUpSeconds: 3 }),
    },
  ];
}

function problemsOf({ what, measured }: Found): string[] {
  const { errors, stored, expected } = measured;
  return [
    ...(errors > 0 ? [`${what}: ${errors} requests failed`] : []),
    ...(stored === expected ? [] : [`${what}: ${stored} rows are stored, not ${expected}`]),
  ];
}

/** CPU per event with the log, as a multiple of that without. */
function costOf(name: string, embedded: Measured, log: Measured): Record<string, Figure> {
  const { brokers = 0, ...ours } = log.cpuUsPerEvent;
  const base = sum(embedded.cpuUsPerEvent);
  return {
    [`${name}: CPU of the log without brokers / embedded`]: ratio(round(sum(ours) / base, 2), "lower", mostOfEmbedded),
    [`${name}: CPU of the log with brokers / embedded`]: ratio(round((sum(ours) + brokers) / base, 2), "lower"),
  };
}

function sum(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((total, each) => total + each, 0);
}

if (import.meta.main) await runAsScript(bench);
