import { create, fromJson, type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import type { ColumnInit, ParameterColumnsInit, QueryColumnsReply } from "../../gen/lookout/services.ts";
import {
  ColumnSchema,
  ComparedColumnsSchema,
  ParameterColumnsSchema,
  type QueryColumnsRequest,
  QueryRequestSchema,
} from "../../gen/lookout/v1/query_pb.ts";
import { type EncodedField, encodedField } from "../answer/encodeRows.ts";
import { type AnsweredParameter, collect, comparisonFrame, resultsOf } from "../answer/queryAnswer.ts";
import type { OutputField } from "../catalogue/queryType.ts";
import type { QueryCall } from "../queryCall.ts";
import { startQueries } from "./query.ts";

/** The answer of `query` in columns, over gRPC only. Throws what `query` throws. */
export async function queryColumns(
  { websiteId, websiteIds, organizationId, timezone, query }: QueryColumnsRequest,
  call: QueryCall,
): Promise<QueryColumnsReply> {
  if (query === undefined) throw new Error("the contract lets no request without a query pass");
  const request = create(QueryRequestSchema, { websiteId, websiteIds, organizationId, timezone, query });
  const { frame, answers } = await startQueries(request, call);
  const [result] = await resultsOf(
    frame,
    await collect(answers((one) => one)),
    call.isBinary ? encodedColumns : columnsOf,
  );
  return { success: true, requestId: call.requestId, ...result };
}

function columnsOf({ label: parameter, fields, outcome }: AnsweredParameter): ParameterColumnsInit {
  if (!("rows" in outcome)) return { parameter, success: false, ...outcome };
  const { rows, comparison } = outcome;
  const columns = fields.map((field) => columnOf(field, rows));
  if (comparison === undefined) return { parameter, success: true, rows: rows.length, columns };
  const compared = {
    ...comparisonFrame(comparison),
    columns: fields.map((field) => columnOf(field, comparison.rows)),
  };
  return { parameter, success: true, rows: rows.length, columns, comparison: compared };
}

/** The same with each column in binary form: columns of 10,000 rows are too much to encode in one event-loop tick. */
async function encodedColumns(answered: AnsweredParameter): Promise<ParameterColumnsInit> {
  const { fields, outcome } = answered;
  const message = create(ParameterColumnsSchema, columnsOf({ ...answered, fields: [] }));
  if (!("rows" in outcome)) return message;
  const { rows, comparison } = outcome;
  message.$unknown = await encodeColumns(fields, rows, ParameterColumnsSchema.field.columns.number);
  if (comparison !== undefined && message.comparison !== undefined) {
    const { number } = ComparedColumnsSchema.field.columns;
    message.comparison.$unknown = await encodeColumns(fields, comparison.rows, number);
  }
  return message;
}

async function encodeColumns(
  fields: readonly OutputField[],
  rows: readonly JsonObject[],
  no: number,
): Promise<EncodedField[]> {
  return mapInSlices(fields, (field) =>
    encodedField(no, toBinary(ColumnSchema, create(ColumnSchema, columnOf(field, rows)))),
  );
}

function columnOf({ name, type }: OutputField, rows: readonly JsonObject[]): ColumnInit {
  const given = rows.map((row): JsonValue => row[name] ?? null);
  const nulls = given.flatMap((value, index) => (value === null ? [index] : []));
  return { name, values: valuesOf(type, given), nulls };
}

function valuesOf(type: OutputField["type"], given: readonly JsonValue[]): NonNullable<ColumnInit["values"]> {
  switch (type) {
    case "number":
      return { case: "numbers", value: { values: given.map(Number) } };
    case "string":
      return { case: "texts", value: { values: given.map((value) => (value === null ? "" : String(value))) } };
    case "boolean":
      return { case: "booleans", value: { values: given.map((value) => value === true) } };
    default:
      return { case: "json", value: { values: given.map((value) => fromJson(ValueSchema, value)) } };
  }
}
