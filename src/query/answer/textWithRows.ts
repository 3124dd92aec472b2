import { randomUUID } from "node:crypto";
import type { JsonObject } from "@bufbuild/protobuf";
import { eachInSlices } from "../../concurrency/timeSlices.ts";

/** A placeholder for text that is inserted later. Callers cannot know it, so it cannot occur in what they send. */
export const mark = randomUUID();

/**
 * A placeholder for the rows of an answer while the rest of it is written: codecs pass rows on unchanged, so they
 * accept a text as well.
 */
export const markedRows: JsonObject[] = [mark as unknown as JsonObject];

const markText = JSON.stringify(mark);

/** A piece of text is sent when it has this many characters. */
const pieceChars = 65_536;

/**
 * A JSON text with lists of rows in place of `markedRows`, in their order, in pieces that are made in slices: thousands of rows of events are
 * megabytes.
 */
export async function textWithRows(
  text: string,
  lists: readonly (readonly JsonObject[])[],
): Promise<readonly string[]> {
  const [before = "", ...after] = text.split(markText);
  const pieces: string[] = [];
  let piece = before;
  for (const [index, rows] of lists.entries()) {
    let separator = "";
    await eachInSlices(rows, (row) => {
      piece += separator + JSON.stringify(row);
      separator = ",";
      if (piece.length < pieceChars) return;
      pieces.push(piece);
      piece = "";
    });
    piece += after[index] ?? "";
  }
  return [...pieces, piece];
}
