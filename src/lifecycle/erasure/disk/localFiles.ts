import { open } from "node:fs/promises";
import { uncommittedFilesBelow } from "../../../durableLog/logDirectory.ts";
import { inspectLogFile } from "../../../durableLog/logFile.ts";
import { whenMissing } from "../../../errors/errorCode.ts";
import type { KeyedRow } from "../../../store/questdb/keyedRow.ts";
import { type ErasedRange, refusedRows } from "../guard/erasedRowGuard.ts";

/**
 * Whether a log below this root has rows on disk that were received before a time (Unix ms), including logs left by a
 * killed process. Such rows disappear as the log is stored; rows of an erased range are dropped then. A file that was
 * stored but could not be deleted is ignored: nothing reads it any more.
 */
export async function hasLoggedBefore(root: string, beforeMs: number): Promise<boolean> {
  for (const { path, number } of await uncommittedFilesBelow(root)) {
    const file = await inspectLogFile(path, number, 0).catch(whenMissing);
    if (file !== undefined && file.oldestMs < beforeMs) return true;
  }
  return false;
}

/**
 * Blanks the rows of erased ranges in a file of dead letters. Each row is overwritten in place, since other processes
 * may append to the file at the same time. Resolves to the number of rows.
 */
export async function blankDeadLetters(path: string, ranges: readonly ErasedRange[]): Promise<number> {
  const file = await open(path, "r+").catch(whenMissing);
  if (file === undefined) return 0;
  try {
    const bytes = await file.readFile();
    let blanked = 0;
    for (let start = 0; start < bytes.length; ) {
      const newline = bytes.indexOf(10, start);
      const end = newline === -1 ? bytes.length : newline;
      const letter = readLetter(bytes.toString("utf8", start, end));
      if (letter !== undefined && refusedRows([letter.row], [Date.parse(letter.at)], ranges).size > 0) {
        await file.write(Buffer.alloc(end - start, " "), 0, end - start, start);
        blanked += 1;
      }
      start = end + 1;
    }
    if (blanked > 0) await file.datasync();
    return blanked;
  } finally {
    await file.close();
  }
}

/** A dead letter and when it was written; undefined for a line that was blanked, or is just being written. */
function readLetter(line: string): { readonly at: string; readonly row: KeyedRow } | undefined {
  try {
    // Written by src/store/write/deadLetters.ts.
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
