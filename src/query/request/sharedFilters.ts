import { create, fromJson } from "@bufbuild/protobuf";
import type { SharedReading } from "../../call/callContext.ts";
import {
  QueryFilterSchema,
  type QueryRequest,
  QueryRequestSchema,
  QuerySchema,
} from "../../gen/lookout/v1/query_pb.ts";

/**
 * A request with the fixed filters of the shared dashboard that it is made for. A row meets all filters of a query, so the
 * reader's own ones cannot undo them.
 */
export function withFixedFilters(request: QueryRequest, shared: SharedReading | undefined): QueryRequest {
  if (shared === undefined || shared.filters.length === 0) return request;
  const fixed = shared.filters.map((filter) => fromJson(QueryFilterSchema, filter));
  const { query, queries } = request;
  return create(QueryRequestSchema, {
    ...request,
    ...(query === undefined ? {} : { query: create(QuerySchema, { ...query, filters: [...query.filters, ...fixed] }) }),
    queries: queries.map((one) => create(QuerySchema, { ...one, filters: [...one.filters, ...fixed] })),
  });
}
