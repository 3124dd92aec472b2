/**
 * `npm run bench:scale [-- --seconds 20 --rate 5000 --only batches]`: what the log of brokers costs, as JSON: events a second, how far the
 * stores are behind, and the CPU of each component per event, in batches and for single events:
 *
 * - embedded: one API process, PostgreSQL and QuestDB, as `npm start` runs them;
 * - one replica: three brokers and a consumer between the API and one QuestDB;
 * - two replicas with one and with two API processes;
 * - two shards of one replica with two API processes, half of the events each.
 *
 * First at the same rate for all, which CPU per event is compared at, since whoever takes fewer events makes smaller commits; then as many
 * as each takes. All share the machine with the loader.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { round } from "../../test/kit/load/figures.ts";
import { withEmbedded, withLog } from "./installations.ts";
import { type Installation, type Load, type Measured, measureIngest, type Shape } from "./measureIngest.ts";

const { values: given } = parseArgs({
  options: {
    seconds: { type: "string", default: "20" },
    rate: { type: "string" },
    only: { type: "string", default: "" },
    /** Embedded and one replica alone. */
    short: { type: "boolean", default: false },
  },
});
const seconds = Number(given.seconds);
/** The log may cost this many times the CPU per event of the embedded installation. */
const mostOfEmbedded = 1.3;

const shapes: readonly (Shape & { readonly rate: number })[] = [
  { name: "batches of 100", batchEvents: 100, connections: 16, rate: 5_000 },
  { name: "single events", batchEvents: 1, connections: 48, rate: 500 },
];
const loadBefore = loadavg().map((value) => round(value, 1));
const results = [];
for (const shape of shapes.filter(({ name }) => name.includes(given.only))) {
  const rate = Number(given.rate ?? shape.rate);
  const measure = measurer(shape, rate);
  const embedded = await withEmbedded(measure);
  const oneReplica = await withLog({ shards: 1, replicas: 1, apis: 1 }, measure);
  const others = given.short
    ? {}
    : {
        twoReplicas: await withLog({ shards: 1, replicas: 2, apis: 1 }, measure),
        twoReplicasAndApis: await withLog({ shards: 1, replicas: 2, apis: 2 }, measure),
        twoShardsAndApis: await withLog({ shards: 2, replicas: 1, apis: 2 }, measure),
      };
  const cost = costOf(oneReplica.steady, embedded.steady);
  results.push({
    case: shape.name,
    rate,
    cpuOfEmbedded: { ...cost, target: mostOfEmbedded, met: cost.withoutBrokers <= mostOfEmbedded },
    cpuOfEmbeddedAtMost: costOf(oneReplica.most, embedded.most),
    embedded,
    oneReplica,
    ...others,
  });
}
const machine = { node: process.version, cores: cpus().length, loadBefore };
console.log(JSON.stringify({ benchmark: "scale", ...machine, seconds, results }, null, 2));

function measurer(shape: Shape, eventsPerSecond: number) {
  return async (installation: Installation): Promise<{ steady: Measured; most: Measured }> => {
    const most: Load = { seconds, warmUpSeconds: 3 };
    return {
      steady: await measureIngest(installation, shape, { seconds, warmUpSeconds: seconds, eventsPerSecond }),
      most: await measureIngest(installation, shape, most),
    };
  };
}

/** CPU per event with the log and one replica, as a multiple of that without. */
function costOf(withLogOf: Measured, without: Measured) {
  const { brokers = 0, ...ours } = withLogOf.cpuUsPerEvent;
  const base = sum(without.cpuUsPerEvent);
  return { withoutBrokers: round(sum(ours) / base, 2), withBrokers: round((sum(ours) + brokers) / base, 2) };
}

function sum(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((total, each) => total + each, 0);
}
