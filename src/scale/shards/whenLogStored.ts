import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import type { Offsets } from "../../durableLog/offsets.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { hasReached } from "./chooseReplica.ts";
import type { Shard } from "./shard.ts";
import { readReplicas } from "./storeReplicas.ts";

/** A consumer that keeps up reports within two seconds that it has stored a row. */
const timeoutMs = 10_000;
const pollMs = 100;

/**
 * Resolves when the replica of a shard that is read has stored everything that its log has at the call, and queries see it. `endOf` tells up to where the log
 * goes. Rejects when that takes too long.
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
      const replicas = await readReplicas(postgres);
      const stored = replicas.find((each) => each.shard === node.shard && each.replica === node.replica);
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
  /** As of a broken connection: the store is unavailable. */
  readonly code = "ECONNRESET";
}
