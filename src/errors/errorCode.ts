/** Whether a system error, such as that of a failed file operation, has one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.some((code) => code === error.code);
}

/** Rethrows every error except a missing file or directory, for `catch`. */
export function whenMissing(error: unknown): undefined {
  if (!hasCode(error, "ENOENT")) throw error;
}
