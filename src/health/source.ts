import type { Condition } from "./states.ts";

/** One source of states, such as a store or a disk. */
export type HealthSource = {
  /** Maximum age of an answer; 0: ask for each answer of /readyz. */
  readonly everyMs: number;
  /** The current states. If it rejects, its last answer still counts: nothing newer is known. */
  read(): Promise<readonly Condition[]>;
};
