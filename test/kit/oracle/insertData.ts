import type { BoundValue, QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import { columnsOfTable } from "../../../src/store/questdb/tables.ts";
import { storedValue } from "../stores/sampleRows.ts";
import type { DataRow, DataTable } from "./dataSet.ts";

/** Rows of one statement: as many bound values as PostgreSQL's wire counts, 65,535, would be too many for QuestDB to be quick about. */
const rowsAtOnce = 100;

/** Puts rows straight into QuestDB, since ingestion would change what they hold. */
export async function insertData(
  questdb: QuestdbReader,
  table: DataTable,
  rows: readonly DataRow[],
  websiteId: string,
): Promise<void> {
  const names = Object.keys(rows[0] ?? {}).filter((name) => name in columnsOfTable[table]);
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const part = rows.slice(start, start + rowsAtOnce);
    const values: BoundValue[] = [];
    const tuples = part.map((row) => {
      const places = [...names.map((name) => boundValue(row, name)), websiteId].map(
        (value) => `$${values.push(value)}`,
      );
      return `(${places.join(", ")})`;
    });
    await questdb.read(
      `INSERT INTO ${table} (${[...names, "website_id"].join(", ")}) VALUES ${tuples.join(", ")}`,
      values,
    );
  }
}

function boundValue(row: DataRow, name: string): BoundValue {
  const value = storedValue(row[name]);
  return name === "ts" ? new Date(Number(value)).toISOString() : value;
}
