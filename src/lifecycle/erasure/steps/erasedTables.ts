import { type DeletionScope, derivedTargetsOf, targetsOf } from "../deletion/deletionScope.ts";
import { hasIncidents } from "./incidents.ts";

/** The tables that an erasure takes rows from, or whose rows it computes again. */
export function erasedTables(scope: DeletionScope): ReadonlySet<string> {
  const targets = [...targetsOf(scope), ...derivedTargetsOf(scope)];
  return new Set([...targets.map(({ table }) => table), ...(hasIncidents(scope) ? ["incidents"] : [])]);
}
