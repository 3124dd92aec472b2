import type { Pool } from "pg";
import { LookUpCache } from "../../store/lookUpCache.ts";
import { LinkReader, type LiveLink } from "./linkReader.ts";

/** What a look-up has found. */
export type Found = { readonly value: LiveLink | undefined };

/**
 * Looks links up in PostgreSQL by their slug and keeps each answer for `cacheMs`, so that a changed or deleted link stops within that time in
 * every process. While PostgreSQL is away links redirect as they did last; they cannot be changed then.
 */
export class LinkDirectory {
  readonly #cache: LookUpCache<LiveLink>;

  constructor(pool: Pick<Pool, "query">, cacheMs: number) {
    const reader = new LinkReader(pool);
    this.#cache = new LookUpCache({
      // Renewals wait for each other, so that they share statements.
      read: (key, isRenewal) => reader.read(key, isRenewal ? cacheMs / 10 : 0),
      ttlMs: cacheMs,
      renewAfterMs: cacheMs / 2,
      maxStaleMs,
      maxFound,
      maxMissing,
    });
  }

  /** What was found within the last `cacheMs`; undefined when it has to be looked up. */
  kept(slug: string): Found | undefined {
    return this.#cache.kept(slug.toLowerCase());
  }

  /** The link of a slug, looked up unless it is kept. */
  async find(slug: string): Promise<LiveLink | undefined> {
    return slugPattern.test(slug) ? await this.#cache.find(slug.toLowerCase()) : undefined;
  }

  /** Makes this process see a change at once; others see it within `cacheMs`. */
  forget(slug: string): void {
    this.#cache.forget(slug.toLowerCase());
  }
}

/** What a slug can be at all; anything else is not looked up. */
const slugPattern = /^[A-Za-z0-9_-]{1,64}$/;

/** How long an outage of PostgreSQL may last before links are no longer served from memory. */
const maxStaleMs = 600_000;

/** About 75 MB at 1.5 kB each. */
const maxFound = 50_000;

/** About 2 MB. */
const maxMissing = 10_000;
