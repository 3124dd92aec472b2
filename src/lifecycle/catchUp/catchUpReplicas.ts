import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import type { NodeWriters } from "../../store/shards/nodeStores.ts";
import { type CatchUpTools, catchUpReplica } from "./catchUpReplica.ts";

/** A replica that comes back is read again this soon, and after what it has to erase. */
const everyMs = 5_000;

/** Looks until `stop` aborts whether replicas that missed erasures answer again, and has them make up for it. Never rejects. */
export async function catchUpReplicas(
  tools: CatchUpTools & { readonly log: Pick<Logger, "info" | "warn"> },
  { ofReplicas }: Pick<NodeWriters, "ofReplicas">,
  stop: AbortSignal,
): Promise<void> {
  if (ofReplicas.length === 0) return;
  const look = async () => {
    for (const stores of ofReplicas)
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
