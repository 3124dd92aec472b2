import type { ExportRow } from "../exportRow.ts";

/** The progress of an export; times are Unix ms, null for steps that have not begun. */
export type ExportProgress = Pick<ExportRow, "rowsTotal" | "rowsWritten" | "rowsPacked" | "startedMs" | "packingMs">;

type Speeds = Pick<ExportRow, "format" | "usualWriting" | "usualPacking">;

/**
 * Rows written per second on a busy machine with two cores (bench/lifecycle), assumed until an export has shown the
 * real speed.
 */
const firstSpeed = { csv: 100_000, json: 60_000, parquet: 60_000 } as const;

/** Packing is about this many times faster than writing. */
const packingFactor = 3;

/** Starting threads, and steps that do not depend on the number of rows. */
const overheadMs = 2_000;

/** The share of the work that is done once all rows are written. */
const writingShare = packingFactor / (1 + packingFactor);

/**
 * When an export will be done, Unix ms: at the speed of this run so far, including waits and crashes, and before that
 * at the speed of the last export of its format. Packing is assumed to go at its usual speed until it has begun, or
 * slower by as much as the writing was.
 */
export function estimateCompletion(progress: ExportProgress & Speeds, nowMs: number): number {
  const { rowsTotal, rowsWritten, rowsPacked, startedMs, packingMs } = progress;
  // A speed of 0 is useless for an estimate.
  const usualWriting = progress.usualWriting || firstSpeed[progress.format];
  const usualPacking = progress.usualPacking || usualWriting * packingFactor;
  const writing = measured(rowsWritten, startedMs, packingMs ?? nowMs) ?? usualWriting;
  const slowness = Math.min(1, writing / usualWriting);
  const packing = measured(rowsPacked, packingMs, nowMs) ?? usualPacking * slowness;
  const toWrite = packingMs === null ? Math.max(0, rowsTotal - rowsWritten) : 0;
  const toPack = Math.max(0, Math.max(rowsTotal, rowsWritten) - rowsPacked);
  return Math.ceil(nowMs + (toWrite / writing + toPack / packing) * 1_000 + overheadMs);
}

/** The progress of an unfinished export, percent: never 100. */
export function progressPercent({ rowsTotal, rowsWritten, rowsPacked, packingMs }: ExportProgress): number {
  const total = Math.max(rowsTotal, rowsWritten, 1);
  const written = packingMs === null ? rowsWritten / total : 1;
  return Math.min(99, Math.floor(100 * (writingShare * written + (1 - writingShare) * (rowsPacked / total))));
}

/** Rows per second; undefined before the first row. */
function measured(rows: number, fromMs: number | null, untilMs: number): number | undefined {
  if (fromMs === null || rows === 0) return undefined;
  return (rows / Math.max(1, untilMs - fromMs)) * 1_000;
}
