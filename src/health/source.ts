import type { Condition } from "./states.ts";

/** One thing that is looked at. */
export type HealthSource = {
  /** How old an answer of it may be; 0: it is asked for each answer of /readyz. */
  readonly everyMs: number;
  /** The states that are the case. When it rejects, what it reported before still counts: nothing newer is known. */
  read(): Promise<readonly Condition[]>;
};
