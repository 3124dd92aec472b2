import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import type { ReplicaWriters } from "../shards/replicaWriters.ts";
import { type CatchUpTools, catchUpReplica } from "./catchUpReplica.ts";

/** A replica that comes back is read again this soon, and after what it has to erase. */
const everyMs = 5_000;

/** Looks until `stop` aborts whether replicas that missed erasures answer again, and has them make up for it. Never rejects. */
export async function catchUpReplicas(
  tools: CatchUpTools & { readonly log: Pick<Logger, "info" | "warn"> },
  { ofAll }: Pick<ReplicaWriters, "ofAll">,
  stop: AbortSignal,
): Promise<void> {
  const look = async () => {
    for (const stores of ofAll)
      await catchUpReplica(tools, stores, stop).catch((error: unknown) => {
        if (!stop.aborted)
          tools.log.warn(
            { err: error, replica: stores.node.name },
            "a replica could not apply erasures that it missed yet",
          );
      });
  };
  await repeat(look, everyMs, stop, () => undefined);
}
