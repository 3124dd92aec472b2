import type { Pool } from "pg";
import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import { readCsv } from "../../../store/questdb/readCsv.ts";
import { timeColumnOf } from "../../../store/questdb/rowTime.ts";
import { withLiterals } from "../../../store/questdb/withLiterals.ts";
import { dayUs } from "../../../time/utcDay.ts";
import { type Dataset, type EventFile, isEventFile } from "../dataset.ts";
import { datasetsOf } from "../datasets.ts";
import type { ExportRow } from "../exportRow.ts";
import { CsvScanner } from "../format/csvScanner.ts";
import { afterSql, type Cursor, cursorSql, keysOf } from "./cursor.ts";
import { type DatasetRange, datasetRange } from "./datasetRange.ts";
import { incidentsSql, type PostgresAddress, readIncidents } from "./readIncidents.ts";
import type { RowsRequest } from "./rowsRequest.ts";

/** The stores that have the rows of exports. */
export type RowSources = { readonly questdb: string; readonly postgres: PostgresAddress };

/** Stores that can be asked how many rows they have. */
export type CountedStores = { readonly questdb: Pick<QuestdbReader, "read">; readonly postgres: Pick<Pool, "query"> };

/**
 * Rows of one statement. It occupies one of QuestDB's threads for HTTP, which new events need as well, and a reader of the table,
 * which an erasure waits for.
 */
const rowsOfPage = 50_000;

/** The number of a website's rows in a dataset and range. */
export async function countRows(
  { questdb, postgres }: CountedStores,
  dataset: Dataset,
  websiteId: string,
  range: DatasetRange,
  options: ReadOptions = {},
): Promise<number> {
  if (!isEventFile(dataset)) {
    const { rows } = await postgres.query<{ rows: string }>(`SELECT count(*) AS "rows" ${incidentsSql}`, [
      websiteId,
      range.fromUs,
      range.toUs,
    ]);
    return Number(rows[0]?.rows);
  }
  const [row] = await questdb.read(
    `SELECT count() AS "rows" FROM ${dataset.table} WHERE ${whereSql(dataset, range.fromUs, range.toUs)}`,
    [websiteId, range.fromUs, range.toUs],
    { ...options, range: { startMs: range.fromUs / 1_000, endMs: range.toUs / 1_000 } },
  );
  return Number(row?.["rows"]);
}

/**
 * Reads rows in order of time and key: yields a scanner each time when it has found some, with a field for each column and two for
 * the cursor. It has found fewer than the limit when no row follows.
 */
export async function* readRows(
  sources: RowSources,
  dataset: Dataset,
  { websiteId, range, after, limit }: RowsRequest,
  signal: AbortSignal,
): AsyncGenerator<CsvScanner> {
  let last = after;
  let [wanted, found] = [0, 0];
  for (let left = limit; left > 0 && found === wanted; left -= found) {
    wanted = Math.min(rowsOfPage, left);
    found = 0;
    const scanner = new CsvScanner(dataset.columns.length + cursorColumns);
    for await (const piece of readPage(sources, dataset, { websiteId, range, after: last, limit: wanted }, signal)) {
      scanner.push(piece);
      if (scanner.rows === 0) continue;
      found += scanner.rows;
      last = lastOf(scanner);
      yield scanner;
    }
    if (scanner.hasRest) throw new Error("the answer of a store ends within a row");
  }
}

/** The last two columns of what is read. */
const cursorColumns = 2;

/** The last row that a scanner has found. */
export function lastOf(scanner: CsvScanner): Cursor {
  const field = scanner.rows * scanner.width - cursorColumns;
  return { us: scanner.text(field) ?? "", key: scanner.text(field + 1) ?? "" };
}

function readPage(
  { questdb, postgres }: RowSources,
  dataset: Dataset,
  request: RowsRequest,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  return isEventFile(dataset)
    ? readCsv(questdb, pageSql(dataset, request), signal)
    : readIncidents(postgres, dataset, request, signal);
}

function pageSql(dataset: EventFile, { websiteId, range, after, limit }: RowsRequest): string {
  const { table, columns, keys } = dataset;
  const time = timeColumnOf(table);
  const values = columns.map(({ sql }) => sql).join(", ");
  const fromUs = after === null ? range.fromUs : Number(after.us);
  const sql = `SELECT ${values}, ${time}::long, ${cursorSql(keys)} FROM ${table} WHERE ${whereSql(dataset, fromUs, range.toUs)}
    ${after === null ? "" : `AND (${time} > $2 OR ${afterSql(keys, 4)})`} ORDER BY ${[time, ...keys.map((key) => key.sql)].join(", ")} LIMIT ${limit}`;
  return withLiterals(sql, [websiteId, fromUs, range.toUs, ...(after === null ? [] : keysOf(after, keys))]);
}

/**
 * $1 is the website, $2 and $3 are the times, by which QuestDB finds the partitions. If the times are not in `ts`, the
 * days are added.
 */
function whereSql({ table, only }: EventFile, fromUs: number, toUs: number): string {
  const time = timeColumnOf(table);
  const [firstUs, endUs] = [Math.floor(fromUs / dayUs) * dayUs, Math.ceil(toUs / dayUs) * dayUs];
  const days = time === "ts" ? "" : ` AND ts >= ${firstUs} AND ts < ${endUs}`;
  return `website_id = $1 AND ${time} >= $2 AND ${time} < $3${days}${only === undefined ? "" : ` AND ${only}`}`;
}

type Asked = Pick<ExportRow, "websiteId" | "dataTypes" | "fromMs" | "toMs" | "startDate" | "endDate">;

/**
 * How many rows an export has in all its files, of those that can be read now. Rejects with SERVICE_UNAVAILABLE when
 * a store is unavailable.
 */
export async function countExportRows(stores: CountedStores, asked: Asked, options: ReadOptions): Promise<number> {
  const counts = await Promise.all(
    datasetsOf(asked.dataTypes).map((dataset) =>
      countRows(stores, dataset, asked.websiteId, datasetRange(dataset, asked), options),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
