import type { QuestdbReader } from "../../store/questdb/questdbReader.ts";
import type { TableName, TableRow } from "../../store/questdb/tables.ts";
import { recordOf } from "../../store/write/loggedRow.ts";
import { dayMs, startOfUtcDay } from "../../time/utcDay.ts";
import { eraseOwnedRange } from "./eraseOwnedRange.ts";
import { ownedRows, readColumns, rowOfTexts, type TableDay, websitesOf } from "./movedRows.ts";
import { type MoveTools, readMove, waitsOf } from "./organizationMove.ts";
import { whenStored } from "./whenStored.ts";

/** Rows that are read at once, into memory. */
const rowsAtOnce = 20_000;

/** A day to copy. `isWrong`: the new shard has other rows than the old one; they are erased first. */
export type DayToCopy = TableDay & { readonly isWrong: boolean };

/**
 * Copies an organization's rows of one day of a table through the log of the new shard, so that all of its replicas get them.
 * Rows that are there already are written again, which changes nothing. Resolves to the number of rows. Safe to repeat.
 */
export async function copyDay(
  tools: MoveTools,
  id: string,
  { table, day, isWrong }: DayToCopy,
  signal: AbortSignal,
): Promise<number> {
  const { postgres, brokers } = tools;
  const { organizationId, fromShard, toShard } = await readMove(postgres, id);
  if (isWrong) {
    const note = waitsOf(tools, id);
    await whenStored(tools, toShard, note, signal, true);
    await eraseOwnedRange(tools, toShard, organizationId, { table, day }, signal);
    // So that the copy also has the rows from the log that were just erased.
    await whenStored(tools, fromShard, note, signal);
  }
  // This replica has the rows from before the move: it was compared.
  const { reader } = await tools.questdb.nodeOfShard(fromShard);
  const { sql, values } = ownedRows(table, organizationId, await websitesOf(postgres, organizationId));
  const topic = brokers.topicOf(toShard);
  const startUs = startOfUtcDay(day) * 1_000;
  const copied = await copyRange(startUs, startUs + dayMs * 1_000);
  await postgres.query("UPDATE organization_moves SET rows_copied = rows_copied + $2 WHERE id = $1", [id, copied]);
  return copied;

  async function copyRange(fromUs: number, untilUs: number): Promise<number> {
    signal.throwIfAborted();
    const where = `ts >= ${fromUs} AND ts < ${untilUs} AND ${sql}`;
    const [counted] = await reader.read(`SELECT count() n FROM ${table} WHERE ${where}`, values, { signal });
    const count = Number(counted?.["n"]);
    if (count === 0) return 0;
    if (count > rowsAtOnce && untilUs - fromUs > 1) {
      const middleUs = Math.floor((fromUs + untilUs) / 2);
      return (await copyRange(fromUs, middleUs)) + (await copyRange(middleUs, untilUs));
    }
    // Used as the time of receipt, so that a row that is erased meanwhile does not come back.
    const readMs = Date.now();
    const rows = await readRows(reader, table, where, values, signal);
    await brokers.log.append(
      topic,
      rows.map((row) => recordOf(row, readMs, "copy")),
    );
    return rows.length;
  }
}

async function readRows(
  reader: Pick<QuestdbReader, "readEach">,
  table: TableName,
  where: string,
  values: readonly string[],
  signal: AbortSignal,
): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  const sql = `SELECT ${readColumns(table)} FROM ${table} WHERE ${where}`;
  await reader.readEach(sql, values, (texts) => rows.push(rowOfTexts(table, texts)), { signal });
  return rows;
}
