import { mapInSlices } from "../../concurrency/timeSlices.ts";
import { lineOf } from "./lineProtocol.ts";
import type { TableRow } from "./tables.ts";

/** The bytes of one flush in QuestDB's line protocol, made in slices. Rejects when a row has no valid time. */
export async function encodeRows(rows: readonly TableRow[]): Promise<Buffer> {
  const lines = await mapInSlices(rows, (row) => {
    const line = lineOf(row);
    if (line === undefined) throw new RangeError("A row has no valid time or table");
    return line;
  });
  return Buffer.from(lines.join(""));
}
