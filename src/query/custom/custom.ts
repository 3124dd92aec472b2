import { create, type JsonObject, type JsonValue } from "@bufbuild/protobuf";
import { AnswerInParts } from "../../call/answerInParts.ts";
import { codecOf } from "../../call/codecOf.ts";
import { mapInSlices } from "../../concurrency/timeSlices.ts";
import { ApiError, missingWebsiteId } from "../../errors/errors.ts";
import { StoreFailure } from "../../errors/storeFailure.ts";
import type { CustomQueryReply } from "../../gen/lookout/services.ts";
import { type CustomQueryRequest, CustomQueryResponseSchema } from "../../gen/lookout/v1/query_pb.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import { isStoreUnavailable } from "../../store/storeUnavailable.ts";
import { utcDayOf } from "../../time/utcDay.ts";
import { readerOf } from "../answer/callReader.ts";
import { encodeRows } from "../answer/encodeRows.ts";
import { markedRows, textWithRows } from "../answer/textWithRows.ts";
import type { QueryCall } from "../queryCall.ts";
import { accessDenied, websiteOfRows } from "../request/project.ts";
import { type Buckets, bucketsOf } from "../sql/buckets.ts";
import type { CustomPlan, Place } from "./customPlan.ts";
import type { ColumnKind, CustomTable } from "./customTable.ts";
import { planCustom } from "./planCustom.ts";
import { customStatement, placeKind } from "./statement.ts";

/**
 * POST /v1/query/custom (specification 4.5): a structured query over the documented columns of one website's rows.
 *
 * Throws MISSING_WEBSITE_ID, VALIDATION_ERROR, ACCESS_DENIED, QUERY_ERROR when the statement fails, or SERVICE_UNAVAILABLE when the event
 * store does not answer.
 */
export async function customQuery(
  { websiteId, query }: CustomQueryRequest,
  call: QueryCall,
): Promise<AnswerInParts<CustomQueryReply>> {
  if (websiteId === "" || query === undefined) throw missingWebsiteId();
  const plan = planCustom(query);
  const reason = "Structured queries are not answered, since they show single rows and small groups";
  const { websiteIds, publicOnly } = await websiteOfRows(websiteId, reason, call);
  // A public website shows its dashboard's types to callers without a key, not its rows.
  if (publicOnly) throw accessDenied();
  const startMs = performance.now();
  const data = await readRows(plan, websiteIds, call);
  const executionTime = Math.round((performance.now() - startMs) * 100) / 100;
  const answer = { success: true, requestId: call.requestId, data, meta: { rowCount: data.length, executionTime } };
  return new AnswerInParts({
    json: async function* () {
      yield* await textWithRows(codecOf(CustomQueryResponseSchema).write({ ...answer, data: markedRows }), [data]);
    },
    whole: async () => {
      if (!call.isBinary) return answer;
      const message = create(CustomQueryResponseSchema, { ...answer, data: [] });
      message.$unknown = await encodeRows(data, CustomQueryResponseSchema.field.data.number);
      return message;
    },
  });
}

async function readRows(plan: CustomPlan, websiteIds: readonly string[], call: QueryCall): Promise<JsonObject[]> {
  const buckets = plan.bucketUnit === undefined ? undefined : bucketsOf(plan.range, plan.bucketUnit, plan.zone);
  const { sql, values } = customStatement(plan, websiteIds, buckets);
  try {
    const rows = await readerOf(call, websiteIds).over(plan.range).read(sql, values);
    return await mapInSlices(rows, (row) => shapeRow(plan, buckets, row));
  } catch (failure) {
    if (isStoreUnavailable(failure) || failure instanceof StoreFailure || failure instanceof ApiError) throw failure;
    call.app.log.error({ requestId: call.requestId, table: plan.table.name, err: failure }, "structured query failed");
    throw new ApiError("QUERY_ERROR", "The query could not be executed. Try again or narrow the range", {
      cause: failure,
    });
  }
}

function shapeRow(plan: CustomPlan, buckets: Buckets | undefined, row: Row): JsonObject {
  return Object.fromEntries(
    plan.outputs.map(({ label, at }) => [
      label,
      "bucket" in at
        ? (buckets?.labels[Number(row["bucket"])] ?? "")
        : shown(row[columnOf(at)] ?? null, placeKind(plan, at), plan.table),
    ]),
  );
}

function columnOf(at: Exclude<Place, { bucket: true }>): string {
  return "key" in at ? `k${at.key}` : `m${at.measure}`;
}

/** A value as answers show it: null for none, Unix ms for a time and YYYY-MM-DD for a day. */
function shown(value: Row[string], kind: ColumnKind, { isDaily }: CustomTable): JsonValue {
  if (value === null) return null;
  if (kind === "text" || kind === "property") return String(value);
  if (kind === "json") return parsed(String(value));
  const number = Number(value);
  if (kind === "time" && isDaily) return utcDayOf(number);
  return Number.isFinite(number) ? number : null;
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
