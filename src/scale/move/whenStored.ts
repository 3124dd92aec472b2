import { poll } from "../../concurrency/poll.ts";
import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import { hasReached, mayServe } from "../shards/chooseReplica.ts";
import { readReplicas } from "../shards/storeReplicas.ts";
import type { MoveTools } from "./organizationMove.ts";

/**
 * Waits until queries of a shard see all that its log has at the call, and until its other reachable replicas have it too; with
 * `all`, each replica of SHARDS. Resolves to the node that is read.
 */
export async function whenStored(
  { brokers, postgres, questdb }: Pick<MoveTools, "brokers" | "postgres" | "questdb">,
  shard: string,
  onWait: (reason: string) => void,
  signal: AbortSignal,
  all = false,
): Promise<QuestdbNode> {
  const ends = await brokers.endOf(shard);
  return await poll(async () => {
    const node = await questdb.nodeOfShard(shard);
    const names = questdb.nodes.filter((each) => each.shard === shard).map(({ replica }) => replica);
    const replicas = (await readReplicas(postgres)).filter(
      (each) => each.shard === shard && names.includes(each.replica),
    );
    const lacking = replicas.find(
      (each) =>
        !hasReached(each.offsets, ends) &&
        (all || each.replica === node.replica || (mayServe(each) && (each.lagMs ?? awayMs) < awayMs)),
    );
    if (lacking !== undefined) {
      onWait(`waiting until ${shard}/${lacking.replica} has stored what its log has`);
      return undefined;
    }
    await whenApplied(node.reader, tableNames, signal);
    return node;
  }, signal);
}

/** A replica with more lag is not read (writeThroughLog.ts). */
const awayMs = 10_000;
