import { bestAttempts, maskOf, type StepCount, stepCounts } from "./bestAttempts.ts";
import { oracleRange } from "./oracleRanges.ts";
import { chosenVisits, splitValue, stepCondition } from "./oracleSteps.ts";
import type { OracleTables } from "./oracleTables.ts";
import type { RandomSteps } from "./randomSteps.ts";

/** Visitors and median seconds of each step of a funnel as DuckDB counts them, by the split's value; without a value, of all. */
export async function oracleFunnel(
  question: RandomSteps,
  windowMs: number,
  tables: OracleTables,
): Promise<Map<string | undefined, StepCount[]>> {
  const chosen = chosenVisits(question, await oracleRange(question, tables));
  const marked = `
    SELECT visitor AS visitor_key, ts AS t, event_key AS key, ${splitValue(question.splitBy)} AS value, ${maskOf(question.steps.map(stepCondition))} AS mask
    FROM (SELECT placed_events.*, chosen.visitor_key AS visitor FROM placed_events JOIN (${chosen}) chosen ON placed_events.visit = chosen.visit)
    WHERE visitor IS NOT NULL`;
  return stepCounts(await tables.rows(bestAttempts(marked, question.steps.length, windowMs)), question.steps.length);
}
