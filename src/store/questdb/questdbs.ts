import type { Config } from "../../config.ts";
import type { QuestdbReader } from "./questdbReader.ts";

/** Reads the rows of one owner. */
export type OwnerReader = Pick<QuestdbReader, "read" | "readEach">;

/** One QuestDB among several: a replica of a shard. Both names are empty where there is only one. */
export type ReplicaName = { readonly shard: string; readonly replica: string };

/** One QuestDB of the installation. */
export type QuestdbNode = ReplicaName & {
  /** Such as s1/a; empty where there is only one QuestDB. */
  readonly name: string;
  readonly settings: Config["questdb"];
  readonly reader: QuestdbReader;
  /** Since when a replica does not answer well, performance.now(); undefined while it does. */
  readonly lostSinceMs: number | undefined;
};

/**
 * The QuestDBs of the installation: one (SingleQuestdb), or those of SHARDS (src/scale/shards/shardedQuestdbs.ts). An owner is a website or
 * an organization: all its rows are in the same QuestDBs.
 */
export type Questdbs = {
  /** The reader for the rows of an owner. A read may be repeated on another QuestDB that has them. */
  of(owner: string): OwnerReader;
  /** The QuestDB that the rows of an owner are read from now, for work of several statements that belong together. */
  nodeOf(owner: string): Promise<QuestdbNode>;
  /** The QuestDBs that are read now, which have all rows. While an organization moves two may have the same one. */
  nodeOfEach(): Promise<readonly QuestdbNode[]>;
  /** All QuestDBs, whether they answer or not. */
  readonly nodes: readonly QuestdbNode[];
  /** The QuestDBs that are not read although they should be, and why. */
  readonly notServing: readonly { readonly name: string; readonly reason: string }[];
  /** The only QuestDB. Throws StartFailure where there are several: `what` cannot work with them. */
  only(what: string): QuestdbNode;
  /** Follows how the QuestDBs answer until `stop` aborts. Never rejects. */
  watch(stop: AbortSignal): Promise<void>;
  close(): Promise<void>;
};
