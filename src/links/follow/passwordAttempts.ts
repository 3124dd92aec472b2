import type { Pool, PoolClient } from "pg";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import {
  type Failures,
  failedAgain,
  forgottenMs,
  type GuessLimit,
  linkGuessLimit,
  visitorGuessLimit,
} from "./passwordWaits.ts";

/** The result of asking for an attempt: how long to wait, or what to call if the password is right. */
export type Attempt = { readonly waitMs: number } | { readonly succeeded: () => Promise<void> };

type Row = Failures & { readonly subject: string };

/**
 * Slows down guessing of links' passwords, across all processes through PostgreSQL: one visitor waits longer and
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
      await store(
        client,
        rows.map((row) => ({
          subject: row.subject,
          ...failedAgain(row, limits.get(row.subject) ?? linkGuessLimit, nowMs),
        })),
      );
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

async function store(client: PoolClient, rows: readonly Row[]): Promise<void> {
  await client.query(
    `UPDATE link_password_failures AS kept SET failures = given.count, last_ms = given.last_ms, until_ms = given.until_ms
     FROM unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[]) AS given (subject, count, last_ms, until_ms) WHERE kept.subject = given.subject`,
    [
      rows.map(({ subject }) => subject),
      rows.map(({ count }) => count),
      rows.map(({ lastMs }) => lastMs),
      rows.map(({ untilMs }) => untilMs),
    ],
  );
}
