import type { JsonObject } from "@bufbuild/protobuf";
import type { OutputField } from "../../../src/query/catalogue/queryType.ts";
import { expectedValue, type Facts } from "./oracleAnswer.ts";
import { oracleMeasures } from "./oracleDefinitions.ts";
import type { RandomQuery } from "./randomQuery.ts";

/** What is wrong with the rows of an answer, with the whole of both; undefined if they are the expected ones. Without facts a row has nothing. */
export function differenceFromOracle(
  rows: readonly JsonObject[],
  facts: readonly (Facts | undefined)[],
  randomQuery: RandomQuery,
): string | undefined {
  const { type, ...parameters } = randomQuery;
  const problem = firstDifference(rows, facts, randomQuery);
  if (problem === undefined) return undefined;
  const shownFacts = facts.map((fact) => ({ ...fact, figures: Object.fromEntries(fact?.figures ?? []), totals: [] }));
  return `${type.name} ${JSON.stringify(parameters)}: ${problem}\nanswer: ${JSON.stringify(rows)}\nfacts: ${JSON.stringify(shownFacts)}`;
}

function firstDifference(
  rows: readonly JsonObject[],
  facts: readonly (Facts | undefined)[],
  randomQuery: RandomQuery,
): string | undefined {
  const { type } = randomQuery;
  if (rows.length !== facts.length) return `${rows.length} rows for ${facts.length}`;
  for (const [index, row] of rows.entries())
    for (const field of type.fields) {
      const fact = facts[index];
      const expected = fact === undefined ? null : expectedValue(field.from, fact, randomQuery);
      const shown = row[field.name];
      const isRight =
        typeof expected === "number" && typeof shown === "number"
          ? Math.abs(shown - expected) <= tolerance(field, expected, type.shape.kind === "series")
          : shown === expected;
      if (!isRight) return `row ${index}, ${field.name}: ${JSON.stringify(shown)} for ${JSON.stringify(expected)}`;
    }
  return undefined;
}

/**
 * Counts are exact and other figures rounded to two places. Percentiles are right to 0.1 %, but to 1 % in series, whose many histograms
 * would take longest.
 */
function tolerance({ from }: OutputField, expected: number, isSeries: boolean): number {
  if ("measure" in from && oracleMeasures[from.measure]?.isPercentile)
    return Math.abs(expected) * (isSeries ? 0.01 : 0.001) + 0.0051;
  return Number.isInteger(expected) ? 1e-9 : 0.0051;
}
