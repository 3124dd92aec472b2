import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { bestAttempts, maskOf, type StepCount, stepCounts } from "../../kit/oracle/bestAttempts.ts";
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
  async funnel(funnel: OracleFunnel): Promise<Map<string | undefined, StepCount[]>> {
    return stepCounts(await this.rows(funnelSql(funnel)), funnel.steps.length);
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
  const marked = `SELECT visitor AS visitor_key, tsMs AS t, key, coalesce(visit_country, 'Unknown') AS value, ${maskOf(steps)} AS mask FROM visited
      WHERE visitor IS NOT NULL AND began >= ${startMs} AND began < ${endMs}
        AND visit IN (SELECT visit FROM visited WHERE event_type != 'page_exit' AND ${filter})`;
  return bestAttempts(marked, steps.length, windowMs);
}
