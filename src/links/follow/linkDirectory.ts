import type { Pool } from "pg";
import type { CacheCounts } from "../../observability/cacheCounts.ts";
import { type CacheSize, LookUpCache } from "../../store/lookUpCache.ts";
import { LinkReader, type LiveLink } from "./linkReader.ts";

/** The result of a look-up. */
export type Found = { readonly value: LiveLink | undefined };

/**
 * Looks links up in PostgreSQL by their slug and caches each answer for `cacheMs`: a changed or deleted link stops
 * within that time in every process. While PostgreSQL is unavailable cached links keep redirecting; they cannot be changed
 * then.
 */
export class LinkDirectory {
  readonly #cache: LookUpCache<LiveLink>;

  constructor(
    pool: Pick<Pool, "query">,
    { cacheMs, maxCached }: CacheSize,
    counts: CacheCounts,
    lookUpTimeoutMs: number,
  ) {
    const reader = new LinkReader(pool);
    this.#cache = new LookUpCache({
      // Renewals are delayed, so that several share a statement.
      read: (key, isRenewal) => reader.read(key, isRenewal ? cacheMs / 10 : 0),
      ttlMs: cacheMs,
      renewAfterMs: cacheMs / 2,
      stale: { maxAgeMs: maxStaleMs, afterMs: lookUpTimeoutMs },
      maxFound: maxCached,
      maxMissing,
      counts,
    });
  }

  /** The cached result of the last `cacheMs`; undefined on a cache miss. */
  cached(slug: string): Found | undefined {
    return this.#cache.cached(keyOf(slug));
  }

  /** The link of a slug, from the cache or PostgreSQL. */
  async find(slug: string): Promise<LiveLink | undefined> {
    const key = keyOf(slug);
    return slugPattern.test(key) ? await this.#cache.find(key) : undefined;
  }

  /**
   * Drops a link from this process's cache, so that a change shows at once; other processes see it within `cacheMs`.
   */
  forget(slug: string): void {
    this.#cache.forget(keyOf(slug));
  }
}

/** Upper and lower case are the same link; a dot ends the sentence that an address was copied from. */
function keyOf(slug: string): string {
  return (slug.endsWith(".") ? slug.replace(/\.+$/, "") : slug).toLowerCase();
}

/** The form of every key; other text is not looked up. */
const slugPattern = /^[a-z0-9_-]{1,64}$/;

/** How long an outage of PostgreSQL may last before links are no longer served from memory. */
const maxStaleMs = 600_000;

/** About 2 MB. */
const maxMissing = 10_000;
