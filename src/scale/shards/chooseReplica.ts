import type { Offsets } from "../../durableLog/offsets.ts";
import type { StoredReplica } from "./storeReplicas.ts";

/**
 * How a replica answers: `badly` is too slowly, or with an error, as on a busy machine or when it hangs. `not`: nothing takes
 * connections at its address.
 */
export type Answering = "well" | "badly" | "not";

/** What the choice of a replica depends on. */
export type ReplicaState = Pick<StoredReplica, "state" | "erasedUntilMs" | "lagMs"> & {
  readonly name: string;
  readonly answers: Answering;
};

/** One that answers better comes first, whatever its lag: it may have caught up by the time that it takes over. */
const ranks: Readonly<Record<Answering, number>> = { well: 0, badly: 1, not: 2 };

/** Past the limit, reads leave a replica for one that lags at most this part of it. */
const farLess = 0.5;

/**
 * The replica that a shard is read from; undefined when none may be read. The current one, by name, stays while no other one answers
 * better and it lags less than `maxLagMs`, so that answers do not go back; past that limit, while no other one lags far less. Otherwise
 * the one that lags least; lags below the limit count as equal and the first one wins, so that all processes choose the same.
 */
export function chooseReplica<R extends ReplicaState>(
  replicas: readonly R[],
  current: string | undefined,
  maxLagMs: number,
): R | undefined {
  const readable = replicas.filter(mayServe);
  const best = Math.min(...readable.map(({ answers }) => ranks[answers]));
  const candidates = readable.filter(({ answers }) => ranks[answers] === best);
  const kept = candidates.find(({ name }) => name === current);
  const lagOf = ({ lagMs }: R) => lagMs ?? 0;
  if (kept !== undefined) {
    const least = Math.min(...candidates.map(lagOf));
    if (lagOf(kept) <= maxLagMs || least > farLess * lagOf(kept)) return kept;
  }
  const pastLimit = (replica: R) => (lagOf(replica) <= maxLagMs ? 0 : lagOf(replica));
  const least = Math.min(...candidates.map(pastLimit));
  return candidates.find((replica) => pastLimit(replica) === least);
}

/** A replica that lacks rows or erasures is not read. */
export function mayServe({ state, erasedUntilMs }: Pick<ReplicaState, "state" | "erasedUntilMs">): boolean {
  return state === "serving" && erasedUntilMs === null;
}

/** What a replica has stored, as far as is known; times are performance.now(). */
export type Progress = Pick<StoredReplica, "offsets" | "reportAgeMs"> & {
  /** When PostgreSQL was asked for this. */
  readonly knownMs: number;
};

/** Where the log of a shard ended at `askedMs` (performance.now()) or later; undefined while the brokers do not say so. */
export type LogEnd = { readonly offsets: Offsets | undefined; readonly askedMs: number };

/**
 * Whether the answers of a replica are not older than those of the one that was read before, by the positions in the log that they have
 * stored: it has reached where the log ended after the last answer of that one (`answeredMs`), or what that one reported after its last
 * answer. A lag says nothing of that: rows may wait unread.
 */
export function isAsNew(
  replica: Pick<Progress, "offsets">,
  before: Progress & { readonly answeredMs: number },
  log: LogEnd | undefined,
): boolean {
  if (log === undefined) return true;
  const { offsets, askedMs } = log;
  // A partition without a leader may be missing among the ends.
  const isWhole = offsets !== undefined && Object.keys(before.offsets).every((partition) => partition in offsets);
  if (isWhole && askedMs >= before.answeredMs && hasReached(replica.offsets, offsets)) return true;
  if (before.reportAgeMs === null || before.knownMs - before.reportAgeMs < before.answeredMs) return false;
  return hasReached(replica.offsets, before.offsets);
}

/** Whether a replica has stored everything that another one had. */
export function hasReached(replica: Offsets, other: Offsets): boolean {
  return Object.entries(other).every(([partition, offset]) => BigInt(replica[partition] ?? 0) >= BigInt(offset));
}
