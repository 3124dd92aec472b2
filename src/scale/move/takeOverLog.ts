import type { LogRecord, NewRecord } from "../../durableLog/durableLog.ts";
import { movedRecord, rowOf } from "../../store/write/loggedRow.ts";
import { ownerOfRow } from "../../store/write/rowOwner.ts";
import { isAtLeast, offsetsOf, type Positions, positionsOf } from "../kafka/positions.ts";
import type { TopicBatch, TopicReader } from "../kafka/topicReader.ts";
import { websitesOf } from "./movedRows.ts";
import { type MoveTools, type OrganizationMove, readMove } from "./organizationMove.ts";

/** How long a read of the log waits for rows. */
const waitMs = 250;
const noteEveryMs = 500;

/**
 * Takes an organization's rows over from the log of its old shard into that of the new one, in order, up to the end of the log at
 * the call. Because of the order, consumers of the new shard decide about repeated events as those of the old one did. Of rows
 * from before the move only the ids are taken, since the rows themselves are copied. Continues where it stopped; rows that are
 * taken twice are stored once.
 */
export async function takeOverLog(tools: MoveTools, id: string, signal: AbortSignal): Promise<void> {
  const { postgres, brokers } = tools;
  const move = await readMove(postgres, id);
  if (move.takenUntil === null || move.idsUntil === null) throw new Error(`The move ${id} has not begun`);
  const idsUntil = positionsOf(move.idsUntil);
  const reader = brokers.newReader(move.fromShard);
  try {
    const { first, end } = await reader.bounds();
    let at = notBefore(positionsOf(move.takenUntil), first, idsUntil, id);
    let notedMs = performance.now();
    while (!isAtLeast(at, end)) {
      signal.throwIfAborted();
      const batch = await readBatch(tools, reader, at);
      const records = await ownedRecords(tools, move, batch, idsUntil);
      if (records.length > 0) await brokers.log.append(brokers.topicOf(move.toShard), records);
      at = batch.next;
      if (performance.now() - notedMs < noteEveryMs) continue;
      await note(tools, id, at);
      notedMs = performance.now();
    }
    await note(tools, id, at);
  } finally {
    await reader.close();
  }
}

/**
 * The positions to continue at. Rows from before the move may have been deleted from the log meanwhile, since no id lasts as
 * long. Later rows must be there.
 */
function notBefore(at: Positions, first: Positions, idsUntil: Positions, id: string): Positions {
  return new Map(
    [...first].map(([partition, offset]) => {
      const wanted = at.get(partition) ?? offset;
      const needed = later(wanted, idsUntil.get(partition) ?? 0n);
      if (offset > needed)
        throw new Error(
          `Rows were deleted from the log before the move ${id} took them over: cancel it, raise LOG_RETENTION_MS and start it again`,
        );
      return [partition, later(offset, wanted)];
    }),
  );
}

/** Math.max does not take a bigint. */
function later(one: bigint, other: bigint): bigint {
  if (one > other) return one;
  return other;
}

async function readBatch({ log }: MoveTools, reader: TopicReader, at: Positions): Promise<TopicBatch> {
  const batch = await reader.read(at, waitMs);
  if (batch.failure !== undefined) log.warn("a part of the log cannot be read, trying again");
  return batch;
}

/** The organization's records of a batch in the form for the log of its new shard. */
async function ownedRecords(
  { postgres }: MoveTools,
  { organizationId }: OrganizationMove,
  { messages }: TopicBatch,
  idsUntil: Positions,
): Promise<NewRecord[]> {
  if (messages.length === 0) return [];
  // Read after the batch: a website exists before its first row.
  const owners = new Set([organizationId, ...(await websitesOf(postgres, organizationId))]);
  const found: NewRecord[] = [];
  for (const { partition, offset, records } of messages) {
    const isBefore = offset < (idsUntil.get(partition) ?? 0n);
    for (const record of records) {
      if (!owners.has(ownerOf(record))) continue;
      if (!isBefore) found.push(movedRecord(record, "row"));
      else if (rowOf(record).claimCheck !== undefined) found.push(movedRecord(record, "id"));
    }
  }
  return found;
}

function ownerOf(record: LogRecord): string {
  return record.websiteId === "" ? ownerOfRow(rowOf(record)) : record.websiteId;
}

async function note({ postgres }: MoveTools, id: string, at: Positions): Promise<void> {
  await postgres.query("UPDATE organization_moves SET taken_until = $2 WHERE id = $1", [
    id,
    JSON.stringify(offsetsOf(at)),
  ]);
}
