import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { dimensionsOf } from "../shapes/groupedRows.ts";
import { measuresOf } from "../shapes/measuresOf.ts";
import { measureOf } from "../sql/measures.ts";
import { type Ambiguity, ambiguityOfFields } from "./ambiguousSessions.ts";
import { groupingOf } from "./storedGroups.ts";
import { areStored } from "./storedSessionsSource.ts";

/** Whether stored sessions can be used for the answer to a parameter. */
export function usesStoredSessions(plan: ParameterPlan): boolean {
  const { type } = plan;
  if (!["summary", "series", "table"].includes(type.shape.kind)) return false;
  const names = measuresOf(type);
  const ofSessions = names.filter((name) => measureOf(name).relation === "sessions");
  if (ofSessions.length > 0) return areStored(type, dimensionsOf(type), ofSessions);
  return names.includes("active_sessions") && groupingOf(type, dimensionsOf(type)) !== undefined;
}

/** Which stored sessions are ambiguous for this plan; undefined where none of their columns is used for groups. */
export function ambiguityOf(plan: ParameterPlan): Ambiguity | undefined {
  const { type } = plan;
  const isByColumns =
    measuresOf(type).includes("active_sessions") && groupingOf(type, dimensionsOf(type)) === "columns";
  return isByColumns ? ambiguityOfFields(dimensionsOf(type)) : undefined;
}
