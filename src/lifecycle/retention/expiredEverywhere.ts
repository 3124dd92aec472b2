import type { QuestdbNode, Questdbs } from "../../store/questdb/questdbs.ts";
import { storesToErase } from "../erasure/stores/missedErasures.ts";
import { eraseExpiredRange, type RetentionStores } from "./eraseExpiredRange.ts";
import { type ExpiredDays, findExpiredDays, type RetentionScope } from "./findExpiredDays.ts";

type Tools = Omit<RetentionStores, "questdb"> & { readonly questdb: Pick<Questdbs, "nodes"> };

/** As findExpiredDays, in all QuestDBs that answer. */
export async function findExpiredDaysEverywhere(
  tools: Tools,
  runId: string,
  scope: RetentionScope,
  signal: AbortSignal,
): Promise<ExpiredDays[]> {
  const found: ExpiredDays[] = [];
  for (const { reader } of await nodesOf(tools, runId))
    found.push(...(await findExpiredDays({ ...tools, questdb: reader }, scope, signal)));
  return [...Map.groupBy(found, ({ table }) => table)].map(([table, parts]) => ({
    table,
    days: [...new Set(parts.flatMap(({ days }) => days))].sort(),
  }));
}

/** As eraseExpiredRange, in all QuestDBs that answer. */
export async function eraseExpiredRangeEverywhere(
  tools: Tools,
  runId: string,
  scope: RetentionScope,
  table: ExpiredDays["table"],
  day: string,
  signal: AbortSignal,
): Promise<Record<string, number>> {
  const erased: { readonly shard: string; readonly totals: Record<string, number> }[] = [];
  for (const { reader, shard } of await nodesOf(tools, runId))
    erased.push({
      shard,
      totals: await eraseExpiredRange({ ...tools, questdb: reader }, runId, scope, table, day, signal),
    });
  // Replicas have the same rows, shards have different ones.
  const totals: Record<string, number> = {};
  for (const replicas of Map.groupBy(erased, ({ shard }) => shard).values())
    for (const kind of new Set(replicas.flatMap((each) => Object.keys(each.totals))))
      totals[kind] = (totals[kind] ?? 0) + Math.max(...replicas.map((each) => each.totals[kind] ?? 0));
  return totals;
}

async function nodesOf({ questdb, postgres }: Tools, runId: string): Promise<readonly QuestdbNode[]> {
  const nodes = questdb.nodes.map((node) => ({ node }));
  return (await storesToErase(postgres, nodes, { kind: "retention", id: runId })).map(({ node }) => node);
}
