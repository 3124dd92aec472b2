import type { Pool } from "pg";
import type { ShardSettings } from "../../config.ts";
import { LookUpCache } from "../../store/lookUpCache.ts";

/**
 * Where the rows of an organization are. While it moves (`src/scale/move`) there is a second shard: at first the new one, from
 * `switched` on the old one.
 */
export type Placement = {
  readonly organizationId: string;
  /** The shard that is read. */
  readonly shard: string;
  readonly movingTo: string | null;
  /** Migration 0015 defines the states. */
  readonly movingState: "copying" | "both" | "switched" | "leaving" | null;
  /** When the move began. */
  readonly movingSince: string | null;
  /** Unix ms, taken just before it was read. */
  readonly readMs: number;
};

/** How long a placement is cached. While PostgreSQL answers, every process follows a change within this time. */
const cacheMs = 1_000;

/** Maximum age of a placement while its organization moves. */
export const readLeaseMs = 2_000;

/**
 * Maximum age of a placement while PostgreSQL is unavailable. Known organizations are still read and written: PostgreSQL only
 * decides about new ones.
 */
export const maxStaleMs = 600_000;

const maxCached = 50_000;

/**
 * Finds the shard of an owner (a website or an organization). An organization without a shard gets the one with the fewest
 * organizations.
 */
export class Placements {
  readonly #postgres: Pick<Pool, "query">;
  readonly #names: readonly string[];
  readonly #cache: LookUpCache<Placement>;
  #followed = 0;

  constructor(postgres: Pick<Pool, "query">, shards: readonly ShardSettings[], lookUpTimeoutMs: number) {
    this.#postgres = postgres;
    this.#names = shards.map(({ name }) => name);
    this.#cache = new LookUpCache({
      read: (owner) => this.#read(owner),
      ttlMs: cacheMs,
      renewAfterMs: cacheMs / 2,
      stale: { maxAgeMs: maxStaleMs, afterMs: lookUpTimeoutMs },
      maxFound: maxCached,
      maxMissing: 1_000,
      counts: { hits: 0, misses: 0 },
    });
  }

  /** The number of placement changes that every later look-up reflects. */
  get followed(): number {
    return this.#followed;
  }

  /** Drops cached placements when any placement has changed. Rejects when PostgreSQL does not answer. */
  async follow(): Promise<void> {
    const { rows } = await this.#postgres.query<{ epoch: string }>({
      name: "placement epoch",
      text: "SELECT epoch FROM placement_epoch",
    });
    const epoch = Number(rows[0]?.epoch ?? 0);
    if (epoch <= this.#followed) return;
    this.#cache.clear();
    this.#followed = epoch;
  }

  /**
   * The placement to read an owner from. Undefined for an owner that no longer exists: it has no rows, so any shard will do.
   * Rejects while it is unknown which shard of a moving organization is read.
   */
  async toRead(owner: string): Promise<Placement | undefined> {
    const placement = await this.#find(owner);
    const isOld = ({ movingState, readMs }: Placement) => movingState !== null && Date.now() - readMs > readLeaseMs;
    if (placement === undefined || !isOld(placement)) return placement;
    this.#cache.forget(owner);
    const again = await this.#find(owner);
    if (again !== undefined && isOld(again)) throw new PlacementUnknownError(again.organizationId);
    return again;
  }

  /** The shards that new rows of an owner go to. While its organization moves there are briefly two, the new one first. */
  async shardsToWrite(owner: string): Promise<readonly string[]> {
    const placement = await this.#findAnew(owner);
    if (placement === undefined) return [];
    const { shard, movingTo, movingState } = placement;
    if (movingTo !== null && movingState === "both") return [movingTo, shard];
    if (movingTo !== null && movingState === "switched") return [shard, movingTo];
    return [shard];
  }

  /** The shards that may have rows of an owner. */
  async shardsWithRows(owner: string): Promise<readonly string[]> {
    const placement = await this.#findAnew(owner);
    if (placement === undefined) return [];
    return placement.movingTo === null ? [placement.shard] : [placement.shard, placement.movingTo];
  }

  async #findAnew(owner: string): Promise<Placement | undefined> {
    const placement = await this.#find(owner);
    if (placement !== undefined) return placement;
    // It may have been created within the last second.
    this.#cache.forget(owner);
    return await this.#find(owner);
  }

  async #find(owner: string): Promise<Placement | undefined> {
    if (owner === "") return undefined;
    const known = this.#cache.cached(owner);
    return known === undefined ? await this.#cache.find(owner) : known.value;
  }

  async #read(owner: string): Promise<Placement | undefined> {
    if (owner.includes("\u0000")) return undefined;
    const readMs = Date.now();
    const { rows } = await this.#postgres.query<Omit<Placement, "shard" | "readMs"> & { shard: string | null }>({
      name: "placement",
      text: `SELECT organizations.id AS "organizationId", shard, moving_to AS "movingTo", moving_state AS "movingState",
               moving_since::text AS "movingSince" FROM organizations
             LEFT JOIN placements ON organization_id = organizations.id
             WHERE organizations.id = coalesce((SELECT organization_id FROM websites WHERE id = $1), $1)`,
      values: [owner],
    });
    const [found] = rows;
    if (found === undefined) return undefined;
    const { organizationId, shard } = found;
    if (shard === null) return { ...found, shard: await this.#place(organizationId), readMs };
    for (const name of [shard, found.movingTo])
      if (name !== null && !this.#names.includes(name))
        throw new Error(
          `The organization ${organizationId} is on the shard ${name}, which SHARDS of this process does not name`,
        );
    return { ...found, shard, readMs };
  }

  /** Places an organization. If two processes do so, the first one wins. */
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

/** PostgreSQL does not answer, so it is unknown which shard of a moving organization is read. */
class PlacementUnknownError extends Error {
  override name = "PlacementUnknownError";
  /** The code of a broken connection: the store is unavailable. */
  readonly code = "ECONNRESET";

  constructor(organizationId: string) {
    super(`It is unknown which shard of the moving organization ${organizationId} is read now`);
  }
}
