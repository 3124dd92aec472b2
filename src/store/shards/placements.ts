import type { Pool } from "pg";
import type { ShardSettings } from "../../config.ts";
import { LookUpCache } from "../lookUpCache.ts";

type Placement = { readonly shard: string; readonly movingTo: string | null };

/** How long a placement is cached: every process follows a move within this time. */
const cacheMs = 1_000;

/** PostgreSQL decides only about new organizations: while it is unavailable the known ones are read as before. */
const maxStaleMs = 600_000;

const maxCached = 50_000;

/**
 * Which shard has the rows of an owner, a website or an organization. An organization that has none yet gets the shard with the fewest
 * organizations.
 */
export class Placements {
  readonly #postgres: Pick<Pool, "query">;
  readonly #names: readonly string[];
  readonly #cache: LookUpCache<Placement>;

  constructor(postgres: Pick<Pool, "query">, shards: readonly ShardSettings[]) {
    this.#postgres = postgres;
    this.#names = shards.map(({ name }) => name);
    this.#cache = new LookUpCache({
      read: (owner) => this.#read(owner),
      ttlMs: cacheMs,
      renewAfterMs: cacheMs / 2,
      maxStaleMs,
      maxFound: maxCached,
      maxMissing: 1_000,
      counts: { hits: 0, misses: 0 },
    });
  }

  /** The shard to read from. An owner that no longer exists has no rows anywhere, so any shard will do. */
  async shardOf(owner: string): Promise<string | undefined> {
    return (await this.#find(owner))?.shard;
  }

  /** The shards to write to: two while the organization moves. */
  async shardsToWrite(owner: string): Promise<readonly string[]> {
    let placement = await this.#find(owner);
    if (placement === undefined) {
      // It may have been made within the last second.
      this.#cache.forget(owner);
      placement = await this.#find(owner);
    }
    if (placement === undefined) return [];
    return placement.movingTo === null ? [placement.shard] : [placement.shard, placement.movingTo];
  }

  async #find(owner: string): Promise<Placement | undefined> {
    if (owner === "") return undefined;
    const known = this.#cache.cached(owner);
    return known === undefined ? await this.#cache.find(owner) : known.value;
  }

  async #read(owner: string): Promise<Placement | undefined> {
    if (owner.includes("\u0000")) return undefined;
    const { rows } = await this.#postgres.query<{ id: string; shard: string | null; movingTo: string | null }>({
      name: "placement",
      text: `SELECT organizations.id, shard, moving_to AS "movingTo" FROM organizations
             LEFT JOIN placements ON organization_id = organizations.id
             WHERE organizations.id = coalesce((SELECT organization_id FROM websites WHERE id = $1), $1)`,
      values: [owner],
    });
    const [found] = rows;
    if (found === undefined) return undefined;
    const { id, shard, movingTo } = found;
    if (shard === null) return { shard: await this.#place(id), movingTo: null };
    for (const name of [shard, movingTo])
      if (name !== null && !this.#names.includes(name))
        throw new Error(`The organization ${id} is on the shard ${name}, which SHARDS of this process does not name`);
    return { shard, movingTo };
  }

  /** Places an organization. Of two processes the first one decides. */
  async #place(organizationId: string): Promise<string> {
    await this.#postgres.query(
      `INSERT INTO placements (organization_id, shard)
       SELECT $1, name FROM unnest($2::text[]) WITH ORDINALITY AS shards (name, place)
       ORDER BY (SELECT count(*) FROM placements WHERE shard = name), place LIMIT 1 ON CONFLICT DO NOTHING`,
      [organizationId, this.#names],
    );
    const { rows } = await this.#postgres.query<{ shard: string }>(
      "SELECT shard FROM placements WHERE organization_id = $1",
      [organizationId],
    );
    const [placed] = rows;
    if (placed === undefined) throw new Error(`The organization ${organizationId} could not be placed on a shard`);
    return placed.shard;
  }
}
