import type { Pool } from "pg";
import type { Logger } from "pino";

/** How long a client may go on reading an archive that was withdrawn. */
const everyMs = 5_000;

/** A signal that aborts when an export is not completed any more, so that nobody keeps its file open. To be stopped by who starts it. */
export function watchWithdrawal(
  postgres: Pick<Pool, "query">,
  exportId: string,
  log: Logger,
): { readonly signal: AbortSignal; stop(): void } {
  const withdrawn = new AbortController();
  const look = async (): Promise<void> => {
    const { rows } = await postgres.query("SELECT 1 FROM exports WHERE id = $1 AND status = 'completed'", [exportId]);
    if (rows.length === 0) withdrawn.abort();
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error, exportId }, "could not look whether a download may go on"));
  }, everyMs);
  return { signal: withdrawn.signal, stop: () => clearInterval(timer) };
}
