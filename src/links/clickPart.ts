import { readSegment } from "../store/spool/segment.ts";
import { type Click, type ClickRow, clickRow } from "./click.ts";

/** A file of clicks that are not stored yet. `clicks` is what it holds, undefined where that is only in the file. */
export type ClickPart = {
  readonly path: string;
  bytes: number;
  count: number;
  clicks: Click[] | undefined;
  /** Unix ms of its first click. */
  readonly oldestMs: number;
  /** How far it is stored: of `clicks` how many, else bytes of the file. */
  stored: number;
};

/** The rows of the first clicks of a part that are not stored yet, no more than `most` and a record of the file; `end` is how far it is stored with them. */
export async function nextClicks(part: ClickPart, most: number): Promise<{ rows: readonly ClickRow[]; end: number }> {
  const { path, bytes, count, clicks, oldestMs, stored } = part;
  if (clicks !== undefined) {
    const end = Math.min(stored + most, clicks.length);
    return { rows: clicks.slice(stored, end).map(clickRow), end };
  }
  if (isStored(part)) return { rows: [], end: stored };
  const read = await readSegment<Click | ClickRow>({ path, bytes, rows: count, oldestMs }, stored, most);
  // A process of an earlier version may have left rows.
  return { rows: read.rows.map((kept) => ("table" in kept ? kept : clickRow(kept))), end: read.end };
}

export function isStored({ clicks, bytes, stored }: ClickPart): boolean {
  return stored >= (clicks?.length ?? bytes);
}
