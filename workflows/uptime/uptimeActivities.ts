import { Context } from "@temporalio/activity";
import type { Pool } from "pg";
import type { Config } from "../../src/config.ts";
import type { Metrics } from "../../src/observability/metrics.ts";
import type { Keyring } from "../../src/secrets/keyring.ts";
import type { CheckTarget } from "../../src/uptime/check/checkTypes.ts";
import { runCheck } from "../../src/uptime/check/runCheck.ts";
import { openTarget, sealTarget } from "../../src/uptime/check/sealedTarget.ts";
import { announceTransition } from "../../src/uptime/notifications/announceTransition.ts";
import { startPlannedDeliveries } from "../../src/uptime/notifications/startPlannedDeliveries.ts";
import { openMonitorDirectory } from "../../src/uptime/run/monitorDirectory.ts";
import type { MonitorNow } from "../../src/uptime/run/monitorSettings.ts";
import { type KnownMonitor, prepareCheck } from "../../src/uptime/run/prepareCheck.ts";
import { type Reconciled, type ReconcileTools, reconcileMonitors } from "../../src/uptime/run/reconcileMonitors.ts";
import type { RegionOutcome } from "../../src/uptime/state/quorum.ts";
import { recordGrowth } from "../../src/uptime/state/recordTransition.ts";
import { recordUncheckedSlot } from "../../src/uptime/state/recordUncheckedSlot.ts";
import type { DueSlot } from "../../src/uptime/state/slots.ts";
import type { IncidentChange, SlotResult } from "../../src/uptime/state/state.ts";
import { type SlotStores, storeSlot } from "../../src/uptime/state/storeSlot.ts";
import type { Transition } from "../../src/uptime/state/transition.ts";

export type UptimeActivities = ReturnType<typeof createUptimeActivities>;

export type ProbeActivities = ReturnType<typeof createProbeActivities>;

type CheckMetrics = { readonly metrics: Pick<Metrics, "checkLatenessSeconds"> };

export type UptimeStores = SlotStores &
  CheckMetrics &
  ReconcileTools & { readonly postgres: Pick<Pool, "connect">; readonly keyring: Keyring };

type CheckConfig = Pick<Config["uptime"], "allowedRanges" | "maxBodyBytes" | "region">;

/** The result of a slot, or that the monitor has changed since the workflow loaded it, so that it was not checked. */
export type CheckedSlot =
  | { readonly kind: "checked"; readonly slot: SlotResult }
  | { readonly kind: "changed"; readonly now: MonitorNow };

/** The encrypted request for the probes; null without a key. */
export type SealedCheck = { readonly kind: "sealed"; readonly target: string | null };

/** The activity of a probe: it checks from its region and stores nothing. */
export function createProbeActivities(tools: CheckMetrics, config: CheckConfig, probeKey: string) {
  return {
    async probeCheck(slot: DueSlot, sealedTarget: string): Promise<RegionOutcome> {
      return await checkFrom(tools, config, slot, openTarget(sealedTarget, probeKey));
    },
  };
}

/**
 * The activities of monitors. Arguments and results are stored in Temporal's histories. What a check sends may be
 * secret, so it is read here and not passed on.
 */
export function createUptimeActivities(
  stores: UptimeStores,
  config: CheckConfig & Pick<Config["uptime"], "probeKey" | "cachedMonitors">,
) {
  const { postgres, keyring, log } = stores;
  const monitors = openMonitorDirectory(postgres, keyring, log, {
    ownRegion: config.region,
    maxKept: config.cachedMonitors,
  });

  /** Runs `check` for a slot unless there is nothing to check. */
  async function checkIfDue<T>(
    slot: DueSlot,
    known: KnownMonitor,
    check: (target: CheckTarget) => Promise<T>,
  ): Promise<T | CheckedSlot> {
    const prepared = await prepareCheck(monitors, slot, known);
    if (prepared.kind === "changed") return prepared;
    if (prepared.kind === "ready") return await check(prepared.target);
    stores.metrics.checksLost.inc({ reason: "too_late" });
    await recordUncheckedSlot(postgres, slot).catch((error: unknown) =>
      log.warn({ err: error, monitorId: slot.monitorId }, "a slot that was not checked could not be recorded"),
    );
    return { kind: "checked", slot: tooLate(slot.dueMs) };
  }

  async function store(slot: DueSlot, answers: readonly RegionOutcome[]): Promise<SlotResult> {
    return await storeSlot(stores, slot, answers, Context.current().cancellationSignal);
  }

  return {
    /** The current state of a monitor. */
    async loadMonitor(monitorId: string): Promise<MonitorNow> {
      const { settings, incident } = await monitors.find(monitorId);
      return { settings, ...(incident === undefined ? {} : { incident }) };
    },

    /** Checks and stores a slot. A repetition after a crash replaces what was stored. */
    async checkAndStore(slot: DueSlot, known: KnownMonitor): Promise<CheckedSlot> {
      return await checkIfDue(slot, known, async (target) => {
        const answer = await checkFrom(stores, config, slot, target);
        return { kind: "checked", slot: await store(slot, [answer]) };
      });
    },

    /** Encrypts the request that the probes send for a slot. */
    async sealCheck(slot: DueSlot, known: KnownMonitor): Promise<SealedCheck | CheckedSlot> {
      return await checkIfDue(slot, known, async (target) => {
        if (config.probeKey !== undefined) return { kind: "sealed", target: sealTarget(target, config.probeKey) };
        log.warn({ monitorId: slot.monitorId }, "probes of other regions cannot check: set UPTIME_PROBE_KEY");
        return { kind: "sealed", target: null };
      });
    },

    /** Checks a slot from the region of this worker, alongside the probes. */
    async checkFromHere(slot: DueSlot): Promise<RegionOutcome> {
      const { target } = await monitors.find(slot.monitorId);
      if (target === null) throw new Error("The monitor was deleted meanwhile");
      return await checkFrom(stores, config, slot, target);
    },

    /** Decides the status of a slot from the regions' answers and stores it. */
    async storeSlot(slot: DueSlot, answers: readonly RegionOutcome[]): Promise<SlotResult> {
      return await store(slot, answers);
    },

    /** Records a transition and notifies the channels. */
    async recordTransition(transition: Transition): Promise<void> {
      await announceTransition(stores, transition);
    },

    /** Records how an open incident has grown. */
    async recordGrowth(monitorId: string, change: IncidentChange): Promise<void> {
      await recordGrowth(postgres, monitorId, change);
    },

    async reconcileMonitors(): Promise<Reconciled> {
      await startPlannedDeliveries(stores, log);
      return await reconcileMonitors(stores, Context.current().cancellationSignal);
    },
  };
}

async function checkFrom(
  { metrics }: CheckMetrics,
  { region, allowedRanges, maxBodyBytes }: CheckConfig,
  { dueMs, untilMs }: DueSlot,
  target: CheckTarget,
): Promise<RegionOutcome> {
  metrics.checkLatenessSeconds.observe(Math.max(0, Date.now() - dueMs) / 1_000);
  const signal = Context.current().cancellationSignal;
  const settings = { allowed: allowedRanges, maxBodyBytes, signal, recheckUntilMs: untilMs };
  return { region, outcome: await runCheck(target, settings) };
}

function tooLate(dueMs: number): SlotResult {
  const error = "The service could not check in time";
  return { dueMs, status: "unknown", error, failedRegions: [], inMaintenance: false };
}
