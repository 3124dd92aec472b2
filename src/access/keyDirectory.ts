import type { Pool } from "pg";
import type { Caller } from "./caller.ts";
import { hashKeyText, isKeyText } from "./keyText.ts";

type KeyRow = {
  keyId: string;
  organizationId: string;
  scopes: string[];
  websiteIds: string[] | null;
  expiresAtMs: number | null;
};

/**
 * Looks keys up in PostgreSQL by their hash and keeps each answer for `cacheMs`, so a revoked key stops within that time in every
 * process. Only the hash is kept, never the key.
 */
export class KeyDirectory {
  readonly #pool: Pool;
  readonly #cacheMs: number;
  readonly #kept = new Map<string, { readonly row: Promise<KeyRow | undefined>; readonly untilMs: number }>();

  constructor(pool: Pool, cacheMs: number) {
    this.#pool = pool;
    this.#cacheMs = cacheMs;
  }

  /** Who a key belongs to; undefined when it is unknown, expired or revoked. */
  async find(text: string): Promise<Caller | undefined> {
    if (!isKeyText(text)) return undefined;
    const row = await this.#lookUp(hashKeyText(text));
    if (row === undefined || (row.expiresAtMs !== null && row.expiresAtMs <= Date.now())) return undefined;
    return {
      keyId: row.keyId,
      organizationId: row.organizationId,
      scopes: new Set(row.scopes),
      websiteIds: row.websiteIds ?? undefined,
    };
  }

  #lookUp(hash: string): Promise<KeyRow | undefined> {
    const nowMs = Date.now();
    const known = this.#kept.get(hash);
    if (known !== undefined && known.untilMs > nowMs) return known.row;
    const row = this.#read(hash);
    // A failed look-up must not be remembered: the store may be back for the next request.
    row.catch(() => this.#kept.delete(hash));
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(hash, { row, untilMs: nowMs + this.#cacheMs });
    return row;
  }

  async #read(hash: string): Promise<KeyRow | undefined> {
    const result = await this.#pool.query<KeyRow>(
      `SELECT id AS "keyId", organization_id AS "organizationId", scopes, website_ids AS "websiteIds",
        (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs"
       FROM api_keys WHERE key_hash = $1 AND revoked_at IS NULL`,
      [hash],
    );
    return result.rows[0];
  }
}

/** Guesses are kept as well; about 5 MB at 500 bytes an answer. */
const maxKept = 10_000;
