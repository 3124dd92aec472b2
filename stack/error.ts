/** Something is in the way of the local stack. The message says what, and what to do next. */
export class StackError extends Error {
  override name = "StackError";
}

/** A failed file operation as something that the user can put right; other errors as they are. */
export function explainFileError(
  error: unknown,
  { dataDir, cacheDir }: { dataDir: string; cacheDir: string },
): unknown {
  if (!(error instanceof Error) || !("path" in error) || typeof error.path !== "string") return error;
  const setting = error.path.startsWith(cacheDir) && !error.path.startsWith(dataDir) ? "CACHE_DIR" : "DATA_DIR";
  return new StackError(
    `A file could not be used: ${error.message}. Mend that or set ${setting} to another directory.`,
  );
}
