/** Whether an error of the system, such as a failed file operation, has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Passes on every error but that a file or directory is missing, for `catch`. */
export function whenMissing(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}
