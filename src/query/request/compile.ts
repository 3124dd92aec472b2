import { fromJson } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { mapInSlices, nextSlice } from "../../concurrency/timeSlices.ts";
import { missingWebsiteId } from "../../errors/errors.ts";
import type { CompiledStatementInit, CompileQueryReply } from "../../gen/lookout/services.ts";
import type { CompileQueryRequest } from "../../gen/lookout/v1/query_pb.ts";
import type { BoundValue } from "../../store/questdb/questdbReader.ts";
import { countValues, requireFewFilterValues } from "../filters/filterWork.ts";
import { planCompile } from "../plan/planCompile.ts";
import type { QueryCall } from "../queryCall.ts";
import { compileStatements, joined } from "./compileStatements.ts";
import { accessDenied, websiteOfRows } from "./project.ts";

/**
 * POST /v1/query/compile (specification 4.4): the SQL and the parameters that answer a query type for a website.
 * Nothing is read from the event store.
 *
 * Throws MISSING_WEBSITE_ID, UNKNOWN_QUERY_TYPE, COMPILATION_ERROR or ACCESS_DENIED.
 */
export async function compileQuery(
  { query, websiteId, timezone }: CompileQueryRequest,
  call: QueryCall,
): Promise<CompileQueryReply> {
  const id = websiteId || query?.projectId || "";
  if (id === "" || query === undefined) throw missingWebsiteId();
  requireFewFilterValues(countValues(query.filters), call);
  const plan = planCompile(query, timezone, Date.now());
  // Each step takes milliseconds if a filter has thousands of values.
  await nextSlice();
  const { websiteIds, publicOnly } = await websiteOfRows(
    id,
    "Queries are not compiled, since rows are not answered",
    call,
  );
  if (publicOnly && !plan.work.type.isPublic) throw accessDenied();
  const { statements, buckets } = compileStatements(plan, websiteIds, call.app.largeWebsites.shareOf(websiteIds));
  await nextSlice();
  const all = joined(statements);
  const explained: CompiledStatementInit[] = [];
  for (const { sql, values, columns } of statements)
    explained.push({ sql, params: await mapInSlices(values, asValue), columns: [...columns] });
  return {
    success: true,
    requestId: call.requestId,
    sql: all.sql,
    params: await mapInSlices(all.values, asValue),
    statements: explained,
    buckets: [...buckets],
  };
}

function asValue(value: BoundValue): Value {
  return fromJson(ValueSchema, value);
}
