import type { BackupTarget } from "../target/backupTarget.ts";
import type { Writing } from "./packPart.ts";

/** Called with the progress, such as "QuestDB: 1,204 MB read, 31 MB written". */
export type OnProgress = (text: string) => void;

/** Begins to write a backup to a target. `sums` are the bytes that it has read and added so far. */
export async function beginWriting(
  target: BackupTarget,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<{ readonly writing: Writing; readonly sums: { readonly read: number; readonly written: number } }> {
  const sums = { read: 0, written: 0 };
  const writing: Writing = {
    target,
    known: new Map((await target.list("objects")).map(({ name, bytes }) => [name, bytes])),
    signal,
    onRead: (bytes) => {
      sums.read += bytes;
      onProgress(`${megabytes(sums.read)} MB read, ${megabytes(sums.written)} MB new`);
    },
    onWritten: (bytes) => {
      sums.written += bytes;
    },
  };
  return { writing, sums };
}

function megabytes(bytes: number): string {
  return Math.round(bytes / 1e6).toLocaleString("en");
}
