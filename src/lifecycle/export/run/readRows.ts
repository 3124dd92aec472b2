import type { QuestdbAddress } from "../../../store/questdb/questdbAddress.ts";
import type { QuestdbReader, ReadOptions } from "../../../store/questdb/questdbReader.ts";
import { readCsv } from "../../../store/questdb/readCsv.ts";
import { timeColumnOf } from "../../../store/questdb/rowTime.ts";
import { withLiterals } from "../../../store/questdb/withLiterals.ts";
import { dayUs } from "../../../time/utcDay.ts";
import { type Dataset, datasetsOf } from "../datasets.ts";
import type { ExportRow } from "../exportRow.ts";
import { CsvScanner } from "../format/csvScanner.ts";
import { type DatasetRange, datasetRange } from "./datasetRange.ts";

/** The last row that was read: its time in microseconds and its key, as QuestDB writes them. */
export type Cursor = { readonly us: string; readonly key: string };

/** Rows of a website in a range, after a given row. */
export type RowsRequest = {
  readonly websiteId: string;
  readonly range: DatasetRange;
  readonly after: Cursor | null;
  readonly limit: number;
};

/**
 * Rows of one statement. It occupies one of QuestDB's threads for HTTP, which new events need as well, and a reader of the table,
 * which an erasure waits for.
 */
const rowsOfPage = 50_000;

/** The number of a website's rows in a dataset and range. */
export async function countRows(
  questdb: Pick<QuestdbReader, "read">,
  dataset: Dataset,
  websiteId: string,
  range: DatasetRange,
  options: ReadOptions = {},
): Promise<number> {
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
  questdb: QuestdbAddress,
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
    for await (const piece of readCsv(questdb, pageSql(dataset, websiteId, range, last, wanted), signal)) {
      scanner.push(piece);
      if (scanner.rows === 0) continue;
      found += scanner.rows;
      last = lastOf(scanner);
      yield scanner;
    }
    if (scanner.hasRest) throw new Error("the answer of QuestDB ends within a row");
  }
}

/** The last two columns of what is read. */
const cursorColumns = 2;

/** The last row that a scanner has found. */
export function lastOf(scanner: CsvScanner): Cursor {
  const field = scanner.rows * scanner.width - cursorColumns;
  return { us: scanner.text(field) ?? "", key: scanner.text(field + 1) ?? "" };
}

function pageSql(dataset: Dataset, websiteId: string, range: DatasetRange, after: Cursor | null, rows: number): string {
  const { table, columns, key } = dataset;
  const time = timeColumnOf(table);
  const names = columns.map(({ sql }) => sql).join(", ");
  const fromUs = after === null ? range.fromUs : Number(after.us);
  const sql = `SELECT ${names}, ${time}::long, ${key} FROM ${table} WHERE ${whereSql(dataset, fromUs, range.toUs)}
    ${after === null ? "" : `AND (${time} > $2 OR ${key} > $4)`} ORDER BY ${time}, ${key} LIMIT ${rows}`;
  // Keys are numbers, only those of pages are texts.
  const keys = after === null ? [] : [key === "page" ? after.key : Number(after.key)];
  return withLiterals(sql, [websiteId, fromUs, range.toUs, ...keys]);
}

/**
 * $1 is the website, $2 and $3 are the times, by which QuestDB finds the partitions. If the times are not in `ts`, the
 * days are added.
 */
function whereSql({ table, only }: Dataset, fromUs: number, toUs: number): string {
  const time = timeColumnOf(table);
  const [firstUs, endUs] = [Math.floor(fromUs / dayUs) * dayUs, Math.ceil(toUs / dayUs) * dayUs];
  const days = time === "ts" ? "" : ` AND ts >= ${firstUs} AND ts < ${endUs}`;
  return `website_id = $1 AND ${time} >= $2 AND ${time} < $3${days}${only === undefined ? "" : ` AND ${only}`}`;
}

type Asked = Pick<ExportRow, "websiteId" | "dataTypes" | "fromMs" | "toMs" | "startDate" | "endDate">;

/**
 * How many rows an export has in all its files, of those that can be read now. Rejects with SERVICE_UNAVAILABLE when
 * QuestDB is unavailable.
 */
export async function countExportRows(
  questdb: Pick<QuestdbReader, "read">,
  asked: Asked,
  options: ReadOptions,
): Promise<number> {
  const counts = await Promise.all(
    datasetsOf(asked.dataTypes).map((dataset) =>
      countRows(questdb, dataset, asked.websiteId, datasetRange(dataset, asked), options),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
