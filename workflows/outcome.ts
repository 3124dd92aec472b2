import { patched, upsertSearchAttributes } from "@temporalio/workflow";
import { lookoutOutcome } from "../src/store/temporal/searchAttributes.ts";

/** How the work of a run ended, for operators who search for it. */
export type Outcome =
  | "completed"
  | "expired"
  | "failed"
  | "cancelled"
  | "delivered"
  | "erased"
  | "moved"
  | "resolved"
  /** There was nothing to do any more. */
  | "obsolete";

/** Shows the outcome of a run. False for a run that got there before outcomes were shown: it ends as it did then. */
export function showOutcome(outcome: Outcome): boolean {
  const isShown = patched(`outcome-${outcome}`);
  if (isShown) upsertSearchAttributes([{ key: lookoutOutcome, value: outcome }]);
  return isShown;
}
