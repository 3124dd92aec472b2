import type { TableName } from "../../store/questdb/tables.ts";

/**
 * What a column holds. Times are milliseconds since 1970 in UTC as QuestDB gives them, `date` is such a time at midnight UTC, `json` is
 * JSON text.
 */
export type ColumnKind = "text" | "timestamp" | "date" | "integer" | "number" | "json";

/** A column of an exported file, and the expression of its store that makes it. */
export type Column = { readonly name: string; readonly kind: ColumnKind; readonly sql: string };

/** A column that distinguishes rows of the same time. It is never null, and a number is a safe integer. */
export type Key = { readonly sql: string; readonly kind: "number" | "text" };

type File = {
  /** Name of the file. */
  readonly name: string;
  /** The data type that a request names to get it (specification 4.18). */
  readonly dataType: string;
  readonly columns: readonly Column[];
};

/** A file with the rows of a table of QuestDB. */
export type EventFile = File & {
  readonly table: TableName;
  /** Rows are in order of time and these. A text that is not the last one holds no space. */
  readonly keys: readonly [Key] | readonly [Key, Key];
  /** Leaves out tombstones of erased rows. */
  readonly only?: string;
  /** Whether its days are UTC days in any time zone of the website. */
  readonly hasUtcDays?: true;
};

/** The file with the incidents of the website's monitors, which PostgreSQL has. Rows are in order of their beginning and id. */
export type IncidentFile = File & { readonly table: "incidents"; readonly hasUtcDays?: never };

/** One file of an export. */
export type Dataset = EventFile | IncidentFile;

/** Whether the rows are in QuestDB. */
export function isEventFile(dataset: Dataset): dataset is EventFile {
  return dataset.table !== "incidents";
}
