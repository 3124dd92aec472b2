/** Bytes of a file from `start` to `end`, both included, as in a Range header. */
export type ByteSpan = { readonly start: number; readonly end: number };

/**
 * Where the files of exports are kept. A name is a path of folders with `/`, of letters, digits, dashes and dots. Rejects with StorageError
 * for what only an operator can put right, else with the store's own error.
 */
export interface ExportStorage {
  /** Stores all bytes under a name, or nothing at all; a file of that name is replaced. Resolves to their number. */
  write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** Whether there is a file of that name that this process reaches. */
  has(name: string): Promise<boolean>;
  /** The bytes of a file, read as fast as they are taken. The file is let go at once when `signal` aborts. */
  read(name: string, span?: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Removes a folder and all files below it. There need not be any. */
  removeFolder(folder: string): Promise<void>;
}
