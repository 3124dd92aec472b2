import type { Pool } from "pg";
import type { KeyCaller } from "../call/caller.ts";
import type { CacheCounts } from "../observability/cacheCounts.ts";
import { type CacheSize, LookUpCache } from "../store/lookUpCache.ts";
import { epochMs } from "../store/postgres/epochMs.ts";
import { hashKeyText, isKeyText } from "./keyText.ts";

/** Why a key is refused. `mistyped`: its check characters are wrong, or it does not have the form of a key. */
export type KeyProblem = "mistyped" | "unknown" | "revoked" | "expired";

type KnownKey = {
  readonly caller: KeyCaller;
  readonly expiresAtMs: number;
  readonly isRevoked: boolean;
};

type KeyRow = {
  keyId: string;
  organizationId: string;
  scopes: string[];
  websiteIds: string[] | null;
  expiresAtMs: number | null;
  isRevoked: boolean;
};

/**
 * Looks keys up in PostgreSQL by their hash and caches each answer for `cacheMs`, so a revoked key stops within that
 * time in every process. PostgreSQL has only hashes; this cache also has the texts of keys in use, like the requests
 * that send them.
 */
export class KeyDirectory {
  readonly #pool: Pick<Pool, "query">;
  readonly #cache: LookUpCache<KnownKey>;
  #usedKeyIds = new Set<string>();

  constructor(pool: Pick<Pool, "query">, { cacheMs, maxCached }: CacheSize, counts: CacheCounts) {
    this.#pool = pool;
    this.#cache = new LookUpCache({
      read: (text) => this.#read(text),
      ttlMs: cacheMs,
      maxFound: maxCached,
      maxMissing: maxCached,
      counts,
    });
  }

  /** The cached caller of a key; undefined on a cache miss, when `find` must be used. */
  cached(text: string): KeyCaller | undefined {
    const cached = this.#cache.cached(text)?.value;
    if (cached === undefined || problemOf(cached) !== undefined) return undefined;
    this.#usedKeyIds.add(cached.caller.keyId);
    return cached.caller;
  }

  /** The caller of a key, or why the key is refused. */
  async find(text: string): Promise<KeyCaller | KeyProblem> {
    if (!isKeyText(text)) return "mistyped";
    const known = await this.#cache.find(text);
    if (known === undefined) return "unknown";
    const problem = problemOf(known);
    if (problem !== undefined) return problem;
    this.#usedKeyIds.add(known.caller.keyId);
    return known.caller;
  }

  /** The keys that were used since the last call, to record their last use. */
  takeUsed(): string[] {
    const used = [...this.#usedKeyIds];
    this.#usedKeyIds = new Set();
    return used;
  }

  async #read(text: string): Promise<KnownKey | undefined> {
    const { rows } = await this.#pool.query<KeyRow>(
      `SELECT id AS "keyId", organization_id AS "organizationId", scopes, website_ids AS "websiteIds",
        ${epochMs("expires_at")} AS "expiresAtMs", revoked_at IS NOT NULL AS "isRevoked"
       FROM api_keys WHERE key_hash = $1`,
      [hashKeyText(text)],
    );
    const [row] = rows;
    return row === undefined ? undefined : knownKey(row);
  }
}

function problemOf({ isRevoked, expiresAtMs }: KnownKey): KeyProblem | undefined {
  if (isRevoked) return "revoked";
  return expiresAtMs <= Date.now() ? "expired" : undefined;
}

function knownKey({ keyId, organizationId, scopes, websiteIds, expiresAtMs, isRevoked }: KeyRow): KnownKey {
  return {
    caller: { kind: "key", keyId, organizationId, scopes: new Set(scopes), websiteIds: websiteIds ?? undefined },
    expiresAtMs: expiresAtMs ?? Number.POSITIVE_INFINITY,
    isRevoked,
  };
}
