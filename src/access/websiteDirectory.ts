import type { Pool } from "pg";
import { isStoreAway } from "../store/storeAway.ts";

/** A website as every call needs it. `deletedAt` is null while it is live; times are Unix ms. */
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
  /** Whether short links lead to it. */
  readonly isLinkTarget: boolean;
};

/** How long a deleted website can still be queried and restored (specification part 3). */
export const keptAfterDeletionMs = 90 * 86_400_000;

/** Columns of the table websites, as a Website names them. */
export const websiteColumns = `id, client_id AS "clientId", organization_id AS "organizationId", name, domain, timezone, public_access AS "publicAccess",
  (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs", (extract(epoch FROM deleted_at) * 1000)::float8 AS "deletedAtMs",
  EXISTS (SELECT 1 FROM links WHERE links.target_website_id = websites.id AND links.deleted_at IS NULL) AS "isLinkTarget"`;

/** An answer, when it was read, and until when it is taken as it is. */
type Kept = { readonly website: Promise<Website | undefined>; readonly readMs: number; readonly untilMs: number };

/**
 * Looks websites up in PostgreSQL and keeps each answer, also "there is none", for `cacheMs`, so that a website's traffic costs
 * one look-up in that time. Kept answers are bounded: ids come from strangers, whose guesses do not drive out websites.
 */
export class WebsiteDirectory {
  readonly #pool: Pool;
  readonly #cacheMs: number;
  readonly #kept = new Map<string, Kept>();
  /** Answers that there is none. */
  readonly #unknown = new Map<string, Kept>();

  constructor(pool: Pool, cacheMs: number) {
    this.#pool = pool;
    this.#cacheMs = cacheMs;
  }

  /** The website of this id or client id, deleted ones included. */
  find(idOrClientId: string): Promise<Website | undefined> {
    const nowMs = Date.now();
    const known = this.#kept.get(idOrClientId) ?? this.#unknown.get(idOrClientId);
    if (known !== undefined && known.untilMs > nowMs) return known.website;
    // What is not known to be there waits among the guesses until it is found.
    const into = this.#kept.has(idOrClientId) ? this.#kept : this.#unknown;
    const website = this.#read(idOrClientId).catch((error: unknown) => {
      into.delete(idOrClientId);
      if (known === undefined || known.readMs + maxStaleMs < nowMs || !isStoreAway(error)) throw error;
      // Trackers never send an event twice, so while PostgreSQL is away what was known last is better than an error.
      keep(into, idOrClientId, { ...known, untilMs: nowMs + this.#cacheMs });
      return known.website;
    });
    const kept: Kept = { website, readMs: nowMs, untilMs: nowMs + this.#cacheMs };
    keep(into, idOrClientId, kept);
    website.then(
      (found) => {
        const right = found === undefined ? this.#unknown : this.#kept;
        if (right === into || into.get(idOrClientId) !== kept) return;
        into.delete(idOrClientId);
        keep(right, idOrClientId, kept);
      },
      () => undefined,
    );
    return website;
  }

  /** Live websites of an organization, by name; only those of `ids` when given. */
  async list(organizationId: string, ids: readonly string[] | undefined): Promise<Website[]> {
    const result = await this.#pool.query<Website>(
      `SELECT ${websiteColumns} FROM websites WHERE organization_id = $1 AND deleted_at IS NULL AND ($2::text[] IS NULL OR id = ANY($2)) ORDER BY name, id`,
      [organizationId, ids ?? null],
    );
    return result.rows;
  }

  /** Makes this process see a change at once; others see it within `cacheMs`. */
  forget({ id, clientId }: Pick<Website, "id" | "clientId">): void {
    for (const name of [id, clientId]) {
      this.#kept.delete(name);
      this.#unknown.delete(name);
    }
  }

  async #read(idOrClientId: string): Promise<Website | undefined> {
    // PostgreSQL refuses this character, and no id holds it.
    if (idOrClientId.includes("\u0000")) return undefined;
    const result = await this.#pool.query<Website>(
      `SELECT ${websiteColumns} FROM websites WHERE id = $1 OR client_id = $1 LIMIT 1`,
      [idOrClientId],
    );
    return result.rows[0];
  }
}

/** Keeps an answer as the newest; when there are too many the oldest goes. */
function keep(into: Map<string, Kept>, name: string, kept: Kept): void {
  into.delete(name);
  const [oldest] = into.keys();
  if (into.size >= maxKept && oldest !== undefined) into.delete(oldest);
  into.set(name, kept);
}

/** How long an outage of PostgreSQL may last before its websites are no longer served from memory. */
const maxStaleMs = 600_000;

/** About 10 MB at 1 kB a website, and 2 MB for what is none. */
const maxKept = 10_000;
