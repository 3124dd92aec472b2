import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { correctDay } from "../../../src/aggregation/correctTouchedDays.ts";
import type { Config } from "../../../src/config.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { dayMs, utcDayOf } from "../../../src/time/utcDay.ts";
import { pick } from "../random/randomEvents.ts";
import { countRows } from "../stores/sampleRows.ts";
import { dataRange, dataSet, dataTables } from "./dataSet.ts";
import { insertData } from "./insertData.ts";
import { type Facts, oracleAnswer } from "./oracleAnswer.ts";
import { OracleTables } from "./oracleTables.ts";
import { oracleTypes } from "./oracleTypes.ts";
import { makeRandomQuery, type RandomQuery } from "./randomQuery.ts";

/** A question and its answer as DuckDB counts it. */
export type AnsweredQuery = { readonly query: RandomQuery; readonly facts: readonly Facts[] };

/**
 * Stores forty days of a website with their sessions and daily records, and has DuckDB answer random questions about them. The data is of
 * March 2026, so the stack must keep it (RETENTION_*). Resolves when all of it can be read.
 */
export async function storeOracleWebsite(
  { questdb }: Pick<Config, "questdb">,
  websiteId: string,
  { seed, queries, random }: { readonly seed: number; readonly queries: number; readonly random: () => number },
): Promise<AnsweredQuery[]> {
  const data = dataSet(seed);
  const reader = new QuestdbReader(questdb);
  const rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
  const tables = await OracleTables.open(data);
  try {
    for (const table of dataTables) {
      await insertData(reader, table, data[table], websiteId);
      while ((await countRows(reader, table, websiteId)) < data[table].length) await pause(200);
    }
    for (let day = -1; day <= dataRange.days; day += 1) {
      const date = utcDayOf(dataRange.fromMs + day * dayMs);
      await correctDay({ questdb: reader, rows }, websiteId, date, new AbortController().signal);
    }
    const answered: AnsweredQuery[] = [];
    while (answered.length < queries) {
      const query = makeRandomQuery(pick(random, oracleTypes), random);
      answered.push({ query, facts: await oracleAnswer(query, tables) });
    }
    return answered;
  } finally {
    tables.close();
    await rows.close();
    await reader.close();
  }
}
