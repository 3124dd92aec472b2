import type { JsonObject } from "@bufbuild/protobuf";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { OutputField, QueryType } from "../catalogue/queryType.ts";
import { isKey, shapeRow, withoutFigures } from "../shapes/measuredAnswer.ts";

/** The rows of a type in the other range. */
export type FoundRows = {
  readonly rows: readonly JsonObject[];
  /** Whether there may be more of them. */
  readonly isCut: boolean;
  /** Whether nothing is known about the whole range. */
  readonly isUnknown: boolean;
};

/**
 * For each row of an answer the row that it is compared with: the summary, the bucket at the same place, or the row with the same values. What
 * a table does not have was counted as nothing; figures are null where there is no such bucket, or nothing is known.
 */
export async function compareRows(
  { shape, fields }: Pick<QueryType, "shape" | "fields">,
  rows: readonly JsonObject[],
  { rows: found, isCut, isUnknown }: FoundRows,
): Promise<JsonObject[]> {
  // Summaries and buckets of unknown times have no figures by themselves.
  if (!hasRowsByValue({ shape })) return mapInSlices(rows, (_, index) => found[index] ?? withoutFigures(fields, {}));
  const byValues = new Map(await mapInSlices(found, (row) => [valuesOf(fields, row), row] as const));
  return mapInSlices(rows, (row) => {
    const same = byValues.get(valuesOf(fields, row));
    if (same !== undefined) return same;
    return isCut || isUnknown ? withoutFigures(fields, row) : { ...nothing(fields), ...namesOf(fields, row) };
  });
}

/** Whether the rows of a type are found by their values, and not by their places. */
export function hasRowsByValue({ shape }: Pick<QueryType, "shape">): boolean {
  return shape.kind === "table" || shape.kind === "goal_conversions";
}

function namesOf(fields: readonly OutputField[], row: JsonObject): JsonObject {
  return Object.fromEntries(fields.filter(isKey).map(({ name }) => [name, row[name] ?? null]));
}

function valuesOf(fields: readonly OutputField[], row: JsonObject): string {
  return JSON.stringify(Object.values(namesOf(fields, row)));
}

/** The figures of no events. */
function nothing(fields: readonly OutputField[]): JsonObject {
  return shapeRow(fields, { bucket: "", dimensions: [], measures: new Map(), total: 0 });
}
