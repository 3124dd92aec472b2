import type { QueryType } from "../../../src/query/catalogue/queryType.ts";
import { type MeasureName, measureOf } from "../../../src/query/sql/measures.ts";
import { measuresOfVisits, oracleFields } from "./oracleDefinitions.ts";

/**
 * What a figure is counted from. `sessions`: whole visits; `visits`: visits with their selected events, and events that stand for
 * themselves; `events`: single events; the others are rows of their tables.
 */
export type OracleSource =
  | "sessions"
  | "visits"
  | "events"
  | "outgoing_links"
  | "performance_metrics"
  | "script_errors";

const tables: readonly OracleSource[] = ["outgoing_links", "performance_metrics", "script_errors"];

/** What a type counts a measure from. */
export function sourceOf({ only, shape, name: typeName }: QueryType, name: MeasureName): OracleSource {
  const { relation } = measureOf(name);
  if (relation === "sessions") return "sessions";
  if (relation === "events") {
    const dimensions = shape.kind === "table" ? shape.dimensions : [];
    const isOfVisits = dimensions.every((dimension) => oracleFields[dimension]?.isOfVisits);
    const isOfKind = only === undefined || only === "page_view" || only === "custom";
    return isOfVisits && isOfKind && name in measuresOfVisits ? "visits" : "events";
  }
  const table = tables.find((source) => source === relation);
  if (table === undefined) throw new Error(`the oracle knows no ${relation}, which ${typeName} counts`);
  return table;
}
