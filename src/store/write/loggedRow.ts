import type { LogRecord, NewRecord } from "../../durableLog/durableLog.ts";
import type { KeyedRow, MovedRow } from "../questdb/keyedRow.ts";
import { fieldsOf } from "../questdb/lineProtocol.ts";
import type { TableName, TableRow } from "../questdb/tables.ts";

/** A row from the log. `fields` is its line for QuestDB without the time, encoded once when the row was accepted. */
export type LoggedRow = KeyedRow & { readonly fields: Buffer };

/**
 * The log record of a row. Its payload is a line of text, `table time visitorKey claimCheck moved` (empty where there is
 * none, the last one left out), followed by the row's fields in QuestDB's line protocol. Throws RangeError when the row has no valid time or
 * table.
 */
export function recordOf(row: TableRow, receivedMs: number, moved?: MovedRow): NewRecord {
  const fields = fieldsOf(row);
  if (fields === undefined) throw new RangeError("A row has no valid time or table");
  const { website_id: websiteId = "", event_key: key = 0, visitor_key: visitorKey }: KeyedRow["values"] = row.values;
  const head = `${row.table} ${Math.trunc(row.tsUs)} ${visitorKey ?? ""} ${row.claimCheck ?? ""}${moved === undefined ? "" : ` ${moved}`}\n`;
  return { receivedMs, websiteId, key, payload: head + fields };
}

/** The record for the log of another shard. */
export function movedRecord({ payload, ...record }: LogRecord, moved: "row" | "id"): NewRecord {
  const headEnd = payload.indexOf(newline);
  const head = payload.toString("latin1", 0, headEnd).split(" ").slice(0, headLength).join(" ");
  return { ...record, payload: `${head} ${moved}\n${moved === "id" ? "" : payload.toString("utf8", headEnd + 1)}` };
}

/** The row as if it was read from the log. */
export function loggedRow(row: TableRow, receivedMs: number): LoggedRow {
  const record = recordOf(row, receivedMs);
  return rowOf({ ...record, payload: Buffer.from(record.payload) });
}

export function rowOf({ websiteId, key, payload }: LogRecord): LoggedRow {
  const headEnd = payload.indexOf(newline);
  const [table, tsUs, visitorKey, claimCheck, moved] = payload.toString("latin1", 0, headEnd).split(" ");
  const fields = payload.subarray(headEnd + 1);
  return {
    // The record's checksum guarantees that `recordOf` wrote it.
    table: table as TableName,
    tsUs: Number(tsUs),
    values: {
      website_id: websiteId === "" ? undefined : websiteId,
      organization_id: websiteId === "" ? organizationIn(fields) : undefined,
      event_key: key,
      visitor_key: visitorKey === "" ? undefined : Number(visitorKey),
    },
    claimCheck: claimCheck === "" ? undefined : Number(claimCheck),
    ...(moved === undefined ? {} : { moved: moved as MovedRow }),
    fields,
  };
}

/** The organization in a row's line, where it has one: ids need no escaping. */
function organizationIn(fields: Buffer): string | undefined {
  return /^\w+(?:,\w+=[^ ,]*)*?,organization_id=([^ ,\\]+)/.exec(fields.toString("latin1", 0, maxSymbolBytes))?.[1];
}

/** The rows in QuestDB's line protocol. Only the time is written again, since a claim may have changed it. */
export function encodeLoggedRows(rows: readonly LoggedRow[]): Buffer {
  const bytes = Buffer.allocUnsafe(rows.reduce((sum, { fields }) => sum + fields.length + maxTimeBytes, 0));
  let end = 0;
  for (const { fields, tsUs } of rows) {
    end += fields.copy(bytes, end);
    end += bytes.write(` ${tsUs}000\n`, end, "latin1");
  }
  return bytes.subarray(0, end);
}

const newline = 10;

/** Of the words of a record's first line those that each has. */
const headLength = 4;

/** It is among the first symbols of its tables. */
const maxSymbolBytes = 512;

/** A space, a safe integer with its sign, three digits and a line break. */
const maxTimeBytes = 22;
