import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Offsets } from "../../durableLog/offsets.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { hasReached } from "./chooseReplica.ts";
import type { Shard } from "./shard.ts";
import { readReplica } from "./storeReplicas.ts";

/** A consumer that keeps up reports a stored row within two seconds. */
const timeoutMs = 10_000;
const pollMs = 100;

/**
 * Resolves when the replica in use has stored everything that its shard's log has at the call, and queries see it. `endOf`
 * returns the end offsets of the log. Rejects when that takes too long.
 */
export async function whenLogStored(
  shard: Pick<Shard, "read">,
  postgres: Pick<Pool, "query">,
  endOf: () => Promise<Offsets>,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  const leftMs = () => Math.max(pollMs, Math.ceil(deadlineMs - performance.now()));
  let failure: unknown;
  let ends: Offsets | undefined;
  do {
    try {
      ends ??= await endOf();
      const node = await shard.read();
      const stored = await readReplica(postgres, node);
      if (hasReached(stored?.offsets ?? {}, ends))
        return await whenApplied(node.reader, tableNames, AbortSignal.timeout(leftMs()));
    } catch (error) {
      failure = error;
    }
    await pause(pollMs);
  } while (performance.now() < deadlineMs);
  throw new LogNotStoredError("A shard has not stored in time what its log has", { cause: failure });
}

class LogNotStoredError extends Error {
  override name = "LogNotStoredError";
  /** The code of a broken connection: the store is unavailable. */
  readonly code = "ECONNRESET";
}
