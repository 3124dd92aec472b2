import type { MonitorState, SlotResult } from "../state/state.ts";
import type { MonitorSettings } from "./monitorSettings.ts";

/**
 * A monitor whose checks change nothing is watched: one activity checks slot after slot, so that Temporal writes only
 * the activity's heartbeats. Plain JSON, and pure, since workflows use it.
 */
export type WatchedMonitor = {
  readonly monitorId: string;
  readonly settings: MonitorSettings;
  readonly state: MonitorState;
  /** The last slot that was handled, Unix ms. */
  readonly lastDueMs: number;
};

/** How a watch ended. The workflow handles the next slot itself. */
export type WatchEnd = {
  readonly lastDueMs: number;
  /** The result of that slot if it changes the monitor's state; the workflow has to take it into account. */
  readonly slot?: SlotResult;
};

/** The heartbeat of a watch, which operators see. Times are ISO 8601. */
export type WatchReport = { readonly lastSlot: string; readonly status: string; readonly nextSlot: string };

/** A watch ends after this time, so that monitors spread evenly over the workers. */
export const watchMs = 600_000;

/** A watch sends four heartbeats a minute. With longer intervals these cost Temporal more than a timer for each slot. */
const maxIntervalMs = 60_000;

/** Whether only the service's own worker checks the monitor, so often that watching it costs less. */
export function canBeWatched({ checksHere, probes, intervalMs }: MonitorSettings): boolean {
  return checksHere && probes.length === 0 && intervalMs <= maxIntervalMs;
}

/** The task queue of watches. A watch holds its place for minutes, which other activities must not wait for. */
export function watchQueueOf(taskQueue: string): string {
  return `${taskQueue}-watch`;
}
