import type { QueryType } from "../catalogue/queryType.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { Bindings } from "../sql/bindings.ts";
import type { Field } from "../sql/fields.ts";
import { rowKinds } from "../sql/measures.ts";
import { ambiguityOfFields, isContextColumn } from "./ambiguousSessions.ts";
import {
  eventFigures,
  figuresFromEvents,
  type Grouping,
  liveSessions,
  storedSessionSpans,
} from "./eventsOfSessions.ts";
import { sessionsByColumns } from "./sessionsByColumns.ts";
import type { StoredSessions } from "./storedSessions.ts";

/**
 * How stored sessions help to count sessions by properties of their events: "columns" groups them by their own columns,
 * "events" uses them to assign events to sessions, which pays where only few events are selected. Undefined where they
 * do not help.
 */
export function groupingOf({ only, shape }: QueryType, dimensions: readonly Field[]): "columns" | "events" | undefined {
  if (only !== undefined) return rowKinds[only] === rowKinds.custom ? "events" : undefined;
  const areColumns = dimensions.length > 0 && dimensions.every(({ column }) => isContextColumn(column));
  return areColumns && shape.kind === "table" && shape.withoutValue !== undefined ? "columns" : undefined;
}

/**
 * The sessions of each group, as statements whose rows add up: `bucket` in a series, the values g0, g1 … of the
 * dimensions (null or empty for none), and `sessions`. page_exit events do not make a session count. A row with no
 * session may belong to no group at all.
 *
 * Grouped by `events` they are what must be added to the number of distinct session keys of the group.
 */
export function sessionGroups(
  plan: ParameterPlan,
  stored: StoredSessions,
  grouping: Grouping,
  bindings: Bindings,
): string[] {
  if (groupingOf(plan.type, grouping.dimensions) === "events") {
    const sessions = [
      storedSessionSpans(plan, stored, ["action_count > 0"], bindings),
      ...stored.windows.map((window) => liveSessions(plan, stored, window, bindings)),
    ];
    const counted = `SELECT *, count() OVER (PARTITION BY session_key) AS of_key FROM (${sessions.join(" UNION ALL ")})`;
    const ofSeveral = `SELECT session_key, began, last FROM (${counted}) WHERE of_key > 1`;
    return [eventFigures(plan, ofSeveral, furtherSessions, grouping, bindings)];
  }
  const { isAmbiguous } = ambiguityOfFields(grouping.dimensions);
  return [
    ...sessionsByColumns(plan, stored, grouping.dimensions, bindings),
    ...figuresFromEvents(plan, stored, isAmbiguous, allSessions, grouping, bindings),
  ];
}

const allSessions = "count_distinct(session) AS sessions";

/** Sessions beyond the first of each session key. */
const furtherSessions = "count_distinct(session) - count_distinct(event_session_key) AS sessions";
