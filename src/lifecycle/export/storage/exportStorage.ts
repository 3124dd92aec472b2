/** Bytes of a file from `start` to `end`, both included, as in a Range header. */
export type ByteSpan = { readonly start: number; readonly end: number };

/**
 * Where the files of exports are stored. A name is a path of folders with `/`, of letters, digits, dashes and dots.
 * Rejects with StorageError for what only an operator can fix, else with the store's own error.
 */
export interface ExportStorage {
  /**
   * Stores all bytes under a name, or nothing at all; an existing file is replaced. Resolves to the number of bytes.
   */
  write(name: string, bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<number>;
  /** Whether a file of that name exists and this process can read it. */
  has(name: string): Promise<boolean>;
  /** The bytes of a file, read as fast as they are consumed. The file is closed at once when `signal` aborts. */
  read(name: string, span?: ByteSpan, signal?: AbortSignal): AsyncIterable<Uint8Array>;
  /** Removes a folder and all files below it, if there are any. */
  removeFolder(folder: string): Promise<void>;
}
