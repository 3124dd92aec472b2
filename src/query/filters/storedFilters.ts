import { toJson } from "@bufbuild/protobuf";
import { type QueryFilter, QueryFilterSchema } from "../../gen/lookout/v1/query_pb.ts";

/** Filters as tables store them, in JSON. Operators that may be written with spaces have one spelling. */
export function storedFilters(filters: readonly QueryFilter[]): string {
  return JSON.stringify(
    filters.map((filter) => toJson(QueryFilterSchema, { ...filter, op: filter.op.replaceAll(" ", "_") })),
  );
}
