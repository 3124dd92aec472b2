import { pick } from "../random/randomEvents.ts";
import { type DataRow, type DataTable, dataSet } from "./dataSet.ts";
import { type Facts, oracleAnswer } from "./oracleAnswer.ts";
import { OracleTables } from "./oracleTables.ts";
import { oracleTypes } from "./oracleTypes.ts";
import { makeRandomQuery, type RandomQuery } from "./randomQuery.ts";

/** A question and its answer as DuckDB counts it. */
export type AnsweredQuery = { readonly query: RandomQuery; readonly facts: readonly Facts[] };

/** Stores the rows of a website, and resolves when all of them, their sessions and their daily records can be read. */
export type StoreData = (data: Readonly<Record<DataTable, readonly DataRow[]>>) => Promise<void>;

/**
 * Stores forty days of a website, and has DuckDB answer random questions about them. The data is of March 2026, so the stack must keep
 * it (`keepAllData`).
 */
export async function storeOracleWebsite(
  store: StoreData,
  { seed, queries, random }: { readonly seed: number; readonly queries: number; readonly random: () => number },
): Promise<AnsweredQuery[]> {
  const data = dataSet(seed);
  const tables = await OracleTables.open(data);
  try {
    await store(data);
    const answered: AnsweredQuery[] = [];
    while (answered.length < queries) {
      const query = makeRandomQuery(pick(random, oracleTypes), random);
      answered.push({ query, facts: await oracleAnswer(query, tables) });
    }
    return answered;
  } finally {
    tables.close();
  }
}

const keptDays = "3650";

/** The settings with which a stack keeps the data. */
export const keepAllData = {
  RETENTION_RAW_EVENT_DAYS: keptDays,
  RETENTION_PERFORMANCE_DAYS: keptDays,
  RETENTION_CUSTOM_EVENT_DAYS: keptDays,
} as const;
