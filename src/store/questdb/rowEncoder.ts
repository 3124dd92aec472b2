import { setImmediate as nextTick } from "node:timers/promises";
import { lineOf } from "./lineProtocol.ts";
import type { TableRow } from "./tables.ts";

/**
 * The bytes of one flush in QuestDB's line protocol. Yields to the event loop every few milliseconds. Rejects when a
 * row has no valid time.
 */
export async function encodeRows(rows: readonly TableRow[]): Promise<Buffer> {
  const lines: string[] = [];
  let sliceEndsMs = performance.now() + sliceMs;
  for (const row of rows) {
    const line = row.line ?? lineOf(row);
    if (line === undefined) throw new RangeError("A row has no valid time or table");
    lines.push(line);
    if (lines.length % rowsPerCheck === 0 && performance.now() > sliceEndsMs) {
      await nextTick();
      sliceEndsMs = performance.now() + sliceMs;
    }
  }
  return Buffer.from(lines.join(""));
}

/** How long the event loop may be blocked. */
const sliceMs = 5;

/** Encoding this many rows takes well under a millisecond. */
const rowsPerCheck = 16;
