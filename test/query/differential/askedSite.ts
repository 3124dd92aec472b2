import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "@bufbuild/protobuf";
import { send } from "../../kit/calls/request.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import { differenceFromOracle } from "../../kit/oracle/differenceFromOracle.ts";
import { oracleAnswer } from "../../kit/oracle/oracleAnswer.ts";
import {
  completenessOf,
  oracleComparison,
  type UnknownTimes,
  unknownOf,
  unknownWithin,
} from "../../kit/oracle/oracleComparison.ts";
import { oracleFunnel } from "../../kit/oracle/oracleFunnel.ts";
import { oracleGoalAnswer, percent } from "../../kit/oracle/oracleGoalAnswer.ts";
import { type Compared, comparedRange, oracleRange, type TimeRange } from "../../kit/oracle/oracleRanges.ts";
import type { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { type RandomQuery, sentFilter } from "../../kit/oracle/randomQuery.ts";
import { type RandomSteps, sentStep } from "../../kit/oracle/randomSteps.ts";

/** A website that is asked over HTTP, and its rows in DuckDB. */
export type AskedSite = {
  readonly website: Pick<TestWebsite, "websiteId" | "apiKey">;
  readonly tables: OracleTables;
  /** Times of which nothing is known. */
  readonly unknown: UnknownTimes;
  readonly baseUrl?: string;
};

async function post(site: AskedSite, path: string, zone: string, body: object): Promise<JsonObject> {
  const { websiteId, apiKey } = site.website;
  const address = `/v1/query${path}?website_id=${websiteId}&timezone=${encodeURIComponent(zone)}`;
  const { baseUrl } = site;
  const answer = await send("POST", address, { body, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as JsonObject;
}

type AnsweredQuery = {
  readonly data: readonly [
    { readonly data: JsonObject[]; readonly error: string | null; readonly comparison?: AnsweredComparison },
  ];
  readonly meta: { readonly unknown: readonly JsonObject[] };
};

type AnsweredComparison = JsonObject & { readonly data: JsonObject[] };

/** What differs in the answer to a query; undefined if nothing does. */
export async function queryDifference(
  query: RandomQuery,
  site: AskedSite,
  compared?: Compared,
): Promise<string | undefined> {
  const { type, start, end, zone, unit, filters, limit, page } = query;
  const body = {
    parameters: [type.name],
    ...{ startDate: start, endDate: end, granularity: unit, filters: filters.map(sentFilter), limit, page },
    ...(compared === undefined ? {} : { compare: compared }),
  };
  const { tables, unknown } = site;
  const range = await oracleRange(query, tables);
  const unknownOfRange = unknownWithin(range, unknownOf(type, unknown));
  const facts = await oracleAnswer(query, tables, { range, unknown: unknownOfRange });
  const answer = (await post(site, "", zone, body)) as unknown as AnsweredQuery;
  const [{ data, error, comparison }] = answer.data;
  if (error !== null) return error;
  const ofRows = differenceFromOracle(data, facts, query);
  if (ofRows !== undefined) return ofRows;
  const named = shownTimes(unknownOfRange);
  if (!isDeepStrictEqual(answer.meta.unknown, named)) return differ("meta.unknown", answer.meta.unknown, named);
  if (compared === undefined) return comparison === undefined ? undefined : "has a comparison";
  const wanted = await oracleComparison(query, facts, compared, unknown, tables);
  const { data: rows = [], ...frame } = comparison ?? {};
  const wantedFrame = frameOf(wanted.range, wanted);
  if (!isDeepStrictEqual(frame, wantedFrame)) return differ("comparison", frame, wantedFrame);
  return differenceFromOracle(rows, wanted.facts, query);
}

function frameOf(range: TimeRange, { isComplete, unknown }: ReturnType<typeof completenessOf>) {
  const { startMs, endMs } = range;
  return {
    from: new Date(startMs).toISOString(),
    until: new Date(endMs).toISOString(),
    complete: isComplete,
    unknown: shownTimes(unknown),
  };
}

function shownTimes(times: UnknownTimes) {
  return times.map(({ startMs, endMs, reason }) => ({
    from: new Date(startMs).toISOString(),
    until: new Date(endMs).toISOString(),
    reason,
  }));
}

function differ(what: string, shown: unknown, wanted: unknown): string {
  return `${what}: ${JSON.stringify(shown)} for ${JSON.stringify(wanted)}`;
}

/** What differs in the answer about goals. They are worth their `price` in the currency `plan`. */
export async function goalsDifference(
  question: RandomSteps,
  site: AskedSite,
  compared?: Compared,
): Promise<string | undefined> {
  const { start, end, zone, unit, filters, steps, splitBy } = question;
  const body = {
    ...{ goals: steps.map(sentStep), splitBy, splitLimit: 100, granularity: unit, startDate: start, endDate: end },
    filters: filters.map(sentFilter),
    value: { property: "price", currencyProperty: "plan" },
    ...(compared === undefined ? {} : { compare: compared }),
  };
  const { tables } = site;
  const unknown = unknownOf({ table: "events" }, site.unknown);
  const wanted = await oracleGoalAnswer(question, unknown, tables);
  const { goals, comparison } = await post(site, "/goals", zone, body);
  const shown = withoutNames(goals);
  if (!isDeepStrictEqual(shown, wanted)) return differ("goals", shown, wanted);
  if (compared === undefined) return undefined;
  const [own, range] = [await oracleRange(question, tables), await comparedRange(question, compared, tables)];
  const values = wanted.map(({ splits }) => splits.map(({ value }) => value));
  const other = await oracleGoalAnswer(question, unknown, tables, range, values);
  const { goals: comparedGoals = [], ...frame } = comparison as JsonObject;
  const wantedFrame = frameOf(range, completenessOf(own, range, unknown));
  if (!isDeepStrictEqual(frame, wantedFrame)) return differ("comparison", frame, wantedFrame);
  const shownOther = withoutNames(comparedGoals);
  return isDeepStrictEqual(shownOther, other) ? undefined : differ("compared goals", shownOther, other);
}

/** How long a funnel may take, as a request has it and in ms. */
export type FunnelWindow = { readonly window: string; readonly windowMs: number };

/** What differs in the answer about a funnel. */
export async function funnelDifference(
  question: RandomSteps,
  { window, windowMs }: FunnelWindow,
  site: AskedSite,
): Promise<string | undefined> {
  const { start, end, zone, filters, steps, splitBy } = question;
  const body = {
    ...{ steps: steps.map(sentStep), window, splitBy, splitLimit: 100, startDate: start, endDate: end },
    filters: filters.map(sentFilter),
  };
  const wanted = await oracleFunnel(question, windowMs, site.tables);
  const answer = (await post(site, "/funnel", zone, body)) as unknown as AnsweredSteps & {
    splits: (AnsweredSteps & { value: string })[];
  };
  const shown = new Map([
    [undefined, answer.steps.map(countsOf)] as const,
    ...answer.splits.map((split) => [split.value, split.steps.map(countsOf)] as const),
  ]);
  const counts = new Map(
    [...wanted].map(
      ([value, all]) =>
        [
          value,
          all.map(({ visitors, median }) => ({ visitors, median, rate: percent(visitors, all[0]?.visitors ?? 0) })),
        ] as const,
    ),
  );
  return isDeepStrictEqual(shown, counts) ? undefined : differ("funnel", [...shown], [...counts]);
}

type AnsweredSteps = { steps: { visitors: number; medianSeconds: number | null; conversionRate: number | null }[] };

function countsOf({ visitors, medianSeconds, conversionRate }: AnsweredSteps["steps"][number]) {
  return { visitors, median: medianSeconds, rate: conversionRate };
}

function withoutNames(goals: unknown): unknown {
  return (goals as JsonObject[]).map(({ name: _, ...figures }) => figures);
}
