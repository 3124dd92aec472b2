import { fromJson, type JsonValue, type MessageInitShape } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { CompileQueryRequest, CompileQueryResponseSchema } from "../gen/lookout/v1/query_pb.ts";
import type { BoundValue } from "../store/questdbReader.ts";
import { compileStatements, joined } from "./compileStatements.ts";
import { planCompile } from "./planCompile.ts";
import { accessDenied, websiteProject } from "./project.ts";

/**
 * POST /v1/query/compile (specification 4.4): the SQL and the parameters that answer a query type for a website. Nothing is read from
 * the event store.
 *
 * Throws MISSING_PROJECT_ID, UNKNOWN_QUERY_TYPE, COMPILATION_ERROR or ACCESS_DENIED.
 */
export async function compileQuery(
  { query, websiteId, timezone }: CompileQueryRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof CompileQueryResponseSchema>> {
  const id = websiteId || query?.projectId || "";
  if (id === "" || query === undefined)
    throw new ApiError("MISSING_PROJECT_ID", "Add website_id to the query string to say what to query");
  const plan = planCompile(query, timezone, Date.now());
  const { websiteIds, publicOnly } = await websiteProject(id, call);
  if (publicOnly && !plan.work.type.isPublic) throw accessDenied();
  const { statements, buckets } = compileStatements(plan, websiteIds, call.app.largeWebsites.shareOf(websiteIds));
  const all = joined(statements);
  return {
    success: true,
    requestId: call.requestId,
    sql: all.sql,
    params: all.values.map(asValue),
    statements: statements.map(({ sql, values, columns }) => ({
      sql,
      params: values.map(asValue),
      columns: [...columns],
    })),
    buckets: [...buckets],
  };
}

function asValue(value: BoundValue) {
  const json: JsonValue = value;
  return fromJson(ValueSchema, json);
}
