import type { CheckOutcome, CheckStatus } from "../check/checkTypes.ts";
import type { SlotResult } from "./state.ts";

/** The result of one region's check. */
export type RegionOutcome = { readonly region: string; readonly outcome: CheckOutcome };

/**
 * The result of a slot, from the regions that answered. It is down when more than half of them are down, up when all
 * are up, and degraded otherwise: a partial failure is no outage. Regions without an answer do not count; without any
 * answer the slot is unknown.
 */
export function slotResult(dueMs: number, answers: readonly RegionOutcome[], inMaintenance: boolean): SlotResult {
  const down = answers.filter(({ outcome }) => outcome.status === "down");
  const notUp = answers.filter(({ outcome }) => outcome.status !== "up");
  const status = answers.length === 0 ? "unknown" : statusOf(answers.length, down.length, notUp.length);
  const failing = (down[0] ?? notUp[0])?.outcome;
  const expiries = answers.flatMap(({ outcome }) => outcome.sslExpiryMs ?? []);
  return {
    dueMs,
    status,
    error: status === "up" ? undefined : failing?.error,
    failedRegions: down.map(({ region }) => region).sort(),
    inMaintenance,
    sslExpiryMs: expiries.length === 0 ? undefined : Math.min(...expiries),
  };
}

function statusOf(answers: number, down: number, notUp: number): CheckStatus {
  if (down * 2 > answers) return "down";
  return notUp === 0 ? "up" : "degraded";
}
