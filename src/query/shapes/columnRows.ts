import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { ColumnFormat, OutputField } from "../catalogue/queryType.ts";

/** The rows of an answer whose fields are columns of a statement's result. */
export function columnRows(fields: readonly OutputField[], rows: readonly Row[]): Promise<JsonObject[]> {
  return mapInSlices(rows, (row) => columnRow(fields, row));
}

/** One row of such an answer. */
export function columnRow(fields: readonly OutputField[], row: Row): JsonObject {
  return Object.fromEntries(
    fields.map(({ name, from }) => {
      if ("notKept" in from) return [name, null];
      if (!("column" in from)) throw new Error(`field ${name} is not filled from a column`);
      return [name, columnValue(row[from.column] ?? null, from.format)];
    }),
  );
}

/** A QuestDB value as answers show it. */
export function columnValue(value: Row[string], format: ColumnFormat): JsonValue {
  switch (format) {
    case "text":
      return value === null ? "" : String(value);
    case "count":
      return Number(value ?? 0);
    case "decimal":
      return rounded(Number(value ?? 0));
    case "figure":
      return value === null ? null : rounded(Number(value));
    case "cost":
      return finelyRounded(Number(value ?? 0));
    case "precise":
      return value === null ? null : finelyRounded(Number(value));
    case "time":
      return value === null ? null : new Date(Number(value)).toISOString();
    case "boolean":
      return value === true || value === 1;
    case "json":
      return value === null || value === "" ? null : JSON.parse(String(value));
  }
}

/** To eight places: a call of a language model may cost a millionth of a dollar. */
function finelyRounded(value: number): number {
  return Math.round(value * 1e8) / 1e8;
}

/** To two places, as most decimals of answers are. */
export function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
