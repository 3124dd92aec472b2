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
 * `--short` stops after the comparison. All share the machine with the loader.
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

/** Events a second: less than any of the installations takes, and beside each other less than both take on two cores. */
const shapes = [
  { name: "batches of 100", batchEvents: 100, connections: 16, rate: 5_000, rateBeside: 2_500 },
  { name: "single events", batchEvents: 1, connections: 48, rate: 500, rateBeside: 250 },
].filter(({ name }) => name.includes(given.only));

type Figures = { readonly steady: Measured; readonly most: Measured };
type Beside = { readonly embedded: Measured; readonly log: Measured };

const one = { shards: 1, replicas: 1, apis: 1 };
const loadBefore = loadavg().map((value) => round(value, 1));
const beside = await withEmbedded((embedded) => withLog(one, (log) => measureBeside(embedded, log)));
const alone = given.short
  ? undefined
  : {
      embedded: await withEmbedded(measureAll),
      oneReplica: await withLog(one, measureAll),
      twoReplicas: await withLog({ ...one, replicas: 2 }, measureAll),
      twoReplicasAndApis: await withLog({ shards: 1, replicas: 2, apis: 2 }, measureAll),
      twoShardsAndApis: await withLog({ shards: 2, replicas: 1, apis: 2 }, measureAll),
    };

const results = shapes.map(({ name, rate, rateBeside }, index) => ({
  case: name,
  beside: { rate: rateBeside, ...costOf(beside[index]), ...beside[index] },
  ...(alone === undefined
    ? {}
    : { rate, ...Object.fromEntries(Object.entries(alone).map(([which, figures]) => [which, figures[index]])) }),
}));
const machine = { node: process.version, cores: cpus().length, loadBefore };
console.log(JSON.stringify({ benchmark: "scale", ...machine, seconds, results }, null, 2));

/** What both do at the same time with each shape of load. */
async function measureBeside(embedded: Installation, log: Installation): Promise<Beside[]> {
  const figures: Beside[] = [];
  for (const { rateBeside: eventsPerSecond, ...shape } of shapes) {
    const load = { seconds, warmUpSeconds: seconds, eventsPerSecond };
    const [ofEmbedded, ofLog] = await Promise.all([
      measureIngest(embedded, shape, load),
      measureIngest(log, shape, load),
    ]);
    figures.push({ embedded: ofEmbedded, log: ofLog });
  }
  return figures;
}

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

/** CPU per event with the log, as a multiple of that without. */
function costOf(figures: Beside | undefined) {
  const { brokers = 0, ...ours } = figures?.log.cpuUsPerEvent ?? {};
  const base = sum(figures?.embedded.cpuUsPerEvent ?? {});
  const withoutBrokers = round(sum(ours) / base, 2);
  return {
    withoutBrokers,
    withBrokers: round((sum(ours) + brokers) / base, 2),
    target: mostOfEmbedded,
    met: withoutBrokers <= mostOfEmbedded,
  };
}

function sum(figures: Readonly<Record<string, number>>): number {
  return Object.values(figures).reduce((total, each) => total + each, 0);
}
