/** SQLSTATEs for text with U+0000, which PostgreSQL stores neither as text nor as JSON (appendix A, class 22). */
const states: ReadonlySet<unknown> = new Set(["22021", "22P05"]);

/** Whether PostgreSQL refused a statement because it cannot store one of its texts. */
export function isTextRefused(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && states.has(failure.code);
}
