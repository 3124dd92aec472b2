import type { Pool } from "pg";
import { type Link, linkColumns } from "./link.ts";
import { type Targets, targetsOf } from "./targets.ts";

/** A link that leads somewhere: neither it nor its website is deleted. */
export type LiveLink = Link & { readonly targets: Targets };

/** A link as PostgreSQL had it at a time, Unix ms: what changed after it is not in it. */
export type ReadLink = { readonly link: LiveLink | undefined; readonly readMs: number };

type Batch = {
  readonly slugs: Set<string>;
  readonly result: Promise<{ readonly links: ReadonlyMap<string, LiveLink>; readonly readMs: number }>;
  readonly begin: () => void;
  timer?: NodeJS.Timeout;
  isHurried: boolean;
};

/** Reads links by their slugs from PostgreSQL; those that are asked for at about the same time share a statement. */
export class LinkReader {
  readonly #pool: Pick<Pool, "query">;
  #next: Batch | undefined;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /** The link of a slug in small letters. Asks within `waitMs`: 0 where somebody waits for it, more where others may come along. */
  async read(slug: string, waitMs: number): Promise<ReadLink> {
    this.#next ??= this.#newBatch();
    const batch = this.#next;
    batch.slugs.add(slug);
    if (waitMs > 0) batch.timer ??= setTimeout(batch.begin, waitMs);
    else if (!batch.isHurried) {
      batch.isHurried = true;
      setImmediate(batch.begin);
    }
    const { links, readMs } = await batch.result;
    return { link: links.get(slug), readMs };
  }

  #newBatch(): Batch {
    const slugs = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const result = promise.then(async () => {
      clearTimeout(batch.timer);
      this.#next = undefined;
      const readMs = Date.now();
      return { links: await this.#ask([...slugs]), readMs };
    });
    const batch: Batch = { slugs, result, begin: resolve, isHurried: false };
    return batch;
  }

  async #ask(slugs: readonly string[]): Promise<Map<string, LiveLink>> {
    const { rows } = await this.#pool.query<Link>(
      `SELECT ${linkColumns} FROM links LEFT JOIN websites ON websites.id = links.website_id
       WHERE lower(links.slug) = ANY($1) AND links.deleted_at IS NULL AND websites.deleted_at IS NULL`,
      [slugs],
    );
    return new Map(rows.map((row) => [row.slug.toLowerCase(), { ...row, targets: targetsOf(row) }]));
  }
}
