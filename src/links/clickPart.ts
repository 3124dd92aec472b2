import { readSegment } from "../store/spool/segment.ts";
import type { RowOf } from "../store/tables.ts";

export type ClickRow = RowOf<"link_clicks">;

/** A file of clicks that are not stored yet. `rows` is what it holds, undefined where that is only in the file. */
export type ClickPart = {
  readonly path: string;
  bytes: number;
  count: number;
  rows: ClickRow[] | undefined;
  /** Unix ms of its first click. */
  readonly oldestMs: number;
  /** How far it is stored: of `rows` how many, else bytes of the file. */
  stored: number;
};

/** The first clicks of a part that are not stored yet, no more than `most` and a record of the file; `end` is how far it is stored with them. */
export async function nextClicks(part: ClickPart, most: number): Promise<{ rows: readonly ClickRow[]; end: number }> {
  const { path, bytes, count, rows, oldestMs, stored } = part;
  if (rows !== undefined) {
    const end = Math.min(stored + most, rows.length);
    return { rows: rows.slice(stored, end), end };
  }
  if (isStored(part)) return { rows: [], end: stored };
  const read = await readSegment({ path, bytes, rows: count, oldestMs }, stored, most);
  // Nothing but the click journal writes these files.
  return { rows: read.rows as readonly ClickRow[], end: read.end };
}

export function isStored({ rows, bytes, stored }: ClickPart): boolean {
  return stored >= (rows?.length ?? bytes);
}
