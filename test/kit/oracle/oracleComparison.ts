import { expectedValue, type Facts, oracleAnswer } from "./oracleAnswer.ts";
import { type Compared, comparedRange, oracleRange, type TimeRange, without } from "./oracleRanges.ts";
import type { OracleTables } from "./oracleTables.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** Times whose events are unknown, each with its reason, by reason and start; of some tables only, if it has `tables`. */
export type UnknownTimes = readonly (TimeRange & {
  readonly reason: "not_started" | "erased";
  readonly tables?: readonly string[];
})[];

/** What is unknown of the rows that a type counts. Outgoing links go with events. */
export function unknownOf({ table }: Pick<RandomQuery["type"], "table">, all: UnknownTimes): UnknownTimes {
  const counted = table === "outgoing_links" ? "events" : table;
  return all.filter(({ tables }) => tables === undefined || tables.includes(counted));
}

/** What an answer is expected to say about the other period. */
export type ExpectedComparison = {
  readonly range: TimeRange;
  readonly facts: readonly (Facts | undefined)[];
  readonly isComplete: boolean;
  readonly unknown: UnknownTimes;
};

/**
 * The rows of the other period for the rows `facts` of an answer: for a table those of the same values, else those of the same place;
 * undefined where it has no such bucket.
 */
export async function oracleComparison(
  query: RandomQuery,
  facts: readonly Facts[],
  compared: Compared,
  allUnknown: UnknownTimes,
  tables: OracleTables,
): Promise<ExpectedComparison> {
  const [own, range] = [await oracleRange(query, tables), await comparedRange(query, compared, tables)];
  const completeness = completenessOf(own, range, unknownOf(query.type, allUnknown));
  const { unknown } = completeness;
  const isTable = query.type.shape.kind === "table";
  const asked = isTable ? { ...query, limit: 10_000, page: 1 } : query;
  const found = await oracleAnswer(asked, tables, { range, unknown });
  const byValues = new Map(found.map((row) => [valuesOf(query, row), row]));
  const nothing = {
    bucket: "",
    figures: new Map(),
    totals: new Map(),
    isUnknown: without(range, unknown).length === 0,
  };
  return {
    range,
    ...completeness,
    facts: facts.map((row, index) =>
      isTable ? (byValues.get(valuesOf(query, row)) ?? { ...nothing, groups: row.groups }) : found[index],
    ),
  };
}

/** What is unknown of the other period, and whether so little of both ranges is that they may be compared. */
export function completenessOf(own: TimeRange, other: TimeRange, all: UnknownTimes) {
  const unknown = unknownWithin(other, all);
  return { unknown, isComplete: isMostlyKnown(own, unknownWithin(own, all)) && isMostlyKnown(other, unknown) };
}

/** What is unknown of a range; what another reason says first is left out. */
export function unknownWithin(range: TimeRange, all: UnknownTimes): UnknownTimes {
  const found: UnknownTimes[number][] = [];
  for (const { reason, startMs, endMs } of all) {
    const part = { startMs: Math.max(startMs, range.startMs), endMs: Math.min(endMs, range.endMs) };
    if (part.startMs < part.endMs) found.push(...without(part, found).map((left) => ({ ...left, reason })));
  }
  return joined(found);
}

/** Times of one reason that touch are one. */
function joined(times: UnknownTimes[number][]): UnknownTimes {
  const all: UnknownTimes[number][] = [];
  for (const reason of ["not_started", "erased"] as const)
    for (const time of times.filter((one) => one.reason === reason).sort((a, b) => a.startMs - b.startMs)) {
      const last = all.at(-1);
      if (last?.reason === reason && last.endMs === time.startMs) all.splice(-1, 1, { ...last, endMs: time.endMs });
      else all.push(time);
    }
  return all;
}

/** Whether less than 1 % of a range is unknown. */
function isMostlyKnown({ startMs, endMs }: TimeRange, unknown: readonly TimeRange[]): boolean {
  const lostMs = unknown.reduce((sum, time) => sum + time.endMs - time.startMs, 0);
  return lostMs < (endMs - startMs) / 100;
}

/** What a row of a table is about. */
function valuesOf(query: RandomQuery, facts: Facts): string {
  const keys = query.type.fields.filter(({ from }) => "dimension" in from || "dimensions" in from);
  return JSON.stringify(keys.map(({ from }) => expectedValue(from, facts, query)));
}
