import type { Pool } from "pg";
import type { Logger } from "pino";

/** How long a client may keep reading an archive after it was withdrawn. */
const everyMs = 5_000;

/** A signal that aborts when an export is no longer completed, so that its file is closed. The caller must stop it. */
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
    look().catch((error: unknown) =>
      log.warn({ err: error, exportId }, "could not check whether a download may continue"),
    );
  }, everyMs);
  return { signal: withdrawn.signal, stop: () => clearInterval(timer) };
}
