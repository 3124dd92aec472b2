import type { ExportRow } from "./exportRow.ts";

/** How far an export is; times are Unix ms, null for what has not begun. */
export type ExportProgress = Pick<ExportRow, "rowsTotal" | "rowsWritten" | "rowsPacked" | "startedMs" | "packingMs">;

type Speeds = Pick<ExportRow, "format" | "usualWriting" | "usualPacking">;

/** Rows written a second on a busy machine with two cores (bench/lifecycle), taken until an export has shown what this one does. */
const firstSpeed = { csv: 27_000, json: 27_000, parquet: 13_000 } as const;

/** Packing is so many times faster than writing, about. */
const packingFactor = 3;

/** Starting threads, and what is done once however many rows there are. */
const overheadMs = 2_000;

/** Part of the work that is done once all rows are written. */
const writingShare = packingFactor / (1 + packingFactor);

/**
 * When an export will be done, Unix ms: at the speed of this run so far, waits and crashes included, and before that at the speed of the
 * last export of its format. Packing goes at its usual speed until it has begun, or slower by as much as the writing was.
 */
export function estimateCompletion(progress: ExportProgress & Speeds, nowMs: number): number {
  const { rowsTotal, rowsWritten, rowsPacked, startedMs, packingMs } = progress;
  // Nothing is done at a speed of 0.
  const usualWriting = progress.usualWriting || firstSpeed[progress.format];
  const usualPacking = progress.usualPacking || usualWriting * packingFactor;
  const writing = measured(rowsWritten, startedMs, packingMs ?? nowMs) ?? usualWriting;
  const slowness = Math.min(1, writing / usualWriting);
  const packing = measured(rowsPacked, packingMs, nowMs) ?? usualPacking * slowness;
  const toWrite = packingMs === null ? Math.max(0, rowsTotal - rowsWritten) : 0;
  const toPack = Math.max(0, Math.max(rowsTotal, rowsWritten) - rowsPacked);
  return Math.ceil(nowMs + (toWrite / writing + toPack / packing) * 1_000 + overheadMs);
}

/** How much of an unfinished export is done, percent: never all of it. */
export function progressPercent({ rowsTotal, rowsWritten, rowsPacked, packingMs }: ExportProgress): number {
  const total = Math.max(rowsTotal, rowsWritten, 1);
  const written = packingMs === null ? rowsWritten / total : 1;
  return Math.min(99, Math.floor(100 * (writingShare * written + (1 - writingShare) * (rowsPacked / total))));
}

/** Rows a second; undefined before the first row. */
function measured(rows: number, fromMs: number | null, untilMs: number): number | undefined {
  if (fromMs === null || rows === 0) return undefined;
  return (rows / Math.max(1, untilMs - fromMs)) * 1_000;
}
