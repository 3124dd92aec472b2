import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../store/postgres/inTransaction.ts";

/** The result of asking for an attempt: how long to wait, or what to call if the password is right. */
export type Attempt = { readonly waitMs: number } | { readonly succeeded: () => Promise<void> };

type Row = Failures & { readonly subject: string };

/**
 * Slows down guessing of the passwords of short links and shared dashboards, across all processes through PostgreSQL: one visitor waits longer and
 * longer, and after many wrong guesses from anywhere all visitors of the link wait a little. `visitor` must not
 * identify a person.
 */
export class PasswordAttempts {
  readonly #postgres: Pool;
  #cleanedMs = 0;

  constructor(postgres: Pool) {
    this.#postgres = postgres;
  }

  /** Counts an attempt as failed before it is made, so that simultaneous guesses cannot slip through. */
  async take(linkId: string, visitor: string, nowMs: number): Promise<Attempt> {
    const ofVisitor = `${linkId} ${visitor}`;
    const limits = new Map<string, GuessLimit>([
      [linkId, linkGuessLimit],
      [ofVisitor, visitorGuessLimit],
    ]);
    await this.#clean(nowMs);
    return await inTransaction(this.#postgres, async (client) => {
      const rows = await lock(client, [...limits.keys()]);
      const waitMs = Math.max(...rows.map(({ untilMs }) => untilMs - nowMs));
      if (waitMs > 0) return { waitMs };
      for (const row of rows) {
        const limit = limits.get(row.subject) ?? linkGuessLimit;
        const { count, lastMs, untilMs } = failedAgain(row, limit, nowMs);
        await client.query(
          "UPDATE link_password_failures SET failures = $2, last_ms = $3, until_ms = $4 WHERE subject = $1",
          [row.subject, count, lastMs, untilMs],
        );
      }
      return { succeeded: () => this.#reset(linkId, ofVisitor) };
    });
  }

  /**
   * The visitor's count starts again at zero. Guesses of others on the link still count, but this success makes no
   * other visitor wait.
   */
  async #reset(linkId: string, ofVisitor: string): Promise<void> {
    await this.#postgres.query(
      `WITH visitor AS (DELETE FROM link_password_failures WHERE subject = $2)
       UPDATE link_password_failures SET failures = failures - 1, until_ms = 0 WHERE subject = $1`,
      [linkId, ofVisitor],
    );
  }

  async #clean(nowMs: number): Promise<void> {
    if (this.#cleanedMs + forgottenMs > nowMs) return;
    this.#cleanedMs = nowMs;
    await this.#postgres.query("DELETE FROM link_password_failures WHERE last_ms < $1", [nowMs - forgottenMs]);
  }
}

/** The failures of subjects, locked until the transaction ends. Locking in one order everywhere avoids deadlocks. */
async function lock(client: PoolClient, subjects: readonly string[]): Promise<Row[]> {
  const { rows } = await client.query<Row>(
    `INSERT INTO link_password_failures AS kept (subject, failures, last_ms, until_ms) SELECT subject, 0, 0, 0 FROM unnest($1::text[]) AS asked (subject)
     ON CONFLICT (subject) DO UPDATE SET failures = kept.failures
     RETURNING subject, failures AS count, last_ms::float8 AS "lastMs", until_ms::float8 AS "untilMs"`,
    [subjects.toSorted()],
  );
  return rows;
}

/** Consecutive wrong passwords of one subject, and until when it has to wait. Unix ms. */
export type Failures = { readonly count: number; readonly lastMs: number; readonly untilMs: number };

/** How many wrong passwords are allowed before waits begin, and how long a wait gets. */
export type GuessLimit = { readonly allowed: number; readonly maxWaitMs: number };

/** One visitor of a link: after five wrong ones each wait is twice as long as the last, up to 15 minutes. */
export const visitorGuessLimit: GuessLimit = { allowed: 5, maxWaitMs: 900_000 };

/** All visitors of a link together: one visitor must not be able to lock the others out for long. */
export const linkGuessLimit: GuessLimit = { allowed: 50, maxWaitMs: 60_000 };

/** Without a wrong password for this long the count starts again. */
const forgottenMs = 900_000;

const firstWaitMs = 5_000;

/** The failures with one more. */
export function failedAgain({ count, lastMs }: Failures, { allowed, maxWaitMs }: GuessLimit, nowMs: number): Failures {
  const next = lastMs + forgottenMs < nowMs ? 1 : count + 1;
  const waitMs = next < allowed ? 0 : Math.min(firstWaitMs * 2 ** (next - allowed), maxWaitMs);
  return { count: next, lastMs: nowMs, untilMs: nowMs + waitMs };
}
