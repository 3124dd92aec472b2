import type { Pool } from "pg";
import type { AttemptOutcome } from "./attemptOutcome.ts";

/** Records the result of an attempt; `isLast` when no retry follows a failure. Safe to repeat. */
export async function recordAttempt(
  postgres: Pick<Pool, "query">,
  id: string,
  outcome: AttemptOutcome,
  isLast: boolean,
): Promise<void> {
  if (outcome.kind === "delivered") {
    await postgres.query(
      "UPDATE deliveries SET status = 'delivered', delivered_at = now() WHERE id = $1 AND status = 'pending'",
      [id],
    );
    return;
  }
  await postgres.query("UPDATE deliveries SET status = $2, last_error = $3 WHERE id = $1 AND status = 'pending'", [
    id,
    isLast || outcome.kind === "refused" ? "failed" : "pending",
    outcome.error.replaceAll("\u0000", "\uFFFD"),
  ]);
}
