import { readSegment, type Segment } from "../store/spool/segment.ts";
import { type Click, type ClickRow, clickRow } from "./click.ts";
import { type EarlierClick, earlierRow, isEarlier } from "./earlierClick.ts";
import { ClickDecoder, type KeptClick } from "./keptClick.ts";

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
  readonly decoder: ClickDecoder;
};

/** A part of which nothing is stored. */
export function newPart({ path, bytes, rows, oldestMs }: Segment, clicks: Click[] | undefined): ClickPart {
  return { path, bytes, count: rows, clicks, oldestMs, stored: 0, decoder: new ClickDecoder() };
}

/** Some of a part's clicks as rows, how far it is stored with them, and what damage to its file has taken. */
type NextClicks = {
  readonly rows: readonly ClickRow[];
  readonly end: number;
  readonly damagedBytes: number;
  /** Clicks that are there, but not the link that they are of. */
  readonly nameless: number;
};

/** The first clicks of a part that are not stored yet, no more than `most` and a record of the file. */
export async function nextClicks(part: ClickPart, most: number): Promise<NextClicks> {
  const { path, bytes, count, clicks, oldestMs, stored, decoder } = part;
  if (clicks !== undefined) {
    const end = Math.min(stored + most, clicks.length);
    return { rows: clicks.slice(stored, end).map(clickRow), end, damagedBytes: 0, nameless: 0 };
  }
  if (isStored(part)) return { rows: [], end: stored, damagedBytes: 0, nameless: 0 };
  const segment = { path, bytes, rows: count, oldestMs };
  const read = await readSegment<KeptClick | EarlierClick>(segment, stored, most);
  const rows = read.rows
    .map((kept, index) =>
      isEarlier(kept) ? earlierRow(kept) : decoder.decode(kept, read.receivedMs[index] ?? oldestMs),
    )
    .filter((row) => row !== undefined);
  return { rows, end: read.end, damagedBytes: read.damagedBytes, nameless: read.rows.length - rows.length };
}

export function isStored({ clicks, bytes, stored }: ClickPart): boolean {
  return stored >= (clicks?.length ?? bytes);
}
