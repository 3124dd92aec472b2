import type { BoundValue, QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";

/** A row by its columns, with its time apart. */
export type SampleRow = { readonly tsMs: number; readonly [column: string]: BoundValue };

/** Puts rows straight into QuestDB, since ingestion would change what they hold. */
export async function insertRows(
  questdb: QuestdbReader,
  table: string,
  rows: readonly SampleRow[],
  websiteId: string,
): Promise<void> {
  for (let start = 0; start < rows.length; start += 100) {
    const part = rows.slice(start, start + 100).map(({ tsMs, ...columns }, index): Record<string, BoundValue> => {
      return { ts: new Date(tsMs).toISOString(), website_id: websiteId, event_key: start + index, ...columns };
    });
    const names = Object.keys(part[0] ?? {});
    const values = part.flatMap((row) => names.map((name) => storedValue(row[name])));
    const tuples = part.map(
      (_, row) => `(${names.map((_, column) => `$${row * names.length + column + 1}`).join(", ")})`,
    );
    await questdb.read(`INSERT INTO ${table} (${names.join(", ")}) VALUES ${tuples.join(", ")}`, values);
  }
}

/** A value as ingestion stores it: empty texts become null. */
export function storedValue(value: BoundValue | undefined): BoundValue {
  return value === undefined || value === "" ? null : value;
}

/** How many rows of a website can be read. */
export async function countRows(questdb: QuestdbReader, table: string, websiteId: string): Promise<number> {
  const rows = await questdb.read(`SELECT count() AS n FROM ${table} WHERE website_id = $1`, [websiteId]);
  return Number(rows[0]?.["n"]);
}
