import type { MonitorState } from "../state/state.ts";
import type { Transition } from "../state/transition.ts";
import type { MonitorSettings } from "./monitorSettings.ts";

/** All that a run of a monitor's workflow begins with. The first one has the id alone; a later one what the run before it hands over. */
export type MonitorRun = {
  readonly monitorId: string;
  readonly handedOver?: MonitorHandover;
};

export type MonitorHandover = {
  readonly settings: MonitorSettings;
  readonly state: MonitorState;
  /** The last slot that was taken, Unix ms; 0 for none. */
  readonly lastDueMs: number;
  /** Those that are not recorded yet, oldest first. */
  readonly transitions: readonly Transition[];
  /** What the search attributes say. */
  readonly shown: ShownAttributes;
};

/** The search attributes of a monitor, by which operators find it: those that change during its life. */
export type ShownAttributes = { readonly status: string; readonly url: string };
