import { isCancellation, log, proxyActivities, proxyLocalActivities } from "@temporalio/workflow";
import type { MonitorSettings } from "../src/uptime/monitorSettings.ts";
import type { RegionOutcome } from "../src/uptime/quorum.ts";
import type { DueSlot } from "../src/uptime/slots.ts";
import type { SlotResult } from "../src/uptime/state.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

/** A probe whose region has nobody who takes the check within this time is silent. */
const probeWaitMs = 10_000;
/** For what comes around a check: an overloaded worker, the store and its log. */
const marginMs = 30_000;

/**
 * Has a slot checked and stored. A monitor that only the service's own worker checks needs one local activity for it, which is the
 * least that Temporal can do. What keeps a check from being made is no fault of the target: the slot is then unknown.
 */
export async function checkSlot(settings: MonitorSettings, dueMs: number): Promise<SlotResult> {
  try {
    return settings.probes.length === 0 ? await checkHere(settings, dueMs) : await checkInRegions(settings, dueMs);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn("A slot was not checked", { dueMs, error });
    return unknown(dueMs);
  }
}

async function checkHere(settings: MonitorSettings, dueMs: number): Promise<SlotResult> {
  const { checkAndStore } = proxyLocalActivities<UptimeActivities>({
    startToCloseTimeout: checkMs(settings) + marginMs,
    retry,
  });
  return await checkAndStore(slotOf(settings, dueMs), settings.target);
}

/** Each region checks by itself; those that answered decide. */
async function checkInRegions(settings: MonitorSettings, dueMs: number): Promise<SlotResult> {
  const { target, checksHere, probes } = settings;
  const slot = slotOf(settings, dueMs);
  const { probeCheck, storeSlot } = proxyLocalActivities<UptimeActivities>({
    startToCloseTimeout: checkMs(settings) + marginMs,
    retry,
  });
  const own = checksHere ? [probeCheck(slot, target)] : [];
  const others = probes.map((region) =>
    proxyActivities<UptimeActivities>({
      taskQueue: `lookout-probe-${region}`,
      scheduleToStartTimeout: probeWaitMs,
      startToCloseTimeout: checkMs(settings) + probeWaitMs,
      retry: { maximumAttempts: 1 },
    }).probeCheck.executeWithOptions({ summary: region }, [slot, target]),
  );
  const answers = (await Promise.all([...own, ...others].map(answered))).flat();
  return answers.length === 0 ? unknown(dueMs) : await storeSlot(slot, answers);
}

/** A region that does not answer has nothing to say. */
async function answered(check: Promise<RegionOutcome>): Promise<RegionOutcome[]> {
  try {
    return [await check];
  } catch (error) {
    if (isCancellation(error)) throw error;
    return [];
  }
}

function slotOf({ monitorId, websiteId, intervalMs }: MonitorSettings, dueMs: number): DueSlot {
  return { monitorId, websiteId, dueMs, untilMs: dueMs + intervalMs };
}

/** A check and its repetition. */
function checkMs({ target }: MonitorSettings): number {
  return 2 * target.timeoutMs;
}

function unknown(dueMs: number): SlotResult {
  return { dueMs, status: "unknown", failedRegions: [], inMaintenance: false };
}

/** An activity only fails when its worker stops or its store is full; the slot has its time for another try. */
const retry = { maximumAttempts: 3, initialInterval: "1 second" } as const;
