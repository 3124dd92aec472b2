import type { QueryType } from "../catalogue/queryType.ts";
import { measuresOf } from "../catalogue/typeParts.ts";
import type { Filter } from "../sql/filters.ts";
import { eventFilters } from "../visits/splitFilters.ts";

/**
 * A type as a question with these filters asks it. Where they select events, the page views of visits are those that they select, often none:
 * then the shares of a breakdown of visits are those of its sessions.
 */
export function typeWithShares(type: QueryType, filters: readonly Filter[]): QueryType {
  if (eventFilters(filters).length === 0 || !measuresOf(type).includes("active_sessions")) return type;
  const fields = type.fields.map((field) =>
    "share" in field.from && field.from.share === "pageviews"
      ? { ...field, from: { share: "active_sessions" as const } }
      : field,
  );
  return { ...type, fields };
}
