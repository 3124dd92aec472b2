import type { QueryType } from "../catalogue/queryType.ts";
import { dimensionsOf } from "../groupedRows.ts";
import { measuresOf } from "../measuredStatement.ts";
import { measureOf } from "../measures.ts";
import { groupingOf } from "./storedGroups.ts";
import { areStored } from "./storedSessionsSource.ts";
import { type Untold, untoldOfFields } from "./untold.ts";

/** Whether stored sessions can take part in the answers of a type. */
export function usesStoredSessions(type: QueryType): boolean {
  if (!["summary", "series", "table"].includes(type.shape.kind)) return false;
  const names = measuresOf(type);
  const ofSessions = names.filter((name) => measureOf(name).relation === "sessions");
  if (ofSessions.length > 0) return areStored(type, dimensionsOf(type), ofSessions);
  return names.includes("active_sessions") && groupingOf(type, dimensionsOf(type)) !== undefined;
}

/** The stored sessions whose events a type must ask; undefined where it counts no sessions by their columns. */
export function untoldOf(type: QueryType): Untold | undefined {
  const isByColumns =
    measuresOf(type).includes("active_sessions") && groupingOf(type, dimensionsOf(type)) === "columns";
  return isByColumns ? untoldOfFields(dimensionsOf(type)) : undefined;
}
