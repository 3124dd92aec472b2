import { StartFailure } from "../src/errors/startFailure.ts";

/** A problem of the local stack. The message says what is wrong and what to do. */
export class StackError extends StartFailure {
  override name = "StackError";
}

/** A failed file operation as an error that the user can fix; other errors unchanged. */
export function explainFileError(
  error: unknown,
  { dataDir, cacheDir }: { dataDir: string; cacheDir: string },
): unknown {
  if (!(error instanceof Error) || !("path" in error) || typeof error.path !== "string") return error;
  const setting = error.path.startsWith(cacheDir) && !error.path.startsWith(dataDir) ? "CACHE_DIR" : "DATA_DIR";
  return new StackError(`A file could not be used: ${error.message}. Fix that or set ${setting} to another directory.`);
}
