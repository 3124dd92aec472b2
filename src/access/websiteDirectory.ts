import type { Pool } from "pg";
import type { CacheCounts } from "../observability/cacheCounts.ts";
import { type CacheSize, LookUpCache } from "../store/lookUpCache.ts";
import { epochMs } from "../store/postgres/epochMs.ts";
import type { PathRules } from "../text/pagePath.ts";
import { storedId } from "../text/uuid.ts";
import type { PrivacyRules } from "../visitors/privacyRules.ts";

/** A website as calls need it. `deletedAt` is null while it is live; times are Unix ms. */
export type Website = {
  readonly id: string;
  readonly clientId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly domain: string;
  readonly timezone: string;
  readonly publicAccess: boolean;
  readonly createdAtMs: number;
  readonly deletedAtMs: number | null;
  /** Whether it is the target of short links. */
  readonly isLinkTarget: boolean;
  /** How the paths of its pages are stored. */
  readonly paths: PathRules;
  /** What is excluded from its figures, as JSON: `{}` without any rule. */
  readonly rulesText: string;
  /** What is stored of its visitors. */
  readonly privacy: PrivacyRules;
};

/** How long a deleted website can still be queried and restored (specification part 3). */
export const keptAfterDeletionMs = 90 * 86_400_000;

/** Columns of the table websites, as a Website names them. */
export const websiteColumns = `id, client_id AS "clientId", organization_id AS "organizationId", name, domain, timezone, public_access AS "publicAccess", paths, privacy, rules::text AS "rulesText",
  ${epochMs("created_at")} AS "createdAtMs", ${epochMs("deleted_at")} AS "deletedAtMs",
  EXISTS (SELECT 1 FROM links WHERE links.target_website_id = websites.id AND links.deleted_at IS NULL) AS "isLinkTarget"`;

/**
 * Looks websites up in PostgreSQL by id or client id and caches each answer for `cacheMs`, so that a website's traffic
 * costs one look-up in that time.
 */
export class WebsiteDirectory {
  readonly #pool: Pool;
  readonly #cache: LookUpCache<Website>;

  constructor(pool: Pool, { cacheMs, maxCached }: CacheSize, counts: CacheCounts, lookUpTimeoutMs: number) {
    this.#pool = pool;
    this.#cache = new LookUpCache({
      read: (idOrClientId) => this.#read(idOrClientId),
      ttlMs: cacheMs,
      // Trackers do not resend rejected events, so while PostgreSQL is unavailable stale data is better than an error.
      stale: { maxAgeMs: maxStaleMs, afterMs: lookUpTimeoutMs },
      maxFound: maxCached,
      maxMissing: maxCached,
      counts,
    });
  }

  /** The website of this id or client id, including deleted ones. */
  find(idOrClientId: string): Promise<Website | undefined> {
    return this.#cache.find(storedId(idOrClientId));
  }

  /** Live websites of an organization, by name; only those of `ids` when given. */
  async list(organizationId: string, ids: readonly string[] | undefined): Promise<Website[]> {
    const result = await this.#pool.query<Website>(
      `SELECT ${websiteColumns} FROM websites WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text[] IS NULL OR id = ANY($2)) ORDER BY name, id`,
      [organizationId, ids ?? null],
    );
    return result.rows;
  }

  /**
   * Drops a website from this process's cache, so that a change shows at once; other processes see it within `cacheMs`.
   */
  forget({ id, clientId }: Pick<Website, "id" | "clientId">): void {
    this.#cache.forget(id);
    this.#cache.forget(clientId);
  }

  async #read(idOrClientId: string): Promise<Website | undefined> {
    // PostgreSQL refuses U+0000, and no id contains it.
    if (idOrClientId.includes("\u0000")) return undefined;
    const result = await this.#pool.query<Website>(
      `SELECT ${websiteColumns} FROM websites WHERE id = $1 OR client_id = $1 LIMIT 1`,
      [idOrClientId],
    );
    return result.rows[0];
  }
}

/** How long an outage of PostgreSQL may last before its websites are no longer served from memory. */
const maxStaleMs = 600_000;
