import type { DayToCopy } from "./copyDay.ts";
import { countDays, type DayCount, websitesOf } from "./movedRows.ts";
import { type MoveTools, readMove, waitsOf } from "./organizationMove.ts";
import { takeOverLog } from "./takeOverLog.ts";
import { whenStored } from "./whenStored.ts";

/**
 * Lists the days on which the two shards have different rows, oldest first; before the first copy all days.
 *
 * The old shard still gets rows. So it is counted twice, and the new one in between, once it has what the old one had at first. A
 * day that did not change must have the same number of rows and the same sum. A day that changed must have a number between the
 * two.
 */
export async function compareShards(tools: MoveTools, id: string, signal: AbortSignal): Promise<DayToCopy[]> {
  const { fromShard, toShard } = await readMove(tools.postgres, id);
  const before = await countShard(tools, id, fromShard, signal);
  await takeOverLog(tools, id, signal);
  const there = await countShard(tools, id, toShard, signal);
  const after = await countShard(tools, id, fromShard, signal);
  return differencesOf(before, there, after);
}

/** Lists the days on which the new shard lacks rows while both are written. Rows reach the new one first, so it may have more. */
export async function missingDays(tools: MoveTools, id: string, signal: AbortSignal): Promise<DayToCopy[]> {
  const { fromShard, toShard } = await readMove(tools.postgres, id);
  const before = await countShard(tools, id, fromShard, signal);
  const there = await countShard(tools, id, toShard, signal);
  return differencesOf(before, there, undefined);
}

async function countShard(tools: MoveTools, id: string, shard: string, signal: AbortSignal): Promise<DayCount[]> {
  const { postgres } = tools;
  const { organizationId } = await readMove(postgres, id);
  const { reader } = await whenStored(tools, shard, waitsOf(tools, id), signal);
  return await countDays(reader, organizationId, await websitesOf(postgres, organizationId), signal);
}

/** Without `after` the new shard may have any number of additional rows. */
export function differencesOf(
  before: readonly DayCount[],
  there: readonly DayCount[],
  after: readonly DayCount[] | undefined,
): DayToCopy[] {
  const [had, has, hasNow] = [before, there, after].map((counts) => byDay(counts ?? []));
  const keys = new Set([...(had?.keys() ?? []), ...(has?.keys() ?? [])]);
  return [...keys]
    .flatMap((key): DayToCopy[] => {
      const [first, found] = [had?.get(key), has?.get(key)];
      const last = after === undefined ? { rows: Number.POSITIVE_INFINITY, sum: 0 } : hasNow?.get(key);
      const day = first ?? found;
      if (day === undefined) return [];
      const rows = found?.rows ?? 0;
      const isQuiet = first?.rows === last?.rows && first?.sum === last?.sum;
      const isSame = isQuiet
        ? rows === (first?.rows ?? 0) && (found?.sum ?? 0) === (first?.sum ?? 0)
        : rows >= (first?.rows ?? 0) && rows <= (last?.rows ?? 0);
      const isWrong = rows > (last?.rows ?? 0) || (isQuiet && rows === first?.rows);
      return isSame ? [] : [{ table: day.table, day: day.day, isWrong }];
    })
    .sort((one, other) => one.day.localeCompare(other.day));
}

function byDay(counts: readonly DayCount[]): Map<string, DayCount> {
  return new Map(counts.map((count) => [`${count.table} ${count.day}`, count]));
}
