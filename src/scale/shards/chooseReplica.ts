import type { Offsets } from "../../durableLog/offsets.ts";
import type { StoredReplica } from "./storeReplicas.ts";

/**
 * How a replica answers. `badly`: too slowly or with an error, because its machine is busy or it hangs. `not`: nothing accepts
 * connections at its address.
 */
export type Answering = "well" | "badly" | "not";

/** What the choice of a replica depends on. */
export type ReplicaState = Pick<StoredReplica, "state" | "erasedUntilMs" | "lagMs"> & {
  readonly name: string;
  readonly answers: Answering;
};

/** A replica that answers better comes first, whatever its lag: it may have caught up by the time it takes over. */
const ranks: Readonly<Record<Answering, number>> = { well: 0, badly: 1, not: 2 };

/** Past the lag limit, reads switch only to a replica with at most this part of the current lag. */
const farLess = 0.5;

/**
 * Chooses the replica to read; undefined when none may be read. Keeps the current replica (by name) unless another answers
 * better, or its lag exceeds `maxLagMs` and another has at most half of it: answers must not go back in time. Otherwise takes the
 * replica with the least lag. Lags up to the limit count as equal and the first one wins, so that all processes choose the same.
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

/** The end offsets of a shard's log at `askedMs` (performance.now()) or later; undefined while the brokers do not answer. */
export type LogEnd = { readonly offsets: Offsets | undefined; readonly askedMs: number };

/**
 * True if this replica has stored everything the old one can have shown. For that it has reached the end offsets that the log had
 * after the last answer of the old one (`answeredMs`), or the offsets that the old one reported after that answer. Its lag proves
 * nothing: rows may wait unread.
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
