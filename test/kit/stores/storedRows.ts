import { expect } from "vitest";
import type { QuestdbReader, Row } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable, type TableName } from "../../../src/store/questdb/tables.ts";
import { openOtherReplicas, openQuestdb } from "./testQuestdb.ts";

// A commit is visible within a second; a machine that runs all tests at once is slower.
const polling = { timeout: 100_000, interval: 50 };

/** Rows of a website in a table by time and key, once there are as many as expected, in all replicas, since queries may read any of them. */
export async function storedRows(table: TableName, websiteId: string, count: number): Promise<Row[]> {
  const columns = Object.keys(columnsOfTable[table]).join(", ");
  const reader = openQuestdb();
  const others = openOtherReplicas();
  const from = `FROM ${table} WHERE website_id = $1`;
  const countOf = async (replica: QuestdbReader) =>
    Number((await replica.read(`SELECT count() n ${from}`, [websiteId]))[0]?.["n"]);
  try {
    let rows: Row[] = [];
    const read = async () => {
      rows = await reader.read(`SELECT ${columns} ${from} ORDER BY ts, event_key`, [websiteId]);
      return rows.length;
    };
    await expect.poll(read, polling).toBe(count);
    for (const other of others) await expect.poll(() => countOf(other), polling).toBe(count);
    return rows;
  } finally {
    await Promise.all([reader, ...others].map((each) => each.close()));
  }
}
