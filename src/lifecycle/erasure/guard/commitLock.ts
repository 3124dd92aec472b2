import type { Pool } from "pg";
import { poll } from "../../../concurrency/poll.ts";
import { advisoryLocks } from "../../../store/postgres/advisoryLocks.ts";
import { inTransaction } from "../../../store/postgres/inTransaction.ts";

/** How long commits may have to wait behind one that does not end. */
const lockTimeoutMs = 2_000;

/** The commit lock of a shard, see advisoryLocks; an empty name means the only QuestDB. */
export function commitLock(shard: string): { readonly sql: string; readonly values: (string | number)[] } {
  if (shard === "") return { sql: "$1", values: [advisoryLocks.commit] };
  return { sql: "$1, hashtext($2)", values: [advisoryLocks.commit, shard] };
}

/** PostgreSQL's lock_not_available. */
const lockNotAvailable = "55P03";

/**
 * Runs `work`, which must be short, while no process of the service commits rows to a shard; an empty name means the only QuestDB. Commits wait for it, or
 * are repeated when they have waited too long. Rejects with what `work`
 * throws, and with AbortError when `signal` aborts while waiting for commits to end.
 */
export async function withoutCommits<T>(
  postgres: Pick<Pool, "connect">,
  shard: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  const { result } = await poll(async () => {
    try {
      const result = await inTransaction(postgres, async (client) => {
        await client.query(`SET LOCAL lock_timeout = '${lockTimeoutMs}ms'`);
        const { sql, values } = commitLock(shard);
        await client.query(`SELECT pg_advisory_xact_lock(${sql})`, values);
        return await work();
      });
      return { result };
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === lockNotAvailable)) throw error;
      return undefined;
    }
  }, signal);
  return result;
}

/** How long commits may be held up for optional work. */
const maxHeldMs = 500;

/**
 * Like withoutCommits, but aborts `work` after half a second and then resolves to undefined, since commits wait
 * meanwhile.
 */
export async function brieflyWithoutCommits<T>(
  postgres: Pick<Pool, "connect">,
  shard: string,
  signal: AbortSignal,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return await withoutCommits(postgres, shard, signal, async () => {
    const limit = AbortSignal.timeout(maxHeldMs);
    try {
      return await work(AbortSignal.any([signal, limit]));
    } catch (error) {
      if (limit.aborted && !signal.aborted) return undefined;
      throw error;
    }
  });
}

/** Resolves when every commit to a shard that is in flight now has ended. Rejects with AbortError when `signal` aborts. */
export async function whenCommitsEnded(
  postgres: Pick<Pool, "connect">,
  shard: string,
  signal: AbortSignal,
): Promise<void> {
  await withoutCommits(postgres, shard, signal, async () => undefined);
}
