import { columnsOfTable, type TableName } from "../../store/questdb/tables.ts";

/** The kind of a column's values: it decides which aggregates and operators are allowed. `property` is text that may be a number. */
export type ColumnKind = "text" | "number" | "time" | "json" | "property";

/** A documented column: its name, the column of QuestDB with its values, and their kind. */
export type CustomColumn = {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly source: { readonly column: string; readonly isSymbol: boolean } | { readonly propertyKey: string };
};

/** A documented table. `only` selects the rows that are records. `key` orders rows of the same time. */
export type CustomTable = {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly meaning: string;
  readonly table: TableName;
  readonly columns: ReadonlyMap<string, CustomColumn>;
  /** Other names of columns. */
  readonly columnAliases: ReadonlyMap<string, string>;
  readonly hasProperties: boolean;
  readonly only?: string;
  readonly key: string;
  /** Its time is the day it is about, in UTC whatever the request's zone. */
  readonly isDaily: boolean;
};

type ColumnOf<T extends TableName> = keyof (typeof columnsOfTable)[T] & string;

type Definition<T extends TableName> = {
  readonly meaning: string;
  readonly columns: Readonly<Record<string, ColumnOf<T>>>;
  readonly key: ColumnOf<T>;
  readonly aliases?: readonly string[];
  readonly only?: string;
  readonly isDaily?: boolean;
};

/** Where the names that callers use are not those of the specification's records but of filters and answers. */
const columnAliases: Readonly<Record<string, string>> = {
  browser: "browser_name",
  os: "os_name",
  device: "device_type",
  screen: "screen_resolution",
  viewport_size: "viewport",
  event_name: "name",
  page: "path",
  metric_name: "metric_type",
  time_on_page: "time_on_page_ms",
};

const jsonColumns: ReadonlySet<string> = new Set(["properties", "top_referrers"]);

/** A table from the names of its columns; the kind of a column's values follows from its type in QuestDB. */
export function defineTable<T extends TableName>(name: string, table: T, definition: Definition<T>): CustomTable {
  const kinds: Readonly<Record<string, string>> = columnsOfTable[table];
  const { columns, meaning, key, aliases = [], only, isDaily = false } = definition;
  return {
    name,
    aliases,
    meaning,
    table,
    columns: new Map(
      Object.entries(columns).map(([own, column]) => {
        const isSymbol = kinds[column] === "SYMBOL";
        return [own, { name: own, kind: kindOf(column, kinds[column]), source: { column, isSymbol } }];
      }),
    ),
    columnAliases: new Map(
      Object.entries(columnAliases).filter(([alias, own]) => own in columns && !(alias in columns)),
    ),
    hasProperties: "properties" in columns,
    ...(only === undefined ? {} : { only }),
    key,
    isDaily,
  };
}

function kindOf(column: string, stored: string | undefined): ColumnKind {
  if (jsonColumns.has(column)) return "json";
  if (stored === "TIMESTAMP") return "time";
  return stored === "SYMBOL" || stored === "VARCHAR" ? "text" : "number";
}
