import { bucketsOf } from "./oracleAnswer.ts";
import { oracleRange, type TimeRange, without } from "./oracleRanges.ts";
import { bucketSql } from "./oracleSql.ts";
import { chosenLoneEvents, chosenVisits, splitValue, stepCondition } from "./oracleSteps.ts";
import type { OracleTables } from "./oracleTables.ts";
import type { RandomStep, RandomSteps } from "./randomSteps.ts";

/** Figures of a goal as answers have them. Revenue is of `price` in the currency `plan`. */
type Figures = {
  readonly visitors: number;
  readonly converted: number;
  readonly conversionRate: number | null;
  readonly completions: number;
  readonly revenue: readonly { readonly currency: string; readonly amount: number; readonly completions: number }[];
};

export type GoalFacts = {
  /** Null if all of the range is unknown. */
  readonly total: Figures | null;
  readonly splits: readonly { readonly value: string; readonly figures: Figures | null }[];
  readonly series: readonly { readonly date: string; readonly figures: Figures | null }[];
};

const none: Figures = { visitors: 0, converted: 0, conversionRate: null, completions: 0, revenue: [] };

/** The answer to goals as DuckDB counts it. `values` are those of the split, for each goal, in a range that is compared. */
export async function oracleGoalAnswer(
  question: RandomSteps,
  unknown: readonly TimeRange[],
  tables: OracleTables,
  range?: TimeRange,
  values?: readonly (readonly string[])[],
): Promise<GoalFacts[]> {
  const asked = range ?? (await oracleRange(question, tables));
  const dates = await bucketsOf([asked], question, tables);
  const known = without(asked, unknown);
  const knownDates = new Set(await bucketsOf(known, question, tables));
  const facts: GoalFacts[] = [];
  for (const [index, goal] of question.steps.entries()) {
    const of = (key: string) => figuresBy(key, goal, question, asked, tables);
    const bySplit = await of(splitValue(question.splitBy));
    const byBucket = await of(bucketSql("started", question));
    facts.push({
      total: (await of("''")).get("") ?? (known.length === 0 ? null : none),
      splits: (values?.[index] ?? mostConverted(bySplit)).map((value) => ({
        value,
        figures: bySplit.get(value) ?? (known.length === 0 ? null : none),
      })),
      series: dates.map((date) => ({ date, figures: byBucket.get(date) ?? (knownDates.has(date) ? none : null) })),
    });
  }
  return facts;
}

function mostConverted(bySplit: ReadonlyMap<string, Figures>): string[] {
  const counts = ({ converted, completions, visitors }: Figures) => [converted, completions, visitors];
  const sorted = [...bySplit].sort(([valueA, a], [valueB, b]) => {
    const [left, right] = [counts(a), counts(b)];
    const at = left.findIndex((count, index) => count !== right[index]);
    return at < 0 ? (valueA < valueB ? -1 : 1) : (right[at] ?? 0) - (left[at] ?? 0);
  });
  return sorted.map(([value]) => value);
}

async function figuresBy(
  key: string,
  goal: RandomStep,
  question: RandomSteps,
  range: TimeRange,
  tables: OracleTables,
): Promise<Map<string, Figures>> {
  const condition = stepCondition(goal);
  const reached = `
    SELECT * FROM (SELECT placed_events.*, chosen.visitor_key AS visitor FROM placed_events
      JOIN (${chosenVisits(question, range)}) chosen ON placed_events.visit = chosen.visit) WHERE ${condition}
    UNION ALL BY NAME SELECT *, NULL AS visitor FROM (${chosenLoneEvents(question, range)}) WHERE ${condition}`;
  const rows = await tables.rows(`
    SELECT ${key} AS key, count(DISTINCT visitor_key)::INT AS visitors, 0 AS converted, 0 AS completions
      FROM (${chosenVisits(question, range)}) GROUP BY 1
    UNION ALL SELECT ${key} AS key, 0, count(DISTINCT visitor)::INT, count(*)::INT FROM (${reached}) GROUP BY 1`);
  const amount = `try_cast(json_extract_string(properties, '$."price"') AS DOUBLE)`;
  const worth = await tables.rows(`
    SELECT ${key} AS key, upper(coalesce(json_extract_string(properties, '$."plan"'), '')) AS currency, sum(${amount}) AS amount,
      count(*)::INT AS completions FROM (${reached}) WHERE ${amount} IS NOT NULL GROUP BY 1, 2 ORDER BY amount DESC, currency`);
  const found = new Map<string, Figures>();
  for (const row of rows) {
    const before = found.get(String(row["key"])) ?? none;
    const sum = (name: "visitors" | "converted" | "completions") => before[name] + Number(row[name]);
    found.set(String(row["key"]), {
      ...before,
      visitors: sum("visitors"),
      converted: sum("converted"),
      completions: sum("completions"),
    });
  }
  return new Map(
    [...found].map(([value, figures]) => [
      value,
      {
        ...figures,
        conversionRate: percent(figures.converted, figures.visitors),
        revenue: worth
          .filter((row) => String(row["key"]) === value)
          .map(({ currency, amount: sum, completions }) => ({
            currency: String(currency),
            amount: Number(sum),
            completions: Number(completions),
          })),
      },
    ]),
  );
}

export function percent(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((10_000 * part) / whole) / 100;
}
