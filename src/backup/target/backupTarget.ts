import { text } from "node:stream/consumers";

/** A file in a target. Its name is a path of folders with `/`. */
export type StoredFile = { readonly name: string; readonly bytes: number };

/** Where backups are kept. Rejects with BackupError for what an operator can correct, otherwise with the store's own error. */
export interface BackupTarget {
  /** As an operator named it. */
  readonly place: string;
  /** A directory of this machine for unfinished files. It is emptied before each backup. */
  readonly staging: string;
  /** Moves a finished file from `staging` to its name, completely or not at all. An existing file is replaced. */
  put(name: string, staged: string): Promise<void>;
  /** Writes a small file, completely or not at all. An existing file is replaced. */
  putText(name: string, text: string): Promise<void>;
  /** The bytes of a file. Rejects with BackupError when it is missing. */
  read(name: string): AsyncIterable<Uint8Array>;
  /** The files of a folder, "" for the outermost; none if the folder does not exist. */
  list(folder: string): Promise<StoredFile[]>;
  /** Removes files; missing ones are ignored. */
  remove(names: readonly string[]): Promise<void>;
}

/** The text of a small file. */
export async function readText(target: Pick<BackupTarget, "read">, name: string): Promise<string> {
  return await text(target.read(name));
}
