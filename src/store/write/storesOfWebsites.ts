import type { QuestdbReader } from "../questdb/questdbReader.ts";
import type { QuestdbNode } from "../questdb/questdbs.ts";
import type { RowWriter } from "./rowWriter.ts";

/** A QuestDB with the rows of a website, and what writes records that are computed from them. */
export type NodeStores = {
  readonly node: Pick<QuestdbNode, "shard" | "replica" | "name" | "settings" | "lostSinceMs">;
  readonly questdb: QuestdbReader;
  readonly rows: Pick<RowWriter, "write">;
};

/** The same of a QuestDB that may be one of several, which get their rows through a log. */
export type ReplicaStores = NodeStores & {
  /** Whether the QuestDB has, within a time and for good, all that was written through the log before the call. The only one always has. */
  keepsLog(withinMs: number, signal: AbortSignal): Promise<boolean>;
};

/** QuestDBs that have a website. */
export type StoresOfWebsites<S extends NodeStores = NodeStores> = {
  of(websiteId: string): Promise<readonly S[]>;
};

/** The QuestDB in which the sessions and daily records of a website are computed now. */
export type RecordStores = { of(websiteId: string): Promise<NodeStores> };

/** The only QuestDB, which has all websites. */
export function onlyRecords(node: QuestdbNode, rows: NodeStores["rows"]): RecordStores {
  return { of: async () => ({ node, questdb: node.reader, rows }) };
}

export function onlyStores(node: QuestdbNode, rows: NodeStores["rows"]): StoresOfWebsites<ReplicaStores> {
  return { of: async () => [{ node, questdb: node.reader, rows, keepsLog: async () => true }] };
}
