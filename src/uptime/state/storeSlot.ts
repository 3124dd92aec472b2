import type { Logger } from "pino";
import { retry } from "../../concurrency/retry.ts";
import type { Metrics } from "../../observability/metrics.ts";
import type { AcceptedRows } from "../../store/write/acceptedRows.ts";
import type { MaintenanceWindows } from "../maintenance/maintenanceWindows.ts";
import { checkRows } from "./checkRows.ts";
import { type RegionOutcome, slotResult } from "./quorum.ts";
import type { DueSlot } from "./slots.ts";
import type { SlotResult } from "./state.ts";

export type SlotStores = {
  readonly checks: Pick<AcceptedRows, "write">;
  readonly windows: MaintenanceWindows;
  readonly log: Pick<Logger, "error" | "warn">;
  readonly metrics: Pick<Metrics, "checksLost">;
};

/** The rows of a late slot are tried for at least this time. */
const minTimeoutMs = 5_000;

/**
 * Decides the status of a slot and stores its regions' results. Resolves when the rows are in the log. When the log
 * is full the rows are lost and that is logged: the monitor continues, and the slot counts as unknown. Rejects with the
 * signal's reason.
 */
export async function storeSlot(
  { checks, windows, log, metrics }: SlotStores,
  slot: DueSlot,
  answers: readonly RegionOutcome[],
  signal: AbortSignal,
): Promise<SlotResult> {
  const inMaintenance = await windows.covers(slot.websiteId, slot.monitorId, slot.dueMs);
  const result = slotResult(slot.dueMs, answers, inMaintenance);
  const rows = checkRows(slot, answers, result.status);
  const { monitorId, dueMs } = slot;
  try {
    await retry(() => checks.write(rows), {
      minWaitMs: 250,
      maxWaitMs: 5_000,
      giveUpAfterMs: Math.max(minTimeoutMs, slot.untilMs - Date.now()),
      stop: signal,
      onRetry: (error, waitMs) =>
        log.warn({ err: error, monitorId, waitMs }, "a check could not be stored, trying again"),
    });
  } catch (error) {
    signal.throwIfAborted();
    metrics.checksLost.inc({ reason: "not_stored" });
    log.error({ err: error, monitorId, dueMs, rows }, "a check is lost; give LOG_MAX_BYTES more room");
  }
  return result;
}
