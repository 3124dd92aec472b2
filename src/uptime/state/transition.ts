import type { IncidentChange } from "./state.ts";

/** A change that is recorded and notified. Recording one twice, or two in another order, gives the same result. */
export type Transition =
  | { readonly kind: "incident"; readonly monitorId: string; readonly dueMs: number; readonly change: IncidentChange }
  /** The monitor was deleted while its incident was open: no recovery is notified. */
  | { readonly kind: "abandoned"; readonly monitorId: string; readonly dueMs: number; readonly change: IncidentChange }
  | {
      readonly kind: "certificateExpiring";
      readonly monitorId: string;
      readonly dueMs: number;
      readonly expiryMs: number;
    };

/** The id of an incident, derived from its monitor and start. */
export function incidentId(monitorId: string, startedMs: number): string {
  return `${monitorId}/${startedMs}`;
}
