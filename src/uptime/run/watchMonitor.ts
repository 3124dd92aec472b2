import type { LossReason } from "../../observability/metrics.ts";
import { isoTime } from "../../time/utcDay.ts";
import { type DueSlot, lastDueSlot, nextSlotMs } from "../state/slots.ts";
import { advance, type SlotResult } from "../state/state.ts";
import type { KnownMonitor } from "./prepareCheck.ts";
import { type WatchEnd, type WatchedMonitor, type WatchReport, watchMs } from "./watchedMonitor.ts";

export type WatchTools = {
  /** Checks and stores a slot; undefined when the workflow's view of the monitor is out of date. */
  readonly check: (slot: DueSlot, known: KnownMonitor) => Promise<SlotResult | undefined>;
  /** Rejects when the watch has to end at once. */
  readonly sleepUntil: (timeMs: number) => Promise<void>;
  readonly report: (report: WatchReport) => void;
  readonly lost: (reason: LossReason, slots: number) => void;
};

/**
 * Checks a monitor in a steady state at its slots, until a result changes that state, the settings have changed, or the
 * time is up. Nothing but the last slot is lost if it is interrupted: all slots before left the state as it was.
 */
export async function watchMonitor(
  { check, sleepUntil, report, lost }: WatchTools,
  { monitorId, settings, state, lastDueMs: fromMs }: WatchedMonitor,
): Promise<WatchEnd> {
  const { revision, thresholds } = settings;
  const untilMs = Date.now() + watchMs;
  for (let lastDueMs = fromMs; ; ) {
    const nextMs = nextSlotMs(settings, lastDueMs, Date.now());
    if (nextMs > untilMs) return { lastDueMs };
    await sleepUntil(nextMs);
    const { slot: due, skipped } = lastDueSlot(monitorId, settings, nextMs, Date.now());
    if (skipped > 0) lost("skipped", skipped);
    const slot = await check(due, { revision, incidentMs: null });
    if (slot === undefined) return { lastDueMs };
    lastDueMs = due.dueMs;
    const { state: next, expiringCertificateMs } = advance(state, slot, thresholds);
    if (next.status !== state.status || expiringCertificateMs !== undefined) return { lastDueMs, slot };
    report({ lastSlot: isoTime(due.dueMs), status: slot.status, nextSlot: isoTime(due.untilMs) });
  }
}
