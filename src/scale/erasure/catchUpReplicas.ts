import type { Logger } from "pino";
import { repeat } from "../../concurrency/poll.ts";
import type { ReplicaWriters } from "../shards/replicaWriters.ts";
import { type CatchUpTools, catchUpReplica } from "./catchUpReplica.ts";

/** A replica that is back is read again after at most this time and that of its erasures. */
const everyMs = 5_000;

/** Applies missed erasures in replicas that answer again, until `stop` aborts. Never rejects. */
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
