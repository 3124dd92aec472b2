import { type Compared, comparedRange, isOfDays, oracleRange, type TimeRange } from "../../kit/oracle/oracleRanges.ts";
import { oracleTypes } from "../../kit/oracle/oracleTypes.ts";
import { makeRandomQuery, type RandomQuery } from "../../kit/oracle/randomQuery.ts";
import { makeRandomSteps } from "../../kit/oracle/randomSteps.ts";
import { pick } from "../../kit/random/randomEvents.ts";
import { type AskedSite, funnelDifference, goalsDifference, queryDifference } from "./askedSite.ts";

/** A question that can be asked, and compared with the oracle: resolves to what differs. */
export type RandomAsk = {
  readonly text: string;
  readonly asked: Pick<RandomQuery, "type" | "start" | "end" | "zone" | "filters">;
  /** All ranges that it is about. */
  readonly ranges: readonly TimeRange[];
  readonly difference: () => Promise<string | undefined>;
};

/** A query of a type, goals or a funnel; some of the first two with another period. */
export async function makeRandomAsk(site: AskedSite, random: () => number): Promise<RandomAsk> {
  const kind = random();
  if (kind < 0.76) {
    const query = makeRandomQuery(pick(random, oracleTypes), random);
    const compared = randomCompared(query, random);
    return shaped(query.type.name, query, compared, site, () => queryDifference(query, site, compared));
  }
  if (kind < 0.9) {
    const goals = makeRandomSteps(1, random);
    const compared = randomCompared(goals, random);
    return shaped("goals", goals, compared, site, () => goalsDifference(goals, site, compared));
  }
  const funnel = makeRandomSteps(2, random);
  const [window, windowMs] = pick(random, windows);
  return shaped(`funnel ${window}`, funnel, undefined, site, () =>
    funnelDifference(funnel, { window, windowMs }, site),
  );
}

async function shaped(
  what: string,
  asked: RandomAsk["asked"],
  compared: Compared | undefined,
  site: AskedSite,
  difference: RandomAsk["difference"],
): Promise<RandomAsk> {
  const own = await oracleRange(asked, site.tables);
  const ranges = compared === undefined ? [own] : [own, await comparedRange(asked, compared, site.tables)];
  return { text: `${what} ${JSON.stringify({ ...asked, type: what, compared })}`, asked, ranges, difference };
}

function randomCompared(asked: Pick<RandomQuery, "start" | "end">, random: () => number): Compared | undefined {
  if (random() < 0.65) return undefined;
  const first = Math.floor(random() * 35) - 2;
  const day = (at: number) => new Date(Date.UTC(2026, 2, 1 + at)).toISOString().slice(0, 10);
  const dates = { startDate: day(first), endDate: day(first + Math.floor(random() * 9)) };
  return pick(random, isOfDays(asked) ? ["previous", "previous", "weekdays", "year", dates] : ["previous", dates]);
}

const windows = [
  ["PT1M", 60_000],
  ["PT30M", 1_800_000],
  ["P1DT2H", 93_600_000],
  ["P7D", 604_800_000],
] as const;
