import { createHmac, timingSafeEqual } from "node:crypto";
import type { Pool } from "pg";
import type { SharedReading } from "../call/callContext.ts";
import { LookUpCache } from "../store/lookUpCache.ts";
import { epochMs } from "../store/postgres/epochMs.ts";

/** A shared dashboard: what its readers may ask, and who they are. */
export type SharedDashboard = SharedReading & {
  readonly id: string;
  /** The origins whose pages may embed it. */
  readonly origins: readonly string[];
  readonly tokenHash: string;
  readonly passwordHash: string | null;
  /** Unix ms; null for never. */
  readonly expiresAtMs: number | null;
};

/** The header with which queries send the access that OpenSharedDashboard has answered. */
export const sharedAccessHeader = "x-shared-dashboard";

/** How long an access counts. */
const accessMs = 86_400_000;

const cached = { ttlMs: 1_000, maxFound: 10_000, maxMissing: 10_000 };

/** Identifiers, so that others cost no look-up. */
const idText = /^[0-9a-f-]{36}$/;

/** Columns of the table shared_dashboards, as a SharedDashboard names them. */
export const sharedDashboardColumns = `id, website_id AS "websiteId", types, filters, origins, token_hash AS "tokenHash",
  password_hash AS "passwordHash", ${epochMs("expires_at")} AS "expiresAtMs"`;

/**
 * Looks shared dashboards up in PostgreSQL and caches each answer for a second, so a revoked one stops within that time in
 * every process. `secrets` sign accesses, the first one new ones.
 */
export class SharedDashboards {
  readonly #cache: LookUpCache<SharedDashboard>;
  readonly #secrets: () => Promise<readonly [string, ...string[]]>;

  constructor(postgres: Pick<Pool, "query">, secrets: () => Promise<readonly [string, ...string[]]>) {
    this.#secrets = secrets;
    this.#cache = new LookUpCache({
      read: async (id) => {
        const { rows } = await postgres.query<SharedDashboard>(
          `SELECT ${sharedDashboardColumns} FROM shared_dashboards WHERE id = $1`,
          [id],
        );
        return rows[0];
      },
      ...cached,
      counts: { hits: 0, misses: 0 },
    });
  }

  /** The dashboard of an id, unless it is revoked or has expired. */
  async find(id: string): Promise<SharedDashboard | undefined> {
    if (!idText.test(id)) return undefined;
    const found = await this.#cache.find(id);
    return found === undefined || hasExpired(found, Date.now()) ? undefined : found;
  }

  /** An access token for a reader who has sent the link's token, and the password if one is set. It is valid for a day. */
  async access(dashboard: SharedDashboard): Promise<string> {
    const [secret] = await this.#secrets();
    const untilMs = Date.now() + accessMs;
    return `${dashboard.id}.${untilMs}.${signature(dashboard, untilMs, secret).toString("base64url")}`;
  }

  /** The dashboard that an access is for; undefined once either has ended, or another password was set. */
  async open(access: string): Promise<SharedDashboard | undefined> {
    const [id = "", until = "", signed = "", ...rest] = access.split(".");
    const untilMs = Number(until);
    if (rest.length > 0 || !(untilMs > Date.now())) return undefined;
    const dashboard = await this.find(id);
    if (dashboard === undefined) return undefined;
    const given = Buffer.from(signed, "base64url");
    const isSigned = (await this.#secrets()).some((secret) => {
      const expected = signature(dashboard, untilMs, secret);
      return given.length === expected.length && timingSafeEqual(given, expected);
    });
    return isSigned ? dashboard : undefined;
  }
}

export function hasExpired({ expiresAtMs }: Pick<SharedDashboard, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Over the hashes as well, so that another password ends what the former one has opened. */
function signature({ id, tokenHash, passwordHash }: SharedDashboard, untilMs: number, secret: string): Buffer {
  const signed = ["shared dashboard", id, untilMs, tokenHash, passwordHash ?? ""].join("\0");
  return createHmac("sha256", secret).update(signed).digest();
}
