import type { Pool } from "pg";
import { rulesOfText, type WebsiteRules } from "../../ingest/rules/websiteRules.ts";
import { type Link, linkColumns } from "../link.ts";
import { type Targets, targetsOf } from "./targets.ts";

/** A link that redirects: neither it nor its website is deleted. */
export type LiveLink = Link & {
  readonly targets: Targets;
  /** What its website does not want to count; undefined without rules. */
  readonly rules: WebsiteRules | undefined;
};

type Found = Link & { readonly rulesText: string | null };

type Batch = {
  readonly slugs: Set<string>;
  readonly links: Promise<ReadonlyMap<string, LiveLink>>;
  readonly begin: () => void;
  timer?: NodeJS.Timeout;
  isImmediate: boolean;
};

/** Reads links by their slugs from PostgreSQL. Reads at about the same time share a statement. */
export class LinkReader {
  readonly #pool: Pick<Pool, "query">;
  #next: Batch | undefined;

  constructor(pool: Pick<Pool, "query">) {
    this.#pool = pool;
  }

  /**
   * The link of a slug in lower case. The statement is sent within `waitMs`: 0 where a caller waits, more where other
   * slugs may join.
   */
  async read(slug: string, waitMs: number): Promise<LiveLink | undefined> {
    this.#next ??= this.#newBatch();
    const batch = this.#next;
    batch.slugs.add(slug);
    if (waitMs > 0) batch.timer ??= setTimeout(batch.begin, waitMs);
    else if (!batch.isImmediate) {
      batch.isImmediate = true;
      setImmediate(batch.begin);
    }
    return (await batch.links).get(slug);
  }

  #newBatch(): Batch {
    const slugs = new Set<string>();
    const { promise, resolve } = Promise.withResolvers<void>();
    const links = promise.then(async () => {
      clearTimeout(batch.timer);
      this.#next = undefined;
      return await this.#query([...slugs]);
    });
    const batch: Batch = { slugs, links, begin: resolve, isImmediate: false };
    return batch;
  }

  async #query(slugs: readonly string[]): Promise<Map<string, LiveLink>> {
    const { rows } = await this.#pool.query<Found>(
      `SELECT ${linkColumns}, websites.rules::text AS "rulesText" FROM links LEFT JOIN websites ON websites.id = links.website_id
       WHERE lower(links.slug) = ANY($1) AND links.deleted_at IS NULL AND websites.deleted_at IS NULL`,
      [slugs],
    );
    return new Map(rows.map((row) => [row.slug.toLowerCase(), liveLink(row)]));
  }
}

function liveLink({ rulesText, ...link }: Found): LiveLink {
  return { ...link, targets: targetsOf(link), rules: rulesText === null ? undefined : rulesOfText(rulesText) };
}
