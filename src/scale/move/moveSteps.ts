import { setTimeout as pause } from "node:timers/promises";
import { poll } from "../../concurrency/poll.ts";
import { logExpiresMs } from "../../durableLog/logHorizon.ts";
import { releaseTables } from "../../lifecycle/erasure/disk/releaseBytes.ts";
import { whenLogsAreClear } from "../../lifecycle/erasure/disk/whenLogsAreClear.ts";
import { tableNames } from "../../store/questdb/tables.ts";
import { offsetsOf } from "../kafka/positions.ts";
import { missingDays } from "./compareShards.ts";
import { eraseOwnedRange, ownedDays } from "./eraseOwnedRange.ts";
import type { TableDay } from "./movedRows.ts";
import {
  type MoveReceipt,
  type MoveTools,
  noteProgress,
  type OrganizationMove,
  readMove,
  waitsOf,
} from "./organizationMove.ts";
import { changePlacement, setMovingState, whenFollowed } from "./placementChanges.ts";
import { takeOverLog } from "./takeOverLog.ts";
import { whenStored } from "./whenStored.ts";

/**
 * Begins a move, or continues one. Afterwards all processes know that the organization moves, so erasures run on both shards, and
 * it is recorded from where the log of the old shard is taken over. Resolves to how far the move is.
 */
export async function beginMove(
  tools: MoveTools,
  id: string,
  signal: AbortSignal,
): Promise<Pick<OrganizationMove, "phase" | "organizationId">> {
  const { postgres, brokers } = tools;
  const { organizationId, fromShard, toShard, phase, takenUntil } = await readMove(postgres, id);
  // A run that was terminated while cancelling has counted the copies.
  if (phase === "copying" || phase === "both")
    await postgres.query("UPDATE organization_moves SET rows_before = NULL WHERE id = $1", [id]);
  if (phase !== "copying" || takenUntil !== null) return { phase, organizationId };
  const epoch = await changePlacement(postgres, (client) =>
    client.query(
      `UPDATE placements SET moving_to = $3, moving_state = 'copying', moving_since = clock_timestamp()
       WHERE organization_id = $1 AND shard = $2 AND moving_to IS NULL`,
      [organizationId, fromShard, toShard],
    ),
  );
  await whenFollowed(postgres, epoch, waitsOf(tools, id), signal);
  const reader = brokers.newReader(fromShard);
  try {
    const { first, end } = await reader.bounds();
    await postgres.query("UPDATE organization_moves SET ids_until = $2, taken_until = $3 WHERE id = $1", [
      id,
      JSON.stringify(offsetsOf(end)),
      JSON.stringify(offsetsOf(first)),
    ]);
  } finally {
    await reader.close();
  }
  return { phase, organizationId };
}

/**
 * Has new rows written to both shards, and waits until the new one has everything. False if it still lacks rows: then they are
 * written to the old shard alone again. Safe to repeat.
 */
export async function writeBoth(tools: MoveTools, id: string, signal: AbortSignal): Promise<boolean> {
  const { postgres } = tools;
  await changeState(tools, id, "both", signal);
  const note = waitsOf(tools, id);
  // Wait for rows that still went to the old shard alone.
  await whenLogsAreClear(postgres, (reason) => note(`waiting for rows that were received before: ${reason}`), signal);
  await takeOverLog(tools, id, signal);
  const missing = await missingDays(tools, id, signal);
  const [first] = missing;
  if (first === undefined) return true;
  tools.log.warn({ days: missing.length, first }, "the new shard of an organization lacks rows; they are copied");
  await changeState(tools, id, "copying", signal);
  return false;
}

/**
 * Switches queries to the new shard while both are still written, so that a query another process still sends to the old shard
 * reads nothing stale. Safe to repeat.
 */
export async function switchReads(tools: MoveTools, id: string, signal: AbortSignal): Promise<void> {
  const { postgres } = tools;
  const { organizationId, fromShard, toShard } = await readMove(postgres, id);
  const epoch = await changePlacement(postgres, async (client) => {
    await client.query(
      `UPDATE placements SET shard = $3, moving_to = $2, moving_state = 'switched'
       WHERE organization_id = $1 AND shard = $2 AND moving_to = $3 AND moving_state = 'both'`,
      [organizationId, fromShard, toShard],
    );
    await client.query(
      "UPDATE organization_moves SET phase = 'switched', switched_at = clock_timestamp() WHERE id = $1 AND phase = 'both'",
      [id],
    );
  });
  await whenFollowed(postgres, epoch, waitsOf(tools, id), signal);
}

/** Ends the writes to the old shard, and counts the rows to erase there. Safe to repeat. */
export async function leaveShard(tools: MoveTools, id: string, signal: AbortSignal): Promise<void> {
  const { postgres, config } = tools;
  const note = waitsOf(tools, id);
  const { organizationId, fromShard, rowsBefore } = await readMove(postgres, id);
  if (rowsBefore !== null) return;
  await changeState(tools, id, "leaving", signal);
  await whenLogsAreClear(postgres, (reason) => note(`waiting for rows that were received before: ${reason}`), signal);
  await postgres.query("UPDATE organization_moves SET left_at = coalesce(left_at, clock_timestamp()) WHERE id = $1", [
    id,
  ]);
  await whenStored(tools, fromShard, note, signal, true);
  await noteProgress(postgres, id, "waiting for queries and exports that read the old shard");
  await pause(config.questdb.queryTimeoutMs, undefined, { signal });
  await poll(async () => {
    const { rowCount } = await postgres.query(
      `SELECT FROM exports JOIN organization_moves moves ON moves.id = $1 AND moves.organization_id = exports.organization_id
       WHERE exports.status = 'processing' AND exports.created_at < moves.left_at LIMIT 1`,
      [id],
    );
    return rowCount === 0;
  }, signal);
  const { days, rows } = await ownedDays(tools, fromShard, organizationId, signal);
  await postgres.query(
    "UPDATE organization_moves SET rows_before = $2, days = $3 WHERE id = $1 AND rows_before IS NULL",
    [id, JSON.stringify(rows), [...new Set(days.map(({ day }) => day))].sort()],
  );
}

