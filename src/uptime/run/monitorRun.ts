import type { MonitorState } from "../state/state.ts";
import type { Transition } from "../state/transition.ts";
import type { MonitorSettings } from "./monitorSettings.ts";

/** The input of a monitor's workflow run. The first run has only the id; later runs get the state of the run before. */
export type MonitorRun = {
  readonly monitorId: string;
  readonly handedOver?: MonitorHandover;
};

export type MonitorHandover = {
  readonly settings: MonitorSettings;
  readonly state: MonitorState;
  /** The last slot that was handled, Unix ms; 0 for none. */
  readonly lastDueMs: number;
  /** Transitions not recorded yet, oldest first. */
  readonly transitions: readonly Transition[];
  /** The current search attributes. */
  readonly shown: ShownAttributes;
};

/** The search attributes of a monitor, for operators to find it: those that change during its life. */
export type ShownAttributes = {
  readonly status: string;
  readonly url: string;
  /** Absent in payloads written before monitors showed them. */
  readonly name?: string;
  readonly organizationId?: string;
};
