import { expect } from "vitest";
import type { Row } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable, type TableName } from "../../../src/store/questdb/tables.ts";
import { openQuestdb } from "./testQuestdb.ts";

/** Rows of a website in a table by time and key, once there are as many as expected. */
export async function storedRows(table: TableName, websiteId: string, count: number): Promise<Row[]> {
  const columns = Object.keys(columnsOfTable[table]).join(", ");
  const reader = openQuestdb();
  let rows: Row[] = [];
  try {
    await expect
      .poll(
        async () => {
          rows = await reader.read(`SELECT ${columns} FROM ${table} WHERE website_id = $1 ORDER BY ts, event_key`, [
            websiteId,
          ]);
          return rows.length;
        },
        // A commit is visible within a second; a machine that runs all tests at once is slower.
        { timeout: 100_000, interval: 50 },
      )
      .toBe(count);
    return rows;
  } finally {
    await reader.close();
  }
}
