import type { Pool } from "pg";
import { type Role, roles, type UserCaller } from "../../access/caller.ts";
import { roleScopes } from "../../access/roleScopes.ts";
import { cookieHeaders, sessionCookieIn } from "../../access/sessionCookie.ts";
import type { CacheCounts } from "../../observability/cacheCounts.ts";
import { type CacheSize, LookUpCache } from "../../store/lookUpCache.ts";
import type { Auth } from "../auth.ts";
import { unwrapped } from "../authFailure.ts";

/**
 * A session and its user. `renewedCookie` is the Set-Cookie that extends it in the browser, if its expiry was moved.
 */
export type FoundSession = {
  readonly caller: UserCaller;
  readonly email: string;
  readonly name: string;
  readonly hasSecondFactor: boolean;
  readonly expiresAt: Date;
  readonly renewedCookie: string | undefined;
};

/** Opens better-auth, as Accounts does. */
type AuthSource = { readonly auth: () => Promise<Auth> };

/**
 * Looks sessions up by their cookies and caches each answer for `cacheMs`, so ended sessions and changed roles take
 * effect within that time in every process. better-auth checks the cookie and extends the session; the role is read
 * from `members`.
 */
export class SessionDirectory {
  readonly #accounts: AuthSource;
  readonly #postgres: Pick<Pool, "query">;
  readonly #cache: LookUpCache<FoundSession>;

  constructor(
    accounts: AuthSource,
    postgres: Pick<Pool, "query">,
    { cacheMs, maxCached }: CacheSize,
    counts: CacheCounts,
  ) {
    this.#accounts = accounts;
    this.#postgres = postgres;
    this.#cache = new LookUpCache({
      read: (cookie) => this.#read(cookie),
      ttlMs: cacheMs,
      maxFound: maxCached,
      maxMissing: maxCached,
      counts,
    });
  }

  /** The session of a cookie; undefined when there is none or it has ended. */
  async find(cookie: string): Promise<FoundSession | undefined> {
    if (cookie.length > maxCookieLength) return undefined;
    const cached = this.#cache.cached(cookie);
    if (cached === undefined) return await this.#cache.find(cookie);
    const { value: found } = cached;
    // The renewed cookie was sent with the answer to the request that looked the session up.
    return found === undefined || found.expiresAt.getTime() <= Date.now()
      ? undefined
      : { ...found, renewedCookie: undefined };
  }

  /**
   * Drops a session from this process's cache, so that a change shows at once; other processes see it within `cacheMs`.
   */
  forget(cookie: string): void {
    this.#cache.forget(cookie);
  }

  async #read(cookie: string): Promise<FoundSession | undefined> {
    const auth = await this.#accounts.auth();
    const { headers, response } = await auth.api
      .getSession({ headers: cookieHeaders(cookie), returnHeaders: true })
      .catch(unwrapped);
    if (response === null) return undefined;
    const { session, user } = response;
    const { rows } = await this.#postgres.query<{ organizationId: string; role: string }>(
      `SELECT members.organization_id AS "organizationId", members.role
       FROM members JOIN sessions ON sessions.id = $1 AND sessions.user_id = members.user_id
       ORDER BY members.organization_id = sessions.active_organization_id DESC NULLS LAST, members.created_at, members.id LIMIT 1`,
      [session.id],
    );
    const [member] = rows;
    const role = roles.find((name) => name === member?.role);
    return {
      caller: callerOf(user.id, session.id, member?.organizationId ?? "", role),
      email: user.email,
      name: user.name,
      hasSecondFactor: user.twoFactorEnabled === true,
      expiresAt: session.expiresAt,
      renewedCookie: sessionCookieIn(headers),
    };
  }
}

/** Ours have about 90 characters. */
const maxCookieLength = 256;

function callerOf(userId: string, sessionId: string, organizationId: string, role: Role | undefined): UserCaller {
  const scopes = role === undefined ? noScopes : roleScopes[role];
  return { kind: "user", userId, sessionId, organizationId, role, scopes, websiteIds: undefined };
}

const noScopes: ReadonlySet<string> = new Set();
