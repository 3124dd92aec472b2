import type { JsonObject } from "@bufbuild/protobuf";
import type { QueryRequest } from "../gen/lookout/v1/query_pb.ts";
import { LookoutError } from "../lookoutError.ts";
import { nearestName } from "../nearestName.ts";
import type { QueryTypeName } from "../query.ts";
import type { Rows } from "../rows.ts";
import { rowFields } from "./rowFields.ts";
import { unknownName } from "./unknownName.ts";

/** A row of a test: columns that may be null may be left out, and are null. */
export type TestRow<Row> = {
  readonly [C in keyof Row as null extends Row[C] ? never : undefined extends Row[C] ? never : C]: Row[C];
} & { readonly [C in keyof Row]?: Row[C] };

/** The rows that queries are answered with, by query type. `limit` and `page` of a query choose among them; its filters and its range do not. */
export type TestRows = { readonly [N in QueryTypeName]?: readonly TestRow<Rows[N]>[] };

const usualLimit = 100;

/** Throws a TypeError for rows that Lookout would not answer. */
export function checkRows(rows: TestRows): void {
  for (const [name, given] of Object.entries(rows)) {
    if (!Object.hasOwn(rowFields, name)) throw unknownName("query type", name, name, Object.keys(rowFields));
    for (const row of given ?? []) wholeRow(name, row as JsonObject);
  }
}

/** The answer to a query, of the rows of a test. */
export function rowAnswer(rows: TestRows, request: unknown) {
  const { query } = request as QueryRequest;
  const limit = query?.limit ?? usualLimit;
  const page = query?.page ?? 1;
  const data = (query?.parameters ?? []).map(({ name, id, limit: own }) => {
    const size = own ?? limit;
    const all = rowsOf(rows, name);
    return {
      parameter: id === undefined || id === "" ? name : id,
      success: true,
      data: all.slice((page - 1) * size, page * size),
    };
  });
  return { success: true, requestId: "req_test", queryId: "test", data, meta: { page, limit, consistent: true } };
}

function rowsOf(rows: TestRows, name: string): JsonObject[] {
  const given = rows[name as QueryTypeName];
  if (given !== undefined) return given.map((row) => wholeRow(name, row as JsonObject));
  const isKnown = Object.hasOwn(rowFields, name);
  const suggestion = isKnown ? undefined : nearestName(name, Object.keys(rowFields));
  if (isKnown)
    throw new LookoutError(
      "NOT_IMPLEMENTED",
      `The test has no rows of ${name}: pass { rows: { ${name}: [ … ] } } to createTestLookout`,
    );
  throw new LookoutError("VALIDATION_ERROR", `There is no query type ${JSON.stringify(name)}`, {
    details: [
      {
        field: "parameters",
        message: "names an unknown query type",
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ],
  });
}

/** A row with null for the columns that it leaves out. Throws a TypeError for one that Lookout would not answer. */
function wholeRow(name: string, row: JsonObject): JsonObject {
  const fields = rowFields[name as QueryTypeName];
  const fail = (problem: string): never => {
    throw new TypeError(`The test's row of ${name} is not one of Lookout: ${problem}`);
  };
  for (const column of Object.keys(row)) {
    if (Object.hasOwn(fields, column)) continue;
    const meant = nearestName(column, Object.keys(fields));
    fail(`it has no column ${column}${meant === undefined ? "" : `; did you mean ${meant}?`}`);
  }
  const columns = Object.entries(fields).flatMap(([column, kind]): [string, JsonObject[string]][] => {
    const value = row[column];
    const isOptional = kind.endsWith("*");
    if (value === undefined && isOptional) return [];
    if (value === undefined || value === null)
      return isOptional || kind.endsWith("?") ? [[column, null]] : fail(`${column} is missing, and never null`);
    const type = kind.replace(/[?*]$/, "");
    return isOfType(value, type)
      ? [[column, value]]
      : fail(`${column} must be of type ${type}, not ${JSON.stringify(value)}`);
  });
  return Object.fromEntries(columns);
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type && !Array.isArray(value);
}
