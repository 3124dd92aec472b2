import { isCancellation, log, proxyLocalActivities } from "@temporalio/workflow";
import type { RegionOutcome } from "../../src/uptime/check/quorum.ts";
import type { MonitorSettings } from "../../src/uptime/run/monitorSettings.ts";
import type { KnownMonitor } from "../../src/uptime/run/prepareCheck.ts";
import type { DueSlot } from "../../src/uptime/state/slots.ts";
import type { SlotResult } from "../../src/uptime/state/state.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { CheckedSlot, ProbeActivities, UptimeActivities } from "./uptimeActivities.ts";

/** A probe whose region has nobody who takes the check within this time is silent. */
const probeWaitMs = 10_000;
/** For what comes around a check: an overloaded worker, the store and its log. */
const marginMs = 30_000;

/**
 * Has a slot checked and stored. A monitor that only the service's own worker checks needs one local activity for it, which is the
 * least that Temporal can do. What keeps a check from being made is no fault of the target: the slot is then unknown.
 */
export async function checkSlot(
  settings: MonitorSettings,
  slot: DueSlot,
  incidentMs: number | null | undefined,
): Promise<CheckedSlot> {
  const known: KnownMonitor = { revision: settings.revision, ...(incidentMs === undefined ? {} : { incidentMs }) };
  try {
    if (settings.probes.length > 0) return await checkInRegions(settings, slot, known);
    return await here(settings).checkAndStore(slot, known);
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn("A slot was not checked", { dueMs: slot.dueMs, error });
    return { kind: "checked", slot: unknown(slot) };
  }
}

/** Each region checks by itself; those that answered decide. */
async function checkInRegions(settings: MonitorSettings, slot: DueSlot, known: KnownMonitor): Promise<CheckedSlot> {
  const { sealCheck, checkFromHere, storeSlot } = here(settings);
  const sealed = await sealCheck(slot, known);
  if (sealed.kind !== "sealed") return sealed;
  const { target } = sealed;
  const own = settings.checksHere ? [checkFromHere(slot)] : [];
  const others = target === null ? [] : settings.probes.map((region) => checkFromProbe(settings, region, slot, target));
  const answers = (await Promise.all([...own, ...others].map(answered))).flat();
  return { kind: "checked", slot: answers.length === 0 ? unknown(slot) : await storeSlot(slot, answers) };
}

async function checkFromProbe(
  settings: MonitorSettings,
  region: string,
  slot: DueSlot,
  sealedTarget: string,
): Promise<RegionOutcome> {
  const { probeCheck } = aliveActivities<ProbeActivities>({
    taskQueue: `lookout-probe-${region}`,
    scheduleToStartTimeout: probeWaitMs,
    startToCloseTimeout: checkMs(settings) + probeWaitMs,
    retry: { maximumAttempts: 1 },
  });
  return await probeCheck.executeWithOptions({ summary: region }, [slot, sealedTarget]);
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

/** What the worker of this workflow does itself, without a task queue in between. */
function here(settings: MonitorSettings) {
  return proxyLocalActivities<UptimeActivities>({ startToCloseTimeout: checkMs(settings) + marginMs, retry });
}

/** A check and its repetition. */
function checkMs({ timeoutMs }: MonitorSettings): number {
  return 2 * timeoutMs;
}

function unknown({ dueMs }: DueSlot): SlotResult {
  return { dueMs, status: "unknown", failedRegions: [], inMaintenance: false };
}

/** An activity only fails when its worker stops or a store does not answer; the slot has its time for another try. */
const retry = { maximumAttempts: 3, initialInterval: "1 second" } as const;