/** Days of the rows left on the shard being vacated (after a cancel: on the new one). */
export async function daysToErase(tools: MoveTools, id: string, signal: AbortSignal): Promise<readonly TableDay[]> {
  const move = await readMove(tools.postgres, id);
  return (await ownedDays(tools, vacatedShard(move), move.organizationId, signal)).days;
}

/** Erases one of the days of `daysToErase`. Safe to repeat. */
export async function eraseMovedDay(tools: MoveTools, id: string, day: TableDay, signal: AbortSignal): Promise<void> {
  const move = await readMove(tools.postgres, id);
  await eraseOwnedRange(tools, vacatedShard(move), move.organizationId, day, signal);
}

function vacatedShard({ phase, fromShard, toShard }: OrganizationMove): string {
  return phase === "leaving" ? fromShard : toShard;
}

/** Waits until no file of the old shard holds the rows, and writes the receipt. Safe to repeat. */
export async function completeMove(tools: MoveTools, id: string, signal: AbortSignal): Promise<MoveReceipt> {
  const { postgres, config } = tools;
  const move = await readMove(postgres, id);
  const { organizationId, fromShard, rowsBefore, days, switchedMs } = move;
  if (move.receipt !== null) return move.receipt;
  if (rowsBefore === null || days === null || switchedMs === null) throw new Error(`The move ${id} is not that far`);
  await releaseShard(tools, id, fromShard, rowsBefore, signal);
  const { rows: rowsAfter } = await ownedDays(tools, fromShard, organizationId, signal);
  const goneMs = Date.now();
  const receipt: MoveReceipt = {
    tables: Object.entries(rowsBefore).map(([table, rows]) => ({
      table,
      rowsBefore: rows,
      rowsAfter: rowsAfter[table] ?? 0,
    })),
    days,
    replicas: tools.questdb.nodes.filter(({ shard }) => shard === fromShard).map(({ name }) => name),
    switchedAt: new Date(switchedMs).toISOString(),
    goneAt: new Date(goneMs).toISOString(),
    logExpiresAt: new Date(logExpiresMs(goneMs, config.kafka)).toISOString(),
  };
  await changePlacement(postgres, async (client) => {
    await setMovingState(client, organizationId, null);
    await client.query(
      "UPDATE organization_moves SET phase = 'done', progress = 'done', receipt = $2, completed_at = clock_timestamp() WHERE id = $1 AND receipt IS NULL",
      [id, JSON.stringify(receipt)],
    );
  });
  return receipt;
}

/**
 * Cancels a move before reads were switched: rows are written to the old shard alone again. The copies then have to be erased.
 * Safe to repeat.
 */
export async function cancelMove(tools: MoveTools, id: string, signal: AbortSignal): Promise<void> {
  const { postgres } = tools;
  const { organizationId, toShard, phase, rowsBefore } = await readMove(postgres, id);
  if ((phase !== "copying" && phase !== "both") || rowsBefore !== null) return;
  const note = waitsOf(tools, id);
  await changeState(tools, id, "copying", signal);
  await whenLogsAreClear(postgres, (reason) => note(`cancelled; waiting for rows on their way: ${reason}`), signal);
  await whenStored(tools, toShard, note, signal, true);
  const { rows } = await ownedDays(tools, toShard, organizationId, signal);
  await postgres.query("UPDATE organization_moves SET rows_before = $2 WHERE id = $1", [id, JSON.stringify(rows)]);
}

/** Completes a cancelled move once its copies are erased. Safe to repeat. */
export async function completeCancelled(tools: MoveTools, id: string, signal: AbortSignal): Promise<void> {
  const { postgres } = tools;
  const { organizationId, toShard, phase, rowsBefore } = await readMove(postgres, id);
  if (phase === "cancelled") return;
  await releaseShard(tools, id, toShard, rowsBefore ?? {}, signal);
  await changePlacement(postgres, async (client) => {
    await setMovingState(client, organizationId, null);
    await client.query(
      "UPDATE organization_moves SET phase = 'cancelled', progress = 'cancelled', completed_at = clock_timestamp() WHERE id = $1",
      [id],
    );
  });
}

/** Changes the state of a move and waits until all processes know it. */
async function changeState(
  tools: MoveTools,
  id: string,
  state: "copying" | "both" | "leaving",
  signal: AbortSignal,
): Promise<void> {
  const { postgres } = tools;
  const { organizationId } = await readMove(postgres, id);
  const epoch = await changePlacement(postgres, async (client) => {
    await setMovingState(client, organizationId, state);
    await client.query("UPDATE organization_moves SET phase = $2 WHERE id = $1", [id, state]);
  });
  await whenFollowed(postgres, epoch, waitsOf(tools, id), signal);
}

async function releaseShard(
  tools: MoveTools,
  id: string,
  shard: string,
  rowsBefore: Readonly<Record<string, number>>,
  signal: AbortSignal,
): Promise<void> {
  const { postgres, questdb } = tools;
  const tables = tableNames.filter((table) => Number(rowsBefore[table]) > 0);
  const note = waitsOf(tools, id);
  await Promise.all(
    questdb.nodes
      .filter((node) => node.shard === shard)
      .map((node) =>
        releaseTables(
          { node, questdb: node.reader, postgres },
          tables,
          (reason) => note(`waiting for ${reason}`),
          signal,
        ),
      ),
  );
}
