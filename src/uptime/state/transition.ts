import type { IncidentChange } from "./state.ts";

/** What the world is to know of a monitor. Recording one twice, or two in another order, leaves the same behind. */
export type Transition =
  | { readonly kind: "incident"; readonly monitorId: string; readonly dueMs: number; readonly change: IncidentChange }
  /** The monitor was deleted while its incident was open: nobody is told that it is up again. */
  | { readonly kind: "abandoned"; readonly monitorId: string; readonly dueMs: number; readonly change: IncidentChange }
  | {
      readonly kind: "certificateExpiring";
      readonly monitorId: string;
      readonly dueMs: number;
      readonly expiryMs: number;
    };

/** The id of an incident: the same beginning always makes the same one. */
export function incidentId(monitorId: string, startedMs: number): string {
  return `${monitorId}/${startedMs}`;
}
