import type { JsonObject } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import type { Bindings } from "../sql/bindings.ts";
import { columnValue } from "../sql/columnValue.ts";

/** The answer of a type whose fields are columns of one statement's result, or of the rows that `rowsOf` makes of it. */
export function columnAnswer(
  { type }: ParameterPlan,
  sql: string,
  { values }: Bindings,
  rowsOf = (found: readonly Row[]) => found,
): PreparedAnswer {
  return { statements: [{ sql, values }], rows: ([found = []]) => columnRows(type.fields, rowsOf(found)) };
}

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
