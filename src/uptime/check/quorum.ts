import type { SlotResult } from "../state/state.ts";
import type { CheckOutcome, CheckStatus } from "./checkTypes.ts";

/** What the check of one region found. */
export type RegionOutcome = { readonly region: string; readonly outcome: CheckOutcome };

/**
 * How a slot ended, from the regions that answered. It is down when more than half of them say so, up when all do, and degraded
 * otherwise: what part of the world sees is no outage, but not well either. A region without an answer has no say; without any the slot
 * is unknown.
 */
export function slotResult(dueMs: number, answers: readonly RegionOutcome[], inMaintenance: boolean): SlotResult {
  const down = answers.filter(({ outcome }) => outcome.status === "down");
  const notUp = answers.filter(({ outcome }) => outcome.status !== "up");
  const status = answers.length === 0 ? "unknown" : statusOf(answers.length, down.length, notUp.length);
  const told = (down[0] ?? notUp[0])?.outcome;
  const expiries = answers.flatMap(({ outcome }) => outcome.sslExpiryMs ?? []);
  return {
    dueMs,
    status,
    error: status === "up" ? undefined : told?.error,
    failedRegions: down.map(({ region }) => region).sort(),
    inMaintenance,
    sslExpiryMs: expiries.length === 0 ? undefined : Math.min(...expiries),
  };
}

function statusOf(answers: number, down: number, notUp: number): CheckStatus {
  if (down * 2 > answers) return "down";
  return notUp === 0 ? "up" : "degraded";
}
