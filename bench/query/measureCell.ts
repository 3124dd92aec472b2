import { median, round } from "../../test/kit/load/figures.ts";
import { difference } from "./answers.ts";
import type { ClickHouse } from "./clickhouse.ts";
import { clickhouseQueries, type Target } from "./clickhouseSql.ts";
import { chosen, type FilteredQuery, filteredQueries } from "./filteredSql.ts";
import type { Filter, Lookout } from "./lookout.ts";

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

/** Each filtered question, through the API and to ClickHouse. Medians in ms. */
export async function measureFilteredCell(lookout: Lookout, clickhouse: ClickHouse, target: Target, rounds: number) {
  const questions = [];
  const wrong: string[] = [];
  for (const name of Object.keys(filteredQueries) as FilteredQuery[]) {
    const times: { http: number[]; clickhouse: number[] } = { http: [], clickhouse: [] };
    for (let index = -2; index < rounds; index += 1) {
      const answer = await filteredAsk[name](lookout, target);
      const theirs = await clickhouse.query(filteredQueries[name](target));
      if (index === -2) {
        const found = difference(
          name === "goal by source" ? name : (name.split(" ")[0] ?? ""),
          answer.rows,
          theirs.rows,
        );
        if (found !== undefined) wrong.push(`${name}: ${found}`);
      }
      if (index < 0 && rounds > 0) continue;
      times.http.push(answer.ms);
      times.clickhouse.push(theirs.ms);
    }
    questions.push({
      name,
      httpMs: round(median(times.http), 2),
      clickhouseMs: round(median(times.clickhouse), 2),
    });
  }
  const toClickHouse = geometricMean(questions.map(({ httpMs, clickhouseMs }) => httpMs / clickhouseMs));
  return { toClickHouse, questions, wrong };
}

const ofCampaign: readonly Filter[] = [{ field: "utm_source", op: "eq", value: chosen.source }];
const ofPage: readonly Filter[] = [{ field: "path", op: "eq", value: chosen.path }];

type Ask = (lookout: Lookout, target: Target) => ReturnType<Lookout["ask"]>;

const filteredAsk: Readonly<Record<FilteredQuery, Ask>> = {
  "summary_metrics of a campaign": (lookout, target) => lookout.ask("summary_metrics", target, ofCampaign),
  "top_pages of a campaign": (lookout, target) => lookout.ask("top_pages", target, ofCampaign),
  "countries of a campaign": (lookout, target) => lookout.ask("countries", target, ofCampaign),
  "summary_metrics of a page": (lookout, target) => lookout.ask("summary_metrics", target, ofPage),
  "goal by source": (lookout, target) => lookout.askGoal(chosen.event, target),
};

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}
