import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { StoreFailure } from "../../storeFailure.ts";
import { tableNames } from "../questdb/tables.ts";
import { whenApplied } from "../questdb/whenApplied.ts";
import { hasReached } from "./chooseReplica.ts";
import type { Shard } from "./shard.ts";
import { type Offsets, readReplicas } from "./storeReplicas.ts";

/** A consumer that keeps up reports within two seconds that it has stored a row. */
const timeoutMs = 10_000;
const pollMs = 100;

/**
 * Resolves when the replica of a shard that is read has stored everything of the log up to these positions, and queries see it. Rejects with StoreFailure when
 * that takes too long.
 */
export async function whenLogStored(
  shard: Pick<Shard, "read">,
  postgres: Pick<Pool, "query">,
  ends: Offsets,
): Promise<void> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const node = await shard.read();
    const replicas = await readReplicas(postgres);
    const stored = replicas.find((each) => each.shard === node.shard && each.replica === node.replica);
    const leftMs = Math.max(pollMs, Math.ceil(deadlineMs - performance.now()));
    if (hasReached(stored?.offsets ?? {}, ends))
      return await whenApplied(node.reader, tableNames, AbortSignal.timeout(leftMs));
    if (performance.now() >= deadlineMs) throw new StoreFailure({ kind: "not_answering" });
    await pause(pollMs);
  }
}
