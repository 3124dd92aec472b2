import type { Pool } from "pg";
import type { Keyring } from "../secrets/keyring.ts";
import { advisoryLocks } from "../store/postgres/advisoryLocks.ts";
import type { KeyedRequest } from "./keyedRequest.ts";

type Queryable = Pick<Pool, "query">;

/** What a call with a key has answered: `answer` is its message in binary form, in base64. */
export type KeptAnswer = { readonly fingerprint: string; readonly answer: string };

const place = "idempotency_keys.answer";

/** How long a key is kept, as src/store/write/claimExpiry.ts deletes it. */
const isKept = "kept_at > now() - interval '24 hours'";

/** The answers of calls with an idempotency key. All methods reject when PostgreSQL is unavailable. */
export class KeptAnswers {
  readonly #keyring: Keyring;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** What the first call with this key has answered; undefined if there was none in the last 24 hours. */
  async find(client: Queryable, id: string): Promise<KeptAnswer | undefined> {
    const { rows } = await client.query<{ answer: string }>(
      `SELECT answer FROM idempotency_keys WHERE id = $1 AND ${isKept}`,
      [id],
    );
    const [row] = rows;
    return row === undefined ? undefined : JSON.parse(await this.#keyring.open(client, place, id, row.answer));
  }

  /** Keeps an answer from now on, in the transaction of what it tells. */
  async keep(client: Queryable, { id, fingerprint }: KeyedRequest, answer: string): Promise<void> {
    const sealed = await this.#keyring.seal(client, place, id, JSON.stringify({ fingerprint, answer }));
    // There may still be one that is no longer kept.
    await client.query(
      `INSERT INTO idempotency_keys (id, answer) VALUES ($1, $2)
       ON CONFLICT (id) DO UPDATE SET answer = $2, kept_at = now()`,
      [id, sealed],
    );
  }

  /** Replaces the answer, as long as it is kept. */
  async replace(client: Queryable, { id, fingerprint }: KeyedRequest, answer: string): Promise<void> {
    const sealed = await this.#keyring.seal(client, place, id, JSON.stringify({ fingerprint, answer }));
    await client.query("UPDATE idempotency_keys SET answer = $2 WHERE id = $1", [id, sealed]);
  }
}

/** Whether no other transaction works for this key. Until the transaction ends, none does. */
export async function lockKey(client: Queryable, id: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked",
    [advisoryLocks.idempotencyKey, id],
  );
  return rows[0]?.locked === true;
}
