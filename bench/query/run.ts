/**
 * `node bench/query/run.ts [--events 10500000] [--rounds 9] [--sizes big,middling,tiny] [--days 1,7,30]`: how fast the most common queries are answered, as JSON, on a stack of its own. Next to
 * each in the same run: its statements to QuestDB alone, and the same query to ClickHouse over the same rows, answers compared.
 *
 * Sessions are stored first, by the service's own correction, which runs each minute; the last hour still gets events.
 *
 * chdb (ClickHouse for Python, from PyPI) is installed into CACHE_DIR at the first run. Its time is taken within its process.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readConfig } from "../../src/config.ts";
import { type Stack, startStack } from "../../stack/stack.ts";
import { difference } from "./answers.ts";
import { type ClickHouse, loadClickHouse, startClickHouse } from "./clickhouse.ts";
import { clickhouseQueries, type Target } from "./clickhouseSql.ts";
import { writeEvents } from "./events.ts";
import { type Lookout, openLookout } from "./lookout.ts";

const { values: options } = parseArgs({
  options: {
    events: { type: "string", default: "10500000" },
    rounds: { type: "string", default: "9" },
    sizes: { type: "string", default: "big,middling,tiny" },
    days: { type: "string", default: "1,7,30" },
  },
});
const rounds = Number(options.rounds);
/** Before the times of growth: by then all kinds of statements are compiled, also by the JVM, and answered as fast as they will be. */
const warmUps = 15;
const growthRounds = 11;
const websites = 200;
const firstMs = Date.UTC(2026, 5, 1);
const days = 30;
/** Places by size. */
const places = { big: 1, middling: 20, tiny: 200 } as const;
const sizes = Object.entries(places).filter(([size]) => options.sizes.split(",").includes(size));
const ranges = options.days.split(",").map(Number);
const types = Object.entries(clickhouseQueries);

