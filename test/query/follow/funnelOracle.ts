import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { SampleEvent } from "../../kit/random/randomEvents.ts";

/** A sample event with the properties of a custom event. */
export type FunnelEvent = SampleEvent & { properties: string | null };

/** A step as DuckDB's SQL says it. */
export type OracleStep = string;

export type OracleFunnel = {
  steps: readonly OracleStep[];
  windowMs: number;
  startMs: number;
  endMs: number;
  /** What an event must match that selects its visit. */
  filter: string;
};

export type OracleStepCount = { visitors: number; median: number | null };

/**
 * Funnels and goals as DuckDB counts them: every attempt of every visitor is listed and the best one chosen afterwards, whereas the
 * service reads events once.
 */
export class FunnelOracle {
  readonly #instance: DuckDBInstance;

  private constructor(instance: DuckDBInstance) {
    this.#instance = instance;
  }

  static async of(events: readonly FunnelEvent[]): Promise<FunnelOracle> {
    const folder = await mkdtemp(join(tmpdir(), "lookout-oracle-"));
    const instance = await DuckDBInstance.create(":memory:");
    const file = join(folder, "events.ndjson");
    await writeFile(file, events.map((event, key) => JSON.stringify({ ...event, key })).join("\n"));
    const connection = await instance.connect();
    await connection.run(`CREATE TABLE events AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {
      key: 'BIGINT', tsMs: 'BIGINT', event_type: 'VARCHAR', name: 'VARCHAR', visitor_key: 'BIGINT', session_key: 'BIGINT', path: 'VARCHAR',
      country: 'VARCHAR', properties: 'VARCHAR' })`);
    await connection.run(visitsSql);
    await rm(folder, { recursive: true });
    return new FunnelOracle(instance);
  }

  close(): void {
    this.#instance.closeSync();
  }

  /** Visitors and median seconds of each step, by the country of the first step; without a country, of all. */
  async funnel(funnel: OracleFunnel): Promise<Map<string | undefined, OracleStepCount[]>> {
    const rows = await this.rows(funnelSql(funnel));
    const groups = new Map<string | undefined, typeof rows>([[undefined, rows]]);
    for (const [country, group] of Map.groupBy(rows, (row) => String(row["value"]))) groups.set(country, group);
    return new Map(
      [...groups].map(([country, group]) => [
        country,
        funnel.steps.map((_, index) => {
          const reached = group.filter((row) => Number(row["level"]) > index);
          const waits = reached
            .map((row) => Number(row[`t${index}`]) - Number(row[`t${index - 1}`]))
            .sort((a, b) => a - b);
          const middle = index === 0 ? undefined : waits[Math.ceil(waits.length / 2) - 1];
          return {
            visitors: reached.length,
            median: middle === undefined ? null : Math.round(middle / 10) / 100,
          };
        }),
      ]),
    );
  }

  /** The statement for the visitors of visits that began in the range, how many of them reached a goal and how often, for each value of `key`. */
  goals(goal: OracleStep, { startMs, endMs }: Pick<OracleFunnel, "startMs" | "endMs">, key: string): string {
    return (
      `SELECT ${key === "" ? "" : `${key}, `}count(DISTINCT visitor)::INT AS visitors, ` +
      `(count(DISTINCT visitor) FILTER (${goal}))::INT AS converted, (count(*) FILTER (${goal}))::INT AS completions ` +
      `FROM (SELECT * EXCLUDE country, visit_country AS country FROM visited UNION ALL BY NAME ` +
      `SELECT *, NULL AS visitor, tsMs AS began FROM events WHERE session_key IS NULL) ` +
      `WHERE began >= ${startMs} AND began < ${endMs}${key === "" ? "" : " GROUP BY 1"}`
    );
  }

  async rows(sql: string): Promise<Record<string, unknown>[]> {
    const connection = await this.#instance.connect();
    const result = await connection.runAndReadAll(sql);
    return result.getRowObjectsJson();
  }
}

/**
 * The events of each visit with its number `visit`, its begin, visitor and country. Less than 30 minutes lie between the events of a visit, and
 * not all of them are page exits.
 */
const visitsSql = `CREATE TABLE visited AS
  WITH fresh AS (SELECT *, coalesce(tsMs - lag(tsMs) OVER (PARTITION BY session_key ORDER BY tsMs) >= 1800000, true) AS isFresh
      FROM events WHERE session_key IS NOT NULL),
    pieces AS (SELECT * EXCLUDE isFresh, count(*) FILTER (isFresh) OVER (PARTITION BY session_key ORDER BY tsMs) AS piece FROM fresh),
    visits AS (SELECT session_key, piece, row_number() OVER () AS visit, min(tsMs) AS began, max(visitor_key) AS visitor,
      arg_min(country, tsMs) FILTER (country IS NOT NULL) AS visit_country
      FROM pieces GROUP BY session_key, piece HAVING count(*) FILTER (event_type != 'page_exit') > 0)
  SELECT * FROM pieces JOIN visits USING (session_key, piece)`;

/** One row for each visitor: how many steps, when each, and the country of the first. */
function funnelSql({ steps, windowMs, startMs, endMs, filter }: OracleFunnel): string {
  const last = steps.length - 1;
  const mask = steps.map((step, index) => `(CASE WHEN ${step} THEN ${2 ** index} ELSE 0 END)`).join(" + ");
  const attempts = steps.slice(1).map(
    (_, before) => `a${before + 1} AS (SELECT a.*, n.t AS t${before + 1}, n.o AS o${before + 1} FROM a${before} a
        LEFT JOIN LATERAL (SELECT t, o FROM e WHERE e.visitor_key = a.visitor_key AND e.o > a.o${before}
          AND e.t - a.t0 <= ${windowMs} AND e.mask & ${2 ** (before + 1)} != 0 ORDER BY o LIMIT 1) n ON true)`,
  );
  const level = steps.map((_, index) => `CASE WHEN o${index} IS NULL THEN 0 ELSE 1 END`).join(" + ");
  const lastOrder = `coalesce(${steps.map((_, index) => `o${last - index}`).join(", ")})`;
  return `WITH marked AS (
      SELECT visitor AS visitor_key, tsMs AS t, key, coalesce(visit_country, 'Unknown') AS value, ${mask} AS mask FROM visited
      WHERE visitor IS NOT NULL AND began >= ${startMs} AND began < ${endMs}
        AND visit IN (SELECT visit FROM visited WHERE event_type != 'page_exit' AND ${filter})),
    e AS (SELECT *, row_number() OVER (PARTITION BY visitor_key ORDER BY t, mask & -mask, mask, key) AS o FROM marked WHERE mask > 0),
    a0 AS (SELECT visitor_key, value, t AS t0, o AS o0 FROM e WHERE mask & 1 != 0),
    ${attempts.join(",\n")}
    SELECT * FROM (SELECT *, ${level} AS level FROM a${last})
    QUALIFY row_number() OVER (PARTITION BY visitor_key ORDER BY level DESC, ${lastOrder}, o0 DESC) = 1`;
}
