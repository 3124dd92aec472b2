import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { type Config, readConfig } from "../../../src/config.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import { BrokerLog } from "../../../src/scale/kafka/brokerLog.ts";
import { topicOf } from "../../../src/scale/kafka/kafkaClient.ts";
import { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable, type TableName, type TableRow } from "../../../src/store/questdb/tables.ts";
import { recordOf } from "../../../src/store/write/loggedRow.ts";
import type { ScaleStack } from "../../../stack/scale/scaleStack.ts";
import { type DataRow, dataTables } from "../oracle/dataSet.ts";
import type { StoreData } from "../oracle/oracleWebsite.ts";
import { inDatabase } from "../stores/inDatabase.ts";
import { countRows } from "../stores/sampleRows.ts";

/** Records that are sent at once. */
const atOnce = 2_000;
const pollMs = 500;
/** Corrections begin each minute, and twice for a day that has just got rows. */
const longestMs = 400_000;

/**
 * Puts rows into the log of the brokers, since ingestion would change what they hold, and a replica whose disk is lost is filled from there. Then
 * waits until all replicas have them, and workers have stored their sessions and daily records.
 */
export function storeThroughLog({ env, replicas }: Pick<ScaleStack, "env" | "replicas">, websiteId: string): StoreData {
  const { kafka, postgres, questdb } = readConfig(env);
  const [shard] = new Set(replicas.map((replica) => replica.shard));
  if (shard === undefined) throw new Error("There is no QuestDB");
  return async (data) => {
    const deadlineMs = performance.now() + longestMs;
    const brokers = new BrokerLog(kafka, "test", createMetrics(), pino({ level: "silent" }));
    try {
      for (const table of dataTables) {
        const records = data[table].map((row) => recordOf(tableRow(table, row, websiteId), Date.now()));
        for (let start = 0; start < records.length; start += atOnce)
          await brokers.append(topicOf(kafka, shard), records.slice(start, start + atOnce));
      }
    } finally {
      await brokers.close();
    }
    const isStored = async () => {
      for (const replica of replicas)
        for (const table of dataTables)
          if ((await countIn(questdb, replica, table, websiteId)) < data[table].length) return false;
      return (await countTouchedDays(postgres.url, websiteId)) === 0;
    };
    while (!(await isStored())) {
      if (performance.now() > deadlineMs) throw new Error(`The rows are not stored after ${longestMs} ms`);
      await pause(pollMs);
    }
  };
}

/** The row as ingestion would write it: without what is null. */
function tableRow(table: TableName, { ts, ...columns }: DataRow, websiteId: string): TableRow {
  const known = Object.entries(columns).filter(([name, value]) => name in columnsOfTable[table] && value !== null);
  const values = { ...Object.fromEntries(known), website_id: websiteId };
  // The columns are those of the table.
  return { table, tsUs: Number(ts) * 1_000, values } as unknown as TableRow;
}

async function countIn(
  settings: Config["questdb"],
  { http, pg }: ScaleStack["replicas"][number],
  table: TableName,
  websiteId: string,
): Promise<number> {
  const reader = new QuestdbReader({ ...settings, http, pg });
  try {
    return await countRows(reader, table, websiteId);
  } finally {
    await reader.close();
  }
}

/** Days whose sessions and daily records are not all stored. */
async function countTouchedDays(databaseUrl: string, websiteId: string): Promise<number> {
  return await inDatabase(async (database) => {
    const { rows } = await database.query<{ days: number }>(
      "SELECT count(*)::int AS days FROM touched_days WHERE website_id = $1",
      [websiteId],
    );
    return rows[0]?.days ?? 0;
  }, databaseUrl);
}