const folder = await mkdtemp(join(tmpdir(), "lookout-bench-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(folder, 0o711);
const files = join(folder, "rows");
const configOf = (name: string) =>
  readConfig({
    ...process.env,
    DATA_DIR: join(folder, name),
    PORT: "0",
    BASE_URL: undefined,
    LOG_LEVEL: "warn",
    // Statements of a busy machine may take long; only their time counts here.
    QUESTDB_QUERY_TIMEOUT_MS: "600000",
    // The rows are of a fixed month, which must not be past its retention.
    RETENTION_RAW_EVENT_DAYS: "3650",
    RETENTION_CUSTOM_EVENT_DAYS: "3650",
    QDB_CAIRO_SQL_COPY_ROOT: files,
  });
say("making the rows");
const rows = await writeEvents(files, {
  events: Number(options.events),
  websites,
  firstMs,
  days,
  measured: Object.values(places),
});
const start = (name: string) =>
  startStack({ config: configOf(name), log: say, parts: ["questdb", "postgres", "api"], preferUsualPorts: false });
const stack = await start("data");
/** Holds the first part alone. */
let smaller: Stack | undefined;
let clickhouse: ClickHouse | undefined;
try {
  const lookout = await openLookout(stack, websites);
  const targetOf = (place: number, range: number): Target => ({
    place,
    from: dayOf(days - range),
    until: dayOf(days),
  });

  say("loading the first part");
  smaller = await start("smaller");
  const before = await openLookout(smaller, websites);
  for (const one of [before, lookout]) {
    await one.load("events", rows.events[0]);
    await one.load("outgoing_links", rows.links[0]);
  }
  await storeSessions(before, Object.values(places));
  say("loading the second part");
  await lookout.load("events", rows.events[1]);
  await lookout.load("outgoing_links", rows.links[1]);
  const storedSessions = await storeSessions(lookout);
  say("growth");
  const growthByQuery = await timesOver(before, lookout);
  await before.close();
  await smaller.stop();
  smaller = undefined;
  // Only now: with another database in memory the same statements take longer, which would look like growth.
  say("loading ClickHouse");
  clickhouse = await startClickHouse(join(stack.config.stack.cacheDir, "chdb-4.4.0"), join(folder, "clickhouse"));
  await loadClickHouse(clickhouse, rows);

  const cells = [];
  const wrong: string[] = [];
  for (const [size, place] of sizes)
    for (const range of ranges) {
      say(`${size}, ${range} days`);
      const measured = [];
      for (const [type, sqlOf] of types) {
        const target = targetOf(place, range);
        const http: number[] = [];
        const sql: number[] = [];
        const theirs: number[] = [];
        // The first two rounds warm up.
        for (let round = -2; round < rounds; round += 1) {
          const answer = await lookout.ask(type, target);
          const readMs = await lookout.read(type, target);
          const clickhouseAnswer = await clickhouse.query(sqlOf(target));
          if (round === -2) {
            const found = difference(type, answer.rows, clickhouseAnswer.rows);
            if (found !== undefined) wrong.push(`${type}, ${size}, ${range} days: ${found}`);
          }
          if (round < 0) continue;
          http.push(answer.ms);
          sql.push(readMs);
          theirs.push(clickhouseAnswer.ms);
        }
        measured.push({
          type,
          http: spread(http),
          sql: spread(sql),
          clickhouse: spread(theirs),
          ratio: round2(middle(http) / middle(theirs)),
        });
      }
      const ratio = geometricMean(measured.map((each) => each.http.p50 / each.clickhouse.p50));
      const httpToSql = total(measured.map(({ http }) => http.p50)) / total(measured.map(({ sql }) => sql.p50));
      cells.push({
        size,
        days: range,
        ratio: round2(ratio),
        target: 1,
        met: ratio <= 1,
        httpToSql: round2(httpToSql),
        types: measured,
      });
    }
  const growth = Object.fromEntries(
    sizes.map(([size]) => {
      const ofTypes = types.map(([type]) => [type, growthByQuery.get(`${size} ${type}`) ?? Number.NaN] as const);
      const ratio = geometricMean(ofTypes.map(([, one]) => one));
      return [
        size,
        { ratio: round2(ratio), types: Object.fromEntries(ofTypes.map(([type, one]) => [type, round2(one)])) },
      ];
    }),
  );
  const all = cells.flatMap((cell) => cell.types);
  const httpToSql = total(all.map(({ http }) => http.p50)) / total(all.map(({ sql }) => sql.p50));
  console.log(
    JSON.stringify(
      {
        benchmark: "query",
        node: process.version,
        cores: cpus().length,
        load: loadavg().map(round2),
        events: Number(options.events),
        rounds,
        storedSessions,
        wrong,
        cells,
        httpToSql: { ratio: round2(httpToSql), target: 1.2, met: httpToSql <= 1.2 },
        growthOverTenTimesTheOthers: {
          ...growth,
          target: 1.3,
          met: Object.values(growth).every(({ ratio }) => ratio < 1.3),
        },
      },
      null,
      2,
    ),
  );
  await lookout.close();

  /** Computes the stored sessions of the loaded events, of all websites unless indexes are given. */
  async function storeSessions(
    one: Lookout,
    of?: readonly number[],
  ): Promise<{ websiteDays: number; seconds: number }> {
    say("making stored sessions");
    const started = performance.now();
    const websiteDays = await one.correct(firstMs + days * 86_400_000 - 3_600_000, of);
    return { websiteDays, seconds: Math.round((performance.now() - started) / 1_000) };
  }

  /**
   * Over the longest range through the API, by size and type, the median of a larger store over that of a smaller one. They are queried in
   * turn, so that a machine that is slow for some minutes affects both, and neither finds its rows in the processor's cache
   * from the query before.
   */
  async function timesOver(smaller: Lookout, larger: Lookout): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, { readonly smaller: number[]; readonly larger: number[] }>();
    for (let round = -warmUps; round < growthRounds; round += 1)
      for (const [size, place] of sizes)
        for (const [type] of types) {
          const target = targetOf(place, days);
          const ofSmaller = await smaller.ask(type, target);
          const ofLarger = await larger.ask(type, target);
          if (round < 0) continue;
          const key = `${size} ${type}`;
          const found = times.get(key) ?? { smaller: [], larger: [] };
          found.smaller.push(ofSmaller.ms);
          found.larger.push(ofLarger.ms);
          times.set(key, found);
        }
    return new Map([...times].map(([key, found]) => [key, middle(found.larger) / middle(found.smaller)]));
  }
} finally {
  clickhouse?.close();
  await smaller?.stop();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}

function dayOf(day: number): string {
  return new Date(firstMs + day * 86_400_000).toISOString().slice(0, 10);
}

function say(line: string): void {
  console.error(line);
}

function middle(values: readonly number[]): number {
  return quantile(values, 0.5);
}

function spread(values: readonly number[]): { p50: number; p95: number } {
  return { p50: round2(middle(values)), p95: round2(quantile(values, 0.95)) };
}

function quantile(values: readonly number[], share: number): number {
  return (
    [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
