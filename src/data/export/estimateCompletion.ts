import type { ExportRow } from "./exportRow.ts";

/** How far an export is; times are Unix ms, null for what has not begun. */
export type ExportProgress = Pick<ExportRow, "rowsTotal" | "rowsWritten" | "rowsPacked" | "startedMs" | "packingMs">;

/** Rows a second on a machine with two cores, taken until this run has shown its own speed (bench/lifecycle). */
const usualSpeed = { writing: 40_000, packing: 120_000 } as const;

/** Starting threads, and what is done once however many rows there are. */
const overheadMs = 2_000;

/** Part of the work that is done once all rows are written, by the usual speeds. */
const writingShare = usualSpeed.packing / (usualSpeed.writing + usualSpeed.packing);

/**
 * When an export will be done, Unix ms: at the speed of this run so far, waits and crashes included. Packing goes at its usual speed until it
 * has begun, or slower by as much as the writing was.
 */
export function estimateCompletion(progress: ExportProgress, nowMs: number): number {
  const { rowsTotal, rowsWritten, rowsPacked, startedMs, packingMs } = progress;
  const writing = measured(rowsWritten, startedMs, packingMs ?? nowMs) ?? usualSpeed.writing;
  const slowness = Math.min(1, writing / usualSpeed.writing);
  const packing = measured(rowsPacked, packingMs, nowMs) ?? usualSpeed.packing * slowness;
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
