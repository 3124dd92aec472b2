import { median, round } from "../../test/kit/load/figures.ts";
import { difference } from "./answers.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { clickhouseQueries, type Target } from "./clickhouseSql.ts";
import type { Lookout } from "./lookout.ts";

/** Each type of query of a website and days: through the API, its statements to QuestDB alone, and to ClickHouse. Medians in ms. */
export async function measureCell(lookout: Lookout, clickhouse: ClickHouse, target: Target, rounds: number) {
  const types = [];
  const wrong: string[] = [];
  for (const [type, sqlOf] of Object.entries(clickhouseQueries)) {
    const times: { http: number[]; sql: number[]; clickhouse: number[] } = { http: [], sql: [], clickhouse: [] };
    // The first two rounds warm up, and are all of a smoke run.
    for (let index = -2; index < rounds; index += 1) {
      const answer = await lookout.ask(type, target);
      const sqlMs = await lookout.read(type, target);
      const theirs = await clickhouse.query(sqlOf(target));
      if (index === -2) {
        const found = difference(type, answer.rows, theirs.rows);
        if (found !== undefined) wrong.push(`${type}: ${found}`);
      }
      if (index < 0 && rounds > 0) continue;
      times.http.push(answer.ms);
      times.sql.push(sqlMs);
      times.clickhouse.push(theirs.ms);
    }
    types.push({
      type,
      httpMs: round(median(times.http), 2),
      sqlMs: round(median(times.sql), 2),
      clickhouseMs: round(median(times.clickhouse), 2),
    });
  }
  const toClickHouse = geometricMean(types.map(({ httpMs, clickhouseMs }) => httpMs / clickhouseMs));
  return { toClickHouse, types, wrong };
}

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
