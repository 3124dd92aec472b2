import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type OwnQuestdb, startOwnQuestdb, whenAllApplied } from "../kit/pooledReaders/ownQuestdb.ts";
import { seededRandom } from "../kit/random/seededRandom.ts";

const conditionCount = Number(process.env["COMPILED_FILTERS"] ?? 250);

let directory: string;
let questdb: OwnQuestdb | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "lookout-compiled-"));
});
afterEach(async () => {
  await questdb?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** Of three values, of eleven, of four hundred and of one. */
const symbols = ["website_id", "country", "city", "device"] as const;

async function makeRows({ exec }: OwnQuestdb): Promise<void> {
  await exec(
    `CREATE TABLE rows (ts TIMESTAMP, event_key LONG, ${symbols.map((name) => `${name} SYMBOL`).join(", ")}, path VARCHAR, visitor_key LONG, ` +
      "page_count INT, rtt_ms FLOAT, value DOUBLE) TIMESTAMP(ts) PARTITION BY DAY WAL DEDUP UPSERT KEYS(ts, website_id, event_key)",
  );
  await exec(
    "INSERT INTO rows SELECT dateadd('s', (x * 60)::int, '2025-09-01T00:00:00Z'::timestamp), x, 'v' || (x % 3), " +
      "CASE WHEN x % 7 = 0 THEN null ELSE 'v' || (x % 11) END, CASE WHEN x % 5 = 0 THEN null ELSE 'v' || (x % 400) END, " +
      "CASE WHEN x % 2 = 0 THEN null ELSE 'v1' END, CASE WHEN x % 6 = 0 THEN null WHEN x % 6 = 1 THEN '' ELSE 'v' || (x % 9) END, " +
      "CASE WHEN x % 4 = 0 THEN null ELSE x % 50 END, CASE WHEN x % 9 = 0 THEN null ELSE (x % 20)::int END, " +
      "CASE WHEN x % 8 = 0 THEN null ELSE (x % 30)::float END, CASE WHEN x % 10 = 0 THEN null ELSE x / 7.0 END FROM long_sequence(10007)",
  );
  // A column added later has no file in the days before.
  await exec("ALTER TABLE rows ADD COLUMN browser SYMBOL");
  await exec(
    "INSERT INTO rows (ts, event_key, website_id, browser) SELECT dateadd('s', (x * 60)::int, '2025-09-08T00:00:30Z'::timestamp), 20000 + x, 'v1', " +
      "CASE WHEN x % 3 = 0 THEN null ELSE 'v' || (x % 4) END FROM long_sequence(3001)",
  );
}

type Condition = { readonly sql: string; readonly values: readonly unknown[] };

/** A condition as src/query writes them: values given by parameter or in the text, alternatives, nulls, negations. */
function randomCondition(random: () => number): Condition {
  const values: unknown[] = [];
  const pick = <T>(of: readonly [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0];
  const given = (value: string | number) => {
    if (random() < 0.4) return typeof value === "string" ? `'${value}'` : String(value);
    values.push(value);
    return `$${values.length}`;
  };
  /** Sometimes one that no row has. */
  const symbolValue = () => given(`v${Math.floor(random() * (random() < 0.2 ? 1000 : 12))}`);
  const atom = (): string => {
    const symbol = pick([...symbols, "browser"] as [string, ...string[]]);
    const list = () => Array.from({ length: 1 + Math.floor(random() * 4) }, symbolValue).join(", ");
    const number = pick(["visitor_key", "page_count"]);
    return pick<() => string>([
      () => `${symbol} = ${symbolValue()}`,
      () => `${symbol} != ${symbolValue()}`,
      () => `${symbol} <> ${symbolValue()}`,
      () => `${symbol} IN (${list()})`,
      () => `${symbol} NOT IN (${list()})`,
      () => `${symbol} IS ${pick(["", "NOT "])}null`,
      () => `${symbol} ${pick(["=", "!="])} null`,
      () => `path IS ${pick(["", "NOT "])}null`,
      () => `path = ${given("v3")}`,
      () => `${number} ${pick(["=", "!=", ">", "<=", "<", ">="])} ${Math.floor(random() * 30)}`,
      () => `${number} ${pick(["=", "!="])} null`,
      () => `${pick(["rtt_ms", "value"])} ${pick([">", "<", ">=", "<="])} ${Math.floor(random() * 40)}`,
      () => `${pick(["rtt_ms", "value"])} IS ${pick(["", "NOT "])}null`,
      () => `ts >= '2025-09-0${1 + Math.floor(random() * 8)}T05:00:00Z'`,
    ])();
  };
  const condition = (depth: number): string => {
    if (depth === 0 || random() < 0.2) return atom();
    const parts = Array.from({ length: 2 + Math.floor(random() * 2) }, () => condition(depth - 1));
    return `${random() < 0.2 ? "NOT " : ""}(${parts.join(random() < 0.5 ? " AND " : " OR ")})`;
  };
  const sql = condition(3);
  return { sql, values };
}

test("7: filters that QuestDB compiles find the rows that those it does not compile find", {
  timeout: 600_000,
}, async () => {
  const random = seededRandom(Number(process.env["COMPILED_FILTERS_SEED"] ?? 7550));
  const conditions = Array.from({ length: conditionCount }, () => randomCondition(random));
  const answers: Record<string, string[]> = {};
  const compiled: Record<string, number> = {};
  for (const mode of ["on", "off"]) {
    const own = await startOwnQuestdb(join(directory, "data"), { QDB_CAIRO_SQL_JIT_MODE: mode });
    questdb = own;
    if (mode === "on") await makeRows(own);
    await whenAllApplied(own);
    const client = new pg.Client({ connectionString: own.pg });
    await client.connect();
    const ask = async (text: string, values: readonly unknown[]) => {
      const query: pg.QueryConfig & { queryMode: "extended" } = { text, values: [...values], queryMode: "extended" };
      return JSON.stringify((await client.query(query)).rows);
    };
    const found: string[] = [];
    for (const { sql, values } of conditions) {
      found.push(
        await ask(`SELECT count() AS n, sum(event_key) AS keys FROM rows WHERE ${sql}`, values),
        await ask(`SELECT event_key FROM rows WHERE ${sql} LIMIT 50`, values),
      );
      const plan = await ask(`EXPLAIN SELECT event_key FROM rows WHERE ${sql}`, values);
      if (/Async JIT/.test(plan)) compiled[mode] = (compiled[mode] ?? 0) + 1;
    }
    answers[mode] = found;
    await client.end();
    await own.stop();
    questdb = undefined;
  }
  const differing = conditions.filter((_, index) =>
    [0, 1].some((each) => answers["on"]?.[2 * index + each] !== answers["off"]?.[2 * index + each]),
  );
  console.log("[compiled filters]", { conditions: conditionCount, compiled, differing: differing.length });
  expect(differing.slice(0, 3)).toEqual([]);
  expect(compiled["on"]).toBeGreaterThan(conditionCount / 4);
  expect(compiled["off"]).toBeUndefined();
});
