import { Context } from "@temporalio/activity";
import type { Pool } from "pg";
import type { Config } from "../src/config.ts";
import { runCheck } from "../src/uptime/check/runCheck.ts";
import type { CheckTarget } from "../src/uptime/checkTypes.ts";
import { announceTransition } from "../src/uptime/notices/announceTransition.ts";
import { startPlannedDeliveries } from "../src/uptime/notices/startPlannedDeliveries.ts";
import type { RegionOutcome } from "../src/uptime/quorum.ts";
import { type Reconciled, reconcileMonitors } from "../src/uptime/reconcileMonitors.ts";
import { recordGrowth } from "../src/uptime/recordTransition.ts";
import type { DueSlot } from "../src/uptime/slots.ts";
import type { IncidentChange, SlotResult } from "../src/uptime/state.ts";
import { type SlotStores, storeSlot } from "../src/uptime/storeSlot.ts";
import type { TellTools } from "../src/uptime/tellMonitor.ts";
import type { Transition } from "../src/uptime/transition.ts";

export type UptimeActivities = ReturnType<typeof createUptimeActivities>;

export type UptimeStores = SlotStores & TellTools & { readonly postgres: Pick<Pool, "connect"> };

type CheckConfig = Pick<Config["uptime"], "allowedRanges" | "maxBodyBytes">;

/** What a probe does: it checks from where it is and stores nothing. */
export function createProbeActivities(region: string, { allowedRanges, maxBodyBytes }: CheckConfig) {
  return {
    async probeCheck({ untilMs }: DueSlot, target: CheckTarget): Promise<RegionOutcome> {
      const signal = Context.current().cancellationSignal;
      const settings = { allowed: allowedRanges, maxBodyBytes, signal, recheckUntilMs: untilMs };
      return { region, outcome: await runCheck(target, settings) };
    },
  };
}

/** What the workflows of monitors may do to the world. */
export function createUptimeActivities(stores: UptimeStores, config: CheckConfig & Pick<Config["uptime"], "region">) {
  const probe = createProbeActivities(config.region, config);
  return {
    ...probe,

    /** Checks and stores a slot. Doing it again, after a crash in the middle, replaces what was stored. */
    async checkAndStore(slot: DueSlot, target: CheckTarget): Promise<SlotResult> {
      const answer = await probe.probeCheck(slot, target);
      return await storeSlot(stores, slot, [answer], Context.current().cancellationSignal);
    },

    /** Decides and stores a slot from what the regions found. */
    async storeSlot(slot: DueSlot, answers: readonly RegionOutcome[]): Promise<SlotResult> {
      return await storeSlot(stores, slot, answers, Context.current().cancellationSignal);
    },

    /** Records what changed, and tells those who are to know of it. */
    async recordTransition(transition: Transition): Promise<void> {
      await announceTransition(stores, transition);
    },

    /** How an open incident has grown since. */
    async recordGrowth(monitorId: string, change: IncidentChange): Promise<void> {
      await recordGrowth(stores.postgres, monitorId, change);
    },

    async reconcileMonitors(): Promise<Reconciled> {
      const context = Context.current();
      await startPlannedDeliveries(stores, stores.log, () => context.heartbeat());
      return await reconcileMonitors(stores, stores.log, () => context.heartbeat(), context.cancellationSignal);
    },
  };
}
