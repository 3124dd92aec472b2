/**
 * `npm run bench:scale [-- --seconds 20 --only batches --short]`: what the log of brokers costs, as JSON: events a second, how far the
 * stores are behind, and the CPU of each component per event, in batches and for single events:
 *
 * - embedded: one API process, PostgreSQL and QuestDB, as `npm start` runs them;
 * - one replica: three brokers and a consumer between the API and one QuestDB;
 * - two replicas with one and with two API processes;
 * - two shards of one replica with two API processes, half of the events each.
 *
 * First at the same rate for all, at which CPU per event is compared, since an installation that takes fewer events makes smaller commits;
 * then as many events as each takes. `--short` measures the first two alone. All share the machine with the loader.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { round } from "../../test/kit/load/figures.ts";
import { withEmbedded, withLog } from "./installations.ts";
import { type Installation, type Measured, measureIngest, type Shape } from "./measureIngest.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    only: { type: "string", default: "" },
    short: { type: "boolean", default: false },
  },
});
const seconds = Number(given.seconds);
/** The log may cost this many times the CPU per event of the embedded installation. */
const mostOfEmbedded = 1.3;

/** `rate` is in events a second: less than any of the installations takes. */
const shapes = [
  { name: "batches of 100", batchEvents: 100, connections: 16, rate: 5_000 },
  { name: "single events", batchEvents: 1, connections: 48, rate: 500 },
].filter(({ name }) => name.includes(given.only));

type Figures = { readonly steady: Measured; readonly most: Measured };

const loadBefore = loadavg().map((value) => round(value, 1));
const embedded = await withEmbedded(measureAll);
const oneReplica = await withLog({ shards: 1, replicas: 1, apis: 1 }, measureAll);
const twoReplicas = await others({ shards: 1, replicas: 2, apis: 1 });
const twoReplicasAndApis = await others({ shards: 1, replicas: 2, apis: 2 });
const twoShardsAndApis = await others({ shards: 2, replicas: 1, apis: 2 });

const results = shapes.map(({ name, rate }, index) => {
  const of = (figures: readonly Figures[] | undefined) => figures?.[index];
  const cost = costOf(oneReplica[index]?.steady, embedded[index]?.steady);
  return {
    case: name,
    rate,
    cpuOfEmbedded: { ...cost, target: mostOfEmbedded, met: cost.withoutBrokers <= mostOfEmbedded },
    embedded: of(embedded),
    oneReplica: of(oneReplica),
    twoReplicas: of(twoReplicas),
    twoReplicasAndApis: of(twoReplicasAndApis),
    twoShardsAndApis: of(twoShardsAndApis),
  };
});
const machine = { node: process.version, cores: cpus().length, loadBefore };
console.log(JSON.stringify({ benchmark: "scale", ...machine, seconds, results }, null, 2));

/** What an installation does with each shape of load. */
async function measureAll(installation: Installation): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (const { rate, ...shape } of shapes) figures.push(await measure(installation, shape, rate));
  return figures;
}

async function measure(installation: Installation, shape: Shape, eventsPerSecond: number): Promise<Figures> {
  return {
    steady: await measureIngest(installation, shape, { seconds, warmUpSeconds: seconds, eventsPerSecond }),
    most: await measureIngest(installation, shape, { seconds, warmUpSeconds: 3 }),
  };
}

async function others(size: Parameters<typeof withLog>[0]): Promise<Figures[] | undefined> {
  return given.short ? undefined : await withLog(size, measureAll);
}

/** CPU per event with the log and one replica, as a multiple of that without. */
function costOf(withLogOf: Measured | undefined, without: Measured | undefined) {
  const { brokers = 0, ...ours } = withLogOf?.cpuUsPerEvent ?? {};
  const base = sum(without?.cpuUsPerEvent ?? {});
  return { withoutBrokers: round(sum(ours) / base, 2), withBrokers: round((sum(ours) + brokers) / base, 2) };
}

function sum(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((total, each) => total + each, 0);
}
