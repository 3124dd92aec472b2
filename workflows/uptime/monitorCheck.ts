import { isCancellation, log, proxyLocalActivities } from "@temporalio/workflow";
import type { MonitorSettings } from "../../src/uptime/run/monitorSettings.ts";
import type { KnownMonitor } from "../../src/uptime/run/prepareCheck.ts";
import type { RegionOutcome } from "../../src/uptime/state/quorum.ts";
import type { DueSlot } from "../../src/uptime/state/slots.ts";
import type { SlotResult } from "../../src/uptime/state/state.ts";
import { aliveActivities } from "../activityOptions.ts";
import { checks } from "./checkSinks.ts";
import type { CheckedSlot, ProbeActivities, UptimeActivities } from "./uptimeActivities.ts";

/** A region whose probe does not take the check within this time gives no answer. */
const probeWaitMs = 10_000;
/** Extra time around a check: for an overloaded worker, the store and its log. */
export const marginMs = 30_000;

/**
 * Has a slot checked and stored. If only the service's own worker checks a monitor, this takes a single local activity,
 * the least possible in Temporal. If a check could not be made, that is not the target's fault: the slot is unknown.
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

/** Each region checks independently; those that answered decide. */
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

/** A region without an answer does not count. */
async function answered(check: Promise<RegionOutcome>): Promise<RegionOutcome[]> {
  try {
    return [await check];
  } catch (error) {
    if (isCancellation(error)) throw error;
    return [];
  }
}

/** Activities that this workflow's worker runs itself, without a task queue. */
function here(settings: MonitorSettings) {
  return proxyLocalActivities<UptimeActivities>({ startToCloseTimeout: checkMs(settings) + marginMs, retry });
}

/** A check and its repetition. */
export function checkMs({ timeoutMs }: MonitorSettings): number {
  return 2 * timeoutMs;
}

function unknown({ dueMs }: DueSlot): SlotResult {
  checks.lost("no_answer", 1);
  return { dueMs, status: "unknown", failedRegions: [], inMaintenance: false };
}

/**
 * An activity only fails when its worker stops or a store does not answer; there is time for another attempt within the
 * slot.
 */
const retry = { maximumAttempts: 3, initialInterval: "1 second" } as const;
