import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { correctDay } from "../../../src/aggregation/correctTouchedDays.ts";
import type { Config } from "../../../src/config.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { RowWriter } from "../../../src/store/write/rowWriter.ts";
import { dayMs, utcDayOf } from "../../../src/time/utcDay.ts";
import { countRows } from "../stores/sampleRows.ts";
import { dataRange, dataTables } from "./dataSet.ts";
import { insertData } from "./insertData.ts";
import type { StoreData } from "./oracleWebsite.ts";

/** Puts the rows straight into the one QuestDB of a stack, and computes their sessions and daily records. */
export function storeInQuestdb({ questdb }: Pick<Config, "questdb">, websiteId: string): StoreData {
  return async (data) => {
    const reader = new QuestdbReader(questdb);
    const rows = new RowWriter(questdb, createMetrics(), pino({ level: "silent" }));
    try {
      for (const table of dataTables) {
        await insertData(reader, table, data[table], websiteId);
        while ((await countRows(reader, table, websiteId)) < data[table].length) await pause(200);
      }
      for (let day = -1; day <= dataRange.days; day += 1) {
        const date = utcDayOf(dataRange.fromMs + day * dayMs);
        await correctDay({ questdb: reader, rows }, websiteId, date, new AbortController().signal);
      }
    } finally {
      await rows.close();
      await reader.close();
    }
  };
}
