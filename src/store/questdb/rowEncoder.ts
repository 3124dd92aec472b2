import { setImmediate as nextTurn } from "node:timers/promises";
import { lineOf } from "./lineProtocol.ts";
import type { TableRow } from "./tables.ts";

/** Bytes of one flush in QuestDB's line protocol. Gives way to other work every few milliseconds. Rejects when a row has no valid time. */
export async function encodeRows(rows: readonly TableRow[]): Promise<Buffer> {
  const lines: string[] = [];
  let turnEndsMs = performance.now() + turnMs;
  for (const row of rows) {
    const line = row.line ?? lineOf(row);
    if (line === undefined) throw new RangeError("A row has no valid time or table");
    lines.push(line);
    if (lines.length % rowsBetweenLooks === 0 && performance.now() > turnEndsMs) {
      await nextTurn();
      turnEndsMs = performance.now() + turnMs;
    }
  }
  return Buffer.from(lines.join(""));
}

/** How long the event loop may be held. */
const turnMs = 5;

/** A few rows take well under a millisecond. */
const rowsBetweenLooks = 16;
