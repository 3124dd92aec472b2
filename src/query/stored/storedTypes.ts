import type { ParameterPlan } from "../plan/parameterPlan.ts";
import { dimensionsOf } from "../shapes/groupedRows.ts";
import { measuresOf } from "../shapes/measuresOf.ts";
import { measureOf } from "../sql/measures.ts";
import { tellsFigures, untoldOfFigures } from "./storedFigures.ts";
import { groupingOf } from "./storedGroups.ts";
import { areStored } from "./storedSessionsSource.ts";
import { type Untold, untoldOfFields } from "./untold.ts";

/** Whether stored sessions can take part in the answer to a parameter. */
export function usesStoredSessions(plan: ParameterPlan): boolean {
  const { type } = plan;
  if (!["summary", "series", "table"].includes(type.shape.kind)) return false;
  const names = measuresOf(type);
  const ofSessions = names.filter((name) => measureOf(name).relation === "sessions");
  if (ofSessions.length > 0) return areStored(type, dimensionsOf(type), ofSessions);
  if (names.includes("active_sessions") && groupingOf(type, dimensionsOf(type)) !== undefined) return true;
  return tellsFigures(plan);
}

/** The stored sessions whose events must be asked; undefined where nothing is taken from their columns that those may not tell. */
export function untoldOf(plan: ParameterPlan): Untold | undefined {
  const { type } = plan;
  if (tellsFigures(plan)) return untoldOfFigures(type);
  const isByColumns =
    measuresOf(type).includes("active_sessions") && groupingOf(type, dimensionsOf(type)) === "columns";
  return isByColumns ? untoldOfFields(dimensionsOf(type)) : undefined;
}
