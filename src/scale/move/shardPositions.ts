import { poll } from "../../concurrency/poll.ts";
import type { Offsets } from "../../durableLog/offsets.ts";
import type { QuestdbNode } from "../../store/questdb/questdbs.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { whenApplied } from "../../store/questdb/whenApplied.ts";
import type { Positions } from "../kafka/topicReader.ts";
import { hasReached, mayServe } from "../shards/chooseReplica.ts";
import { readReplicas } from "../shards/storeReplicas.ts";
import type { MoveTools } from "./organizationMove.ts";

/** The end offsets of a shard's log. */
export async function logEnd({ brokers }: Pick<MoveTools, "brokers">, shard: string): Promise<Offsets> {
  const reader = brokers.newReader(shard);
  try {
    return offsetsOf(await reader.end());
  } finally {
    await reader.close();
  }
}

export function offsetsOf(positions: Positions): Offsets {
  return Object.fromEntries([...positions].map(([partition, offset]) => [String(partition), String(offset)]));
}

export function positionsOf(offsets: Offsets): Map<number, bigint> {
  return new Map(Object.entries(offsets).map(([partition, offset]) => [Number(partition), BigInt(offset)]));
}

/**
 * Waits until queries of a shard see all that its log has at the call, and until its other reachable replicas have it too; with
 * `all`, each replica of SHARDS. Resolves to the node that is read.
 */
export async function whenStored(
  tools: Pick<MoveTools, "brokers" | "postgres" | "questdb">,
  shard: string,
  onWait: (reason: string) => void,
  signal: AbortSignal,
  all = false,
): Promise<QuestdbNode> {
  const { postgres, questdb } = tools;
  const ends = await logEnd(tools, shard);
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

/** A replica with more lag is not read (brokeredRowWriter.ts). */
const awayMs = 10_000;
