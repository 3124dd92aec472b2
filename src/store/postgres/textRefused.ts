/** SQLSTATEs of text with U+0000, which PostgreSQL keeps neither as text nor as JSON (appendix A, class 22). */
const states: ReadonlySet<unknown> = new Set(["22021", "22P05"]);

/** Whether PostgreSQL refused a statement because a text among its values cannot be kept. */
export function isTextRefused(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && states.has(failure.code);
}
