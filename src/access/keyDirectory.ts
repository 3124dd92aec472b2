import type { Pool } from "pg";
import type { KeyCaller } from "./caller.ts";
import { hashKeyText, isKeyText } from "./keyText.ts";

type KeyRow = {
  keyId: string;
  organizationId: string;
  scopes: string[];
  websiteIds: string[] | null;
  expiresAtMs: number | null;
  isRevoked: boolean;
};

/** Why a key lets nobody in. `mistyped` has check characters that do not go with the others, or another form than keys have. */
export type KeyProblem = "mistyped" | "unknown" | "revoked" | "expired";

type Known = { readonly caller: KeyCaller; readonly untilMs: number; isUsed: boolean };

/**
 * Looks keys up in PostgreSQL by their hash and keeps each answer for `cacheMs`, so a revoked key stops within that time in every
 * process. The store has only hashes; this memory also knows the texts of keys in use, as the requests do that bring them.
 */
export class KeyDirectory {
  readonly #pool: Pool;
  readonly #cacheMs: number;
  readonly #callers = new Map<string, Known>();
  #usedKeyIds = new Set<string>();
  readonly #kept = new Map<string, { readonly row: Promise<KeyRow | undefined>; readonly untilMs: number }>();

  constructor(pool: Pool, cacheMs: number) {
    this.#pool = pool;
    this.#cacheMs = cacheMs;
  }

  /** Who a key belongs to that was found within the last `cacheMs`; undefined when it has to be looked up. */
  remembered(text: string): KeyCaller | undefined {
    const known = this.#callers.get(text);
    if (known === undefined || known.untilMs <= Date.now()) return undefined;
    if (!known.isUsed) {
      known.isUsed = true;
      this.#usedKeyIds.add(known.caller.keyId);
    }
    return known.caller;
  }

  /** Who a key belongs to, or why it lets nobody in. */
  async find(text: string): Promise<KeyCaller | KeyProblem> {
    if (!isKeyText(text)) return "mistyped";
    const askedMs = Date.now();
    const hash = hashKeyText(text);
    const row = await this.#lookUp(hash);
    if (row === undefined) return "unknown";
    if (row.isRevoked) return "revoked";
    const expiresAtMs = row.expiresAtMs ?? Number.POSITIVE_INFINITY;
    if (expiresAtMs <= Date.now()) return "expired";
    const caller = callerOf(row);
    const keptUntilMs = this.#kept.get(hash)?.untilMs ?? askedMs;
    if (this.#callers.size >= maxKept) this.#callers.clear();
    this.#callers.set(text, { caller, untilMs: Math.min(keptUntilMs, expiresAtMs), isUsed: true });
    this.#usedKeyIds.add(caller.keyId);
    return caller;
  }

  /** The keys that were used since the last call, for the note of their last use. */
  takeUsed(): string[] {
    const used = [...this.#usedKeyIds];
    this.#usedKeyIds = new Set();
    // A key that is remembered over several notes must get into each.
    for (const known of this.#callers.values()) known.isUsed = false;
    return used;
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
        (extract(epoch FROM expires_at) * 1000)::float8 AS "expiresAtMs", revoked_at IS NOT NULL AS "isRevoked"
       FROM api_keys WHERE key_hash = $1`,
      [hash],
    );
    return result.rows[0];
  }
}

/** Guesses are kept as well; about 5 MB at 500 bytes an answer. */
const maxKept = 10_000;

function callerOf({ keyId, organizationId, scopes, websiteIds }: KeyRow): KeyCaller {
  return { kind: "key", keyId, organizationId, scopes: new Set(scopes), websiteIds: websiteIds ?? undefined };
}
