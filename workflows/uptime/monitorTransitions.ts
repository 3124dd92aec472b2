import { condition, isCancellation, log, proxyLocalActivities } from "@temporalio/workflow";
import type { Advance, IncidentChange, OpenIncident } from "../../src/uptime/state/state.ts";
import type { Transition } from "../../src/uptime/state/transition.ts";
import { aliveActivities } from "../activityOptions.ts";
import type { UptimeActivities } from "./uptimeActivities.ts";

const { recordTransition } = aliveActivities<UptimeActivities>({ startToCloseTimeout: "30 seconds" });

const { recordGrowth } = proxyLocalActivities<UptimeActivities>({
  startToCloseTimeout: "10 seconds",
  retry: { maximumAttempts: 1 },
});

/**
 * Transitions in flight to PostgreSQL, sent one at a time and in order. Checks continue meanwhile, even if PostgreSQL
 * is unavailable.
 */
export class TransitionQueue {
  readonly #monitorId: string;
  #waiting: readonly Transition[];
  #isRunning = false;

  constructor(monitorId: string, waiting: readonly Transition[]) {
    this.#monitorId = monitorId;
    this.#waiting = waiting;
    this.#run();
  }

  /** Transitions not known to be recorded yet. */
  get waiting(): readonly Transition[] {
    return this.#waiting;
  }

  /** Queues what a slot changed. */
  add(dueMs: number, { incident, expiringCertificateMs }: Advance): void {
    const monitorId = this.#monitorId;
    const certificate =
      expiringCertificateMs === undefined
        ? []
        : [{ kind: "certificateExpiring", monitorId, dueMs, expiryMs: expiringCertificateMs } as const];
    // The next slot reports the growth of an incident again, so it is not worth waiting for.
    if (incident?.kind === "updated") void this.#grow(monitorId, incident);
    const opened =
      incident === undefined || incident.kind === "updated"
        ? []
        : [{ kind: "incident", monitorId, dueMs, change: incident } as const];
    this.#push([...opened, ...certificate]);
  }

  /** Ends the incident of a deleted monitor. */
  abandon(nowMs: number, incident: OpenIncident): void {
    const monitorId = this.#monitorId;
    const { startedMs, firstError, checksAffected, regions } = incident;
    const change = { kind: "resolved", startedMs, resolvedMs: nowMs, firstError, checksAffected, regions } as const;
    this.#push([{ kind: "abandoned", monitorId, dueMs: nowMs, change }]);
  }

  async whenRecorded(): Promise<void> {
    await condition(() => this.#waiting.length === 0);
  }

  #push(transitions: readonly Transition[]): void {
    this.#waiting = [...this.#waiting, ...transitions];
    this.#run();
  }

  #run(): void {
    if (!this.#isRunning && this.#waiting.length > 0) void this.#record();
  }

  async #record(): Promise<void> {
    this.#isRunning = true;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        await recordTransition.executeWithOptions({ summary: summaryOf(next) }, [next]);
      } catch (error) {
        if (isCancellation(error)) return;
        log.error("A transition could not be recorded and is skipped", { transition: next, error });
      }
      this.#waiting = this.#waiting.slice(1);
    }
    this.#isRunning = false;
  }

  async #grow(monitorId: string, change: IncidentChange): Promise<void> {
    try {
      await recordGrowth(monitorId, change);
    } catch {
      // The next slot's figures include these.
    }
  }
}

function summaryOf(transition: Transition): string {
  return transition.kind === "certificateExpiring" ? "certificate expires" : `incident ${transition.change.kind}`;
}
