import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { rowKinds } from "../sql/measures.ts";
import { type Grouping, nearSessions, ofEvents, ofUntoldSessions, storedTimes } from "./eventsOfSessions.ts";
import { sessionsByColumns } from "./sessionsByColumns.ts";
import type { StoredSessions } from "./storedSessions.ts";
import { isContextColumn, untoldOfFields } from "./untold.ts";

/**
 * How stored sessions take part where sessions are counted by what their events tell: by their own columns, or by telling for each event
 * which session it belongs to, where only few events are asked about. Undefined where they do not help.
 */
export function groupingOf({ only, shape }: QueryType, dimensions: readonly Field[]): "columns" | "events" | undefined {
  if (only !== undefined) return rowKinds[only] === rowKinds.custom ? "events" : undefined;
  const areColumns = dimensions.length > 0 && dimensions.every(({ column }) => isContextColumn(column));
  return areColumns && shape.kind === "table" && shape.withoutValue !== undefined ? "columns" : undefined;
}

/**
 * The sessions of each group, as statements whose rows add up: `bucket` in a series, the values g0, g1 … of the dimensions (null or empty
 * without one), and `sessions`. Ends of page views do not make a session count. A row with no session may be of no group at all.
 *
 * Grouped by `events` they are what must be added to the distinct session keys of the group.
 */
export function sessionGroups(
  plan: ParameterPlan,
  stored: StoredSessions,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  if (groupingOf(plan.type, grouping.dimensions) === "events") {
    const sessions = [
      storedTimes(plan, stored, ["action_count > 0"], bindings),
      ...stored.windows.map((window) => nearSessions(plan, stored, window, bindings)),
    ];
    const counted = `SELECT *, count() OVER (PARTITION BY session_key) AS of_key FROM (${sessions.join(" UNION ALL ")})`;
    const ofSeveral = `SELECT session_key, began, last FROM (${counted}) WHERE of_key > 1`;
    return [ofEvents(plan, ofSeveral, furtherSessions, grouping, bindings)];
  }
  const { isUntold } = untoldOfFields(grouping.dimensions);
  return [
    ...sessionsByColumns(plan, stored, grouping.dimensions, bindings),
    ...ofUntoldSessions(plan, stored, isUntold, allSessions, grouping, bindings),
  ];
}

const allSessions = "count_distinct(session) AS sessions";

/** What distinct session keys miss of the sessions. */
const furtherSessions = "count_distinct(session) - count_distinct(event_session_key) AS sessions";
