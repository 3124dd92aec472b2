/**
 * `npm run bench:query [-- --events 10500000 --rounds 9 --sizes big,middling,tiny --days 1,7,30]`: how fast the most common queries are answered, as JSON, on a stack of its own. Next to
 * each in the same run: its statements to QuestDB alone, and the same query to ClickHouse over the same rows, answers compared.
 *
 * Sessions are stored first, by the service's own correction, which runs each minute; the last hour still gets events.
 *
 * chdb (ClickHouse for Python, from PyPI) is installed into CACHE_DIR at the first run. Its time is taken within its process.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { absolute, type Bench, type BenchRun, type Figure, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { loadClickHouse, startClickHouse } from "./clickhouse.ts";
import { clickhouseQueries } from "./clickhouseSql.ts";
import { type EventFiles, writeEvents } from "./events.ts";
import { growthOf } from "./growth.ts";
import { type Lookout, openLookout } from "./lookout.ts";
import { geometricMean, measureCell, measureFilteredCell } from "./measureCell.ts";
import { dayOf, days, firstMs, type Place, places } from "./queried.ts";

const websites = 200;
const targets = { toClickHouse: 0.8, filtered: 1, toSql: 1.2, growth: 1.3 };

export const bench: Bench = { name: "query", measure };

async function measure(run: BenchRun) {
  const { values } = parseArgs({
    args: [...run.args],
    options: {
      events: { type: "string", default: "10500000" },
      rounds: { type: "string", default: "9" },
      sizes: { type: "string", default: "big,middling,tiny" },
      days: { type: "string", default: "1,7,30" },
    },
  });
  const wantedSizes = values.sizes.split(",");
  const plan: Plan = {
    isSmoke: run.isSmoke,
    events: run.isSmoke ? 5_000 : Number(values.events),
    rounds: run.isSmoke ? 0 : Number(values.rounds),
    sizes: Object.entries(places).filter(([size]) => wantedSizes.includes(size)),
    ranges: run.isSmoke ? [7] : values.days.split(",").map(Number),
  };
  const folder = await mkdtemp(join(tmpdir(), "lookout-bench-"));
  try {
    // PostgreSQL and QuestDB may run as another user, who has to pass.
    await chmod(folder, 0o711);
    return await measureIn(folder, plan, run);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Plan = {
  readonly isSmoke: boolean;
  readonly events: number;
  readonly rounds: number;
  readonly sizes: readonly Place[];
  readonly ranges: readonly number[];
};

async function measureIn(folder: string, plan: Plan, { stacks }: BenchRun) {
  const files = join(folder, "rows");
  const needs = {
    parts: withoutTemporal,
    env: {
      // Statements of a busy machine may take long; only their time counts here.
      QUESTDB_QUERY_TIMEOUT_MS: "600000",
      // The rows are of a fixed month, which must not be past its retention.
      RETENTION_RAW_EVENT_DAYS: "3650",
      RETENTION_CUSTOM_EVENT_DAYS: "3650",
      QDB_CAIRO_SQL_COPY_ROOT: files,
    },
  };
  say("making the rows");
  const { events } = plan;
  const rows = await writeEvents(files, { events, websites, firstMs, days, measured: Object.values(places) });
  return await stacks.use(needs, async (stack) => {
    const lookout = await openLookout(stack.stack, websites);
    try {
      // The smaller one holds the first part alone, and stops before ClickHouse starts.
      const growth = await stacks.use(needs, async ({ stack: smallerStack }) => {
        const smaller = await openLookout(smallerStack, websites);
        try {
          say("loading the first part");
          for (const each of [smaller, lookout]) {
            await each.load("events", rows.events[0]);
            await each.load("outgoing_links", rows.links[0]);
          }
          await storeSessions(smaller, Object.values(places));
          say("loading the second part");
          await lookout.load("events", rows.events[1]);
          await lookout.load("outgoing_links", rows.links[1]);
          await storeSessions(lookout);
          say("growth");
          return await growthOf(smaller, lookout, plan.sizes, plan.isSmoke);
        } finally {
          await smaller.close();
        }
      });
      return await compare(folder, stack, lookout, rows, plan, growth);
    } finally {
      await lookout.close();
    }
  });
}

/** With ClickHouse, which starts only now: with another database in memory the same statements take longer, which would look like growth. */
async function compare(
  folder: string,
  { config }: BenchStack,
  lookout: Lookout,
  rows: EventFiles,
  { events, rounds, sizes, ranges }: Plan,
  growth: ReadonlyMap<string, number>,
) {
  say("loading ClickHouse");
  const clickhouse = await startClickHouse(join(config.stack.cacheDir, "chdb-4.4.0"), join(folder, "clickhouse"));
  try {
    await loadClickHouse(clickhouse, rows);
    const cells = [];
    const filtered = [];
    for (const [size, place] of sizes)
      for (const range of ranges) {
        say(`${size}, ${range} days`);
        const target = { place, from: dayOf(days - range), until: dayOf(days) };
        cells.push({ size, days: range, ...(await measureCell(lookout, clickhouse, target, rounds)) });
        if (range === 1) continue;
        say(`${size}, ${range} days, filtered`);
        filtered.push({ size, days: range, ...(await measureFilteredCell(lookout, clickhouse, target, rounds)) });
      }
    const figures: Record<string, Figure> = {};
    for (const { size, days: range, toClickHouse } of cells)
      figures[`${size}, ${range} days / ClickHouse`] = ratio(round(toClickHouse, 2), "lower", targets.toClickHouse);
    for (const { size, days: range, toClickHouse } of filtered)
      figures[`${size}, ${range} days, filtered / ClickHouse`] = ratio(
        round(toClickHouse, 2),
        "lower",
        targets.filtered,
      );
    const all = cells.flatMap((cell) => cell.types);
    const total = (of: readonly number[]) => of.reduce((sum, each) => sum + each, 0);
    const toSql = total(all.map(({ httpMs }) => httpMs)) / total(all.map(({ sqlMs }) => sqlMs));
    figures["all queries / plain SQL"] = ratio(round(toSql, 2), "lower", targets.toSql);
    for (const [size] of sizes) {
      const ofSize = Object.keys(clickhouseQueries).map((type) => growth.get(`${size} ${type}`) ?? Number.NaN);
      const name = `${size}, with ten times as much of others / before`;
      figures[name] = ratio(round(geometricMean(ofSize), 2), "lower", targets.growth);
    }
    figures["median query"] = absolute(round(median(all.map(({ httpMs }) => httpMs)), 1), "ms", "lower");
    const problems = [...cells, ...filtered].flatMap(({ size, days: range, wrong }) =>
      wrong.map((text) => `${size}, ${range} days: ${text}`),
    );
    return {
      settings: { events, rounds },
      figures,
      problems,
      details: { cells, filtered, growth: Object.fromEntries(growth) },
    };
  } finally {
    clickhouse.close();
  }
}

/** Computes the stored sessions of the loaded events, of all websites unless indexes are given. */
async function storeSessions(lookout: Lookout, of?: readonly number[]): Promise<void> {
  say("making stored sessions");
  const startedMs = performance.now();
  const websiteDays = await lookout.correct(firstMs + days * 86_400_000 - 3_600_000, of);
  say(`made those of ${websiteDays} days in ${Math.round((performance.now() - startedMs) / 1_000)} s`);
}

function say(line: string): void {
  console.error(line);
}

if (import.meta.main) await runAsScript(bench);
