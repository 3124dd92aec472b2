import type { MonitorSettings } from "./monitorSettings.ts";
import { initialState, type MonitorState, type OpenIncident } from "./state.ts";
import type { Transition } from "./transition.ts";

/** All that a run of a monitor's workflow begins with, and hands to the run that goes on for it. */
export type MonitorRun = {
  /** Absent until the first telling. */
  readonly settings?: MonitorSettings | undefined;
  readonly state: MonitorState;
  /** The last slot that was taken, Unix ms; 0 for none. */
  readonly lastDueMs: number;
  /** Those that are not recorded yet, oldest first. */
  readonly transitions: readonly Transition[];
  /** What the search attributes say; absent in the first run, and where a worker of an older version handed over. */
  readonly shown?: ShownAttributes | undefined;
};

/** The search attributes of a monitor, by which operators find it: those that change during its life. */
export type ShownAttributes = { readonly status: string; readonly url: string };

/** The run of a monitor that has none. An incident may be open from a run that was lost. */
export function firstRun(incident: OpenIncident | undefined): MonitorRun {
  return { state: { ...initialState, incident }, lastDueMs: 0, transitions: [] };
}
