import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import type { DataRow, DataTable } from "./dataSet.ts";

/** All raw rows of a website as they are stored, for the oracle. */
export async function readStoredData(
  questdb: QuestdbReader,
  websiteId: string,
): Promise<Record<DataTable, readonly DataRow[]>> {
  const of = (table: DataTable) => readStoredRows(questdb, table, websiteId);
  const [events, outgoing_links, performance_metrics, script_errors] = await Promise.all([
    of("events"),
    of("outgoing_links"),
    of("performance_metrics"),
    of("script_errors"),
  ]);
  return { events, outgoing_links, performance_metrics, script_errors };
}

/** The raw rows of a website in one table that meet a condition. */
export async function readStoredRows(
  questdb: QuestdbReader,
  table: DataTable,
  websiteId: string,
  condition = "true",
): Promise<DataRow[]> {
  const columns = Object.keys(columnsOfTable[table]).map((name) => (name === "ts" ? "ts::long / 1000 AS ts" : name));
  const sql = `SELECT ${columns.join(", ")} FROM ${table} WHERE website_id = $1 AND ${condition}`;
  const rows = await questdb.read(sql, [websiteId]);
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])));
}

function plain(value: unknown): string | number | null {
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  throw new Error(`a stored value is a ${typeof value}`);
}
