import type { QuestdbReader, ReadOptions, TextRow } from "../../../store/questdb/questdbReader.ts";
import { timeColumnOf } from "../../../store/questdb/rowTime.ts";
import { dayUs } from "../../../time/utcDay.ts";
import type { ExportRow } from "../request/exportRow.ts";
import { type DatasetRange, datasetRange } from "./datasetRange.ts";
import { type Dataset, datasetsOf } from "./datasets.ts";

/** The last row that was read: its time in microseconds and its key, as QuestDB writes them. */
export type Cursor = { readonly us: string; readonly key: string };

/** Rows of a website in a range, after a given row. */
export type PageRequest = {
  readonly websiteId: string;
  readonly range: DatasetRange;
  readonly after: Cursor | null;
  readonly limit: number;
};

/**
 * The number of rows of a page, its last row, and why it ended: no row follows, the limit was reached, or the rows are
 * large.
 */
export type Page = { readonly rows: number; readonly last: Cursor | null; readonly end: "last" | "limit" | "size" };

/**
 * Approximate characters of a page. Properties may take 32 kB per row, and thousands of such rows would not fit into
 * memory.
 */
const maxChars = 8_388_608;

/** Thrown to stop a read whose rows are large. */
const tooLarge = new Error("the page is full");

/** The number of a website's rows in a dataset and range. */
export async function countRows(
  questdb: QuestdbReader,
  dataset: Dataset,
  websiteId: string,
  range: DatasetRange,
  options: ReadOptions = {},
): Promise<number> {
  const [row] = await questdb.read(
    `SELECT count() AS "rows" FROM ${dataset.table} WHERE ${whereSql(dataset, range.fromUs, range.toUs)}`,
    [websiteId, range.fromUs, range.toUs],
    options,
  );
  return Number(row?.["rows"]);
}

/** Passes on the rows of a page in order of time and key, each as a text per column, without holding them. */
export async function readPage(
  questdb: QuestdbReader,
  dataset: Dataset,
  { websiteId, range, after, limit }: PageRequest,
  take: (row: TextRow) => void,
  signal: AbortSignal,
): Promise<Page> {
  const { table, columns, key } = dataset;
  const values = [websiteId, after === null ? range.fromUs : after.us, range.toUs];
  if (after !== null) values.push(after.key);
  const time = timeColumnOf(table);
  const names = columns.map(({ sql }) => sql).join(", ");
  let rows = 0;
  let chars = 0;
  let last: Cursor | null = after;
  const takeRow = (row: TextRow): void => {
    rows += 1;
    last = { us: row[columns.length] ?? "", key: row[columns.length + 1] ?? "" };
    take(row);
    for (const text of row) chars += text?.length ?? 0;
    if (chars > maxChars) throw tooLarge;
  };
  try {
    await questdb.readEach(
      `SELECT ${names}, ${time}::long, ${key} FROM ${table} WHERE ${whereSql(dataset, Number(after?.us ?? range.fromUs), range.toUs)}
       ${after === null ? "" : `AND (${time} > $2 OR ${key} > $4)`} ORDER BY ${time}, ${key} LIMIT ${limit}`,
      values,
      takeRow,
      { signal },
    );
  } catch (error) {
    if (error !== tooLarge) throw error;
    return { rows, last, end: "size" };
  }
  return { rows, last, end: rows < limit ? "last" : "limit" };
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
export async function countExportRows(questdb: QuestdbReader, asked: Asked, options: ReadOptions): Promise<number> {
  const counts = await Promise.all(
    datasetsOf(asked.dataTypes).map((dataset) =>
      countRows(questdb, dataset, asked.websiteId, datasetRange(dataset, asked), options),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
