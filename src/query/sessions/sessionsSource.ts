import { contextColumns } from "../../aggregation/sessionContext.ts";
import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { bounceSql } from "../sql/measures.ts";
import { liveSessions, sessionsFromEvents } from "./sessionsFromEvents.ts";
import { storedRows } from "./storedSessions.ts";

/** The sessions of a plan as the text after FROM, with the columns of sessionsFromEvents.ts and `bounced`. */
export function sessionsSource(plan: ParameterPlan, dimensions: readonly Field[], bindings: Bindings): string {
  const { stored, type } = plan;
  if (stored === undefined) return withBounces(sessionsFromEvents(plan, dimensions, bindings));
  const groups = dimensions.map((field, index) => `, ${storedColumn(type, field)}::string AS g${index}`);
  const settled =
    "SELECT started, visitor_key, page_count AS page_views, action_count AS actions, click_count AS clicks, " +
    "duration_seconds AS seconds, " +
    `round(duration_seconds * 1000000.0)::long / 1000 AS duration_ms${groups.join("")} ` +
    `FROM ${storedRows(plan, stored.liveRanges, bindings)}${type.only === "page_view" ? " AND page_count > 0" : ""}`;
  const names = dimensions.map((_, index) => `, g${index}`).join("");
  const columns = `started, visitor_key, page_views, actions, clicks, seconds, duration_ms${names}`;
  return withBounces([settled, ...liveSessions(columns, plan, stored, dimensions, bindings)].join(" UNION ALL "));
}

function withBounces(sessions: string): string {
  return `(SELECT *, (${bounceSql}) AS bounced FROM (${sessions}))`;
}

/**
 * The column of stored sessions with the value of a dimension; undefined where they do not have it. Of page views alone
 * they have the first and the last path.
 */
export function storedColumn({ only, shape }: QueryType, { column }: Field): string | undefined {
  const end = (shape.kind === "table" && shape.sessionEnd) || "first";
  if (only === "page_view" && column === "path") return end === "first" ? "entry_page" : "exit_page";
  return only === undefined && end === "first" ? contextColumns.find((name) => name === column) : undefined;
}
