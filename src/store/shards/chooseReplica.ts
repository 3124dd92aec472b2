import type { Offsets, StoredReplica } from "./storeReplicas.ts";

/** What the choice of a replica depends on. */
export type ReplicaState = Pick<StoredReplica, "state" | "erasedUntilMs" | "lagMs"> & {
  readonly name: string;
  /** Whether it answered last. */
  readonly isUp: boolean;
};

/**
 * The replica that a shard is read from; undefined when none may be read. The current one stays while it answers and lags
 * less than `maxLagMs`, so that answers do not go back. Otherwise the one that lags least; lags below the limit count as equal
 * and the first one wins, so that all processes choose the same. One that does not answer is only tried where no other does.
 */
export function chooseReplica<R extends ReplicaState>(
  replicas: readonly R[],
  current: string | undefined,
  maxLagMs: number,
): R | undefined {
  const readable = replicas.filter(mayServe);
  const answering = readable.filter(({ isUp }) => isUp);
  const candidates = answering.length > 0 ? answering : readable;
  const lagOf = ({ lagMs }: R) => (lagMs === null || lagMs <= maxLagMs ? 0 : lagMs);
  const kept = candidates.find(({ name }) => name === current);
  if (kept !== undefined && lagOf(kept) === 0) return kept;
  const least = Math.min(...candidates.map(lagOf));
  if (kept !== undefined && lagOf(kept) === least) return kept;
  return candidates.find((replica) => lagOf(replica) === least);
}

/** A replica that lacks rows or erasures is not read. */
export function mayServe({ state, erasedUntilMs }: Pick<ReplicaState, "state" | "erasedUntilMs">): boolean {
  return state === "serving" && erasedUntilMs === null;
}

/** Whether a replica has stored everything that another one had: its answers are not older. */
export function hasReached(replica: Offsets, other: Offsets): boolean {
  return Object.entries(other).every(([partition, offset]) => BigInt(replica[partition] ?? 0) >= BigInt(offset));
}
