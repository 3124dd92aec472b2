import type { Pool } from "pg";
import type { QuestdbReader, TextRow } from "../../store/questdb/questdbReader.ts";
import {
  type ColumnKind,
  columnsOfTable,
  type TableName,
  type TableRow,
  tableNames,
} from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { dayMs, utcDayOf } from "../../time/utcDay.ts";

/** The condition for the rows of an organization in a table; its values are bound as $1, $2 and so on. */
export type OwnedRows = { readonly sql: string; readonly values: readonly string[] };

/** A UTC day (YYYY-MM-DD) of a table. */
export type TableDay = { readonly table: TableName; readonly day: string };

/** The rows of an organization in a table on a day. `sum` is over their times and all of their whole numbers. */
export type DayCount = TableDay & { readonly rows: number; readonly sum: number };

/** The condition for all rows of an organization: those of its websites, including deleted ones, and those without a website. */
export function ownedRows(table: TableName, organizationId: string, websiteIds: readonly string[]): OwnedRows {
  const places = websiteIds.map((_, index) => `$${index + 1}`).join(", ");
  const ofWebsites = websiteIds.length === 0 ? "website_id = ''" : `website_id IN (${places})`;
  if (!("organization_id" in columnsOfTable[table])) return { sql: ofWebsites, values: websiteIds };
  return {
    sql: `(${ofWebsites} OR (website_id IS NULL AND organization_id = $${websiteIds.length + 1}))`,
    values: [...websiteIds, organizationId],
  };
}

/** Including those that were deleted and are not erased yet. */
export async function websitesOf(postgres: Pick<Pool, "query">, organizationId: string): Promise<string[]> {
  const { rows } = await postgres.query<{ id: string }>(
    "SELECT id FROM websites WHERE organization_id = $1 ORDER BY id",
    [organizationId],
  );
  return rows.map(({ id }) => id);
}

/** Days that one statement counts. */
const daysAtOnce = 31;

/** Counts the rows of an organization by table and day. */
export async function countDays(
  questdb: QuestdbReader,
  organizationId: string,
  websiteIds: readonly string[],
  signal: AbortSignal,
): Promise<DayCount[]> {
  await whenApplied(questdb, tableNames, signal);
  const found: DayCount[] = [];
  for (const table of tableNames) {
    const { sql, values } = ownedRows(table, organizationId, websiteIds);
    const [ends] = await questdb.read(`SELECT min(ts) "first", max(ts) "last" FROM ${table}`, [], { signal });
    if (typeof ends?.["first"] !== "number") continue;
    const lastMs = Number(ends["last"]);
    const stepMs = daysAtOnce * dayMs;
    for (let fromMs = Math.floor(ends["first"] / dayMs) * dayMs; fromMs <= lastMs; fromMs += stepMs) {
      const rows = await questdb.read(
        `SELECT timestamp_floor('d', ts) "day", count() n, ${sumOf(table)} s FROM ${table}
         WHERE ts >= ${fromMs * 1_000} AND ts < ${(fromMs + stepMs) * 1_000} AND ${sql}`,
        values,
        { signal },
      );
      for (const { day, n, s } of rows)
        found.push({ table, day: utcDayOf(Number(day)), rows: Number(n), sum: Number(s) });
    }
  }
  return found;
}

const wholeNumbers: ReadonlySet<ColumnKind> = new Set(["LONG", "INT"]);

/** Remainders instead of the numbers, so that the sum stays a safe integer. */
function sumOf(table: TableName): string {
  const columns = Object.entries<ColumnKind>(columnsOfTable[table]).filter(([, kind]) => wholeNumbers.has(kind));
  const parts = columns.map(([name]) => `coalesce(sum(${name} % 1000003), 0)`);
  return ["sum((ts::long / 1000) % 1000003)", ...parts].join(" + ");
}

/** The columns of a table as rowOfTexts expects them. */
export function readColumns(table: TableName): string {
  return Object.entries<ColumnKind>(columnsOfTable[table])
    .map(([name, kind]) => (kind === "TIMESTAMP" ? `${name}::long` : name))
    .join(", ");
}

/** A row to write, from the texts of readColumns. */
export function rowOfTexts(table: TableName, texts: TextRow): TableRow {
  const values: Record<string, string | number> = {};
  let tsUs = 0;
  for (const [index, [name, kind]] of Object.entries<ColumnKind>(columnsOfTable[table]).entries()) {
    const text = texts[index] ?? null;
    if (text === null) continue;
    if (name === "ts") tsUs = Number(text);
    else values[name] = kind === "SYMBOL" || kind === "VARCHAR" ? text : Number(text);
  }
  // Read from the columns of this table.
  return { table, tsUs, values } as unknown as TableRow;
}
