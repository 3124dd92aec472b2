import type { Pool } from "pg";
import { personScopes } from "../../access/roleScopes.ts";
import { cookieHeaders, sessionCookieIn } from "../../access/sessionCookie.ts";
import { roles, type UserCaller } from "../../call/caller.ts";
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
  readonly hasGeneratedPassword: boolean;
  /** Empty until one was chosen. */
  readonly language: string;
  readonly expiresAt: Date;
  readonly renewedCookie: string | undefined;
};

/** Opens better-auth, as Accounts does. */
type AuthSource = { readonly auth: () => Promise<Auth> };

/** The session that a cookie's signature proves. It never changes, unlike all else of a session. */
type ProvedSession = { readonly sessionId: string; readonly renewedCookie: string | undefined };

type SessionRow = Omit<FoundSession, "caller" | "renewedCookie"> & {
  readonly userId: string;
  readonly organizationId: string | null;
  readonly role: string | null;
  readonly websiteIds: readonly string[] | null;
  readonly scopes: readonly string[] | null;
};

/**
 * Looks sessions up by their cookies. Which session a cookie proves is cached for `cacheMs`: better-auth checks that, and
 * extends the session. Whether the session still exists, its organization, its role and what it is limited to are read with
 * every call, by one statement, so that no call acts in an organization that the session has left, with a role that it has
 * lost or on a website that it does not reach any more, in any process.
 */
export class SessionDirectory {
  readonly #accounts: AuthSource;
  readonly #postgres: Pick<Pool, "query">;
  readonly #cache: LookUpCache<ProvedSession>;

  constructor(
    accounts: AuthSource,
    postgres: Pick<Pool, "query">,
    { cacheMs, maxCached }: CacheSize,
    counts: CacheCounts,
  ) {
    this.#accounts = accounts;
    this.#postgres = postgres;
    this.#cache = new LookUpCache({
      read: (cookie) => this.#prove(cookie),
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
    const proved = cached === undefined ? await this.#cache.find(cookie) : cached.value;
    if (proved === undefined) return undefined;
    // The renewed cookie is sent once: with the answer to the request for which the cookie was checked.
    return await this.#read(proved.sessionId, cached === undefined ? proved.renewedCookie : undefined);
  }

  async #prove(cookie: string): Promise<ProvedSession | undefined> {
    const auth = await this.#accounts.auth();
    const { headers, response } = await auth.api
      .getSession({ headers: cookieHeaders(cookie), returnHeaders: true })
      .catch(unwrapped);
    return response === null ? undefined : { sessionId: response.session.id, renewedCookie: sessionCookieIn(headers) };
  }

  async #read(sessionId: string, renewedCookie: string | undefined): Promise<FoundSession | undefined> {
    const { rows } = await this.#postgres.query<SessionRow>(selectSession, [sessionId]);
    const [row] = rows;
    if (row === undefined) return undefined;
    const { userId, organizationId, role: roleName, websiteIds, scopes: named, ...person } = row;
    const role = roles.find((known) => known === roleName);
    const caller: UserCaller = {
      kind: "user",
      userId,
      sessionId,
      organizationId: organizationId ?? "",
      role,
      scopes: role === undefined ? noScopes : personScopes(role, named),
      websiteIds: websiteIds ?? undefined,
    };
    return { caller, ...person, renewedCookie };
  }
}

/** Of a person's organizations the one that the session was switched to, else the one they joined first. */
const selectSession = `SELECT users.id AS "userId", users.email, users.name, users.two_factor_enabled AS "hasSecondFactor",
    users.has_generated_password AS "hasGeneratedPassword", COALESCE(users.language, '') AS language,
    sessions.expires_at AS "expiresAt", member.organization_id AS "organizationId", member.role,
    member.website_ids AS "websiteIds", member.scopes
  FROM sessions JOIN users ON users.id = sessions.user_id LEFT JOIN LATERAL (
    SELECT organization_id, role, website_ids, scopes FROM members WHERE user_id = sessions.user_id
    ORDER BY organization_id = sessions.active_organization_id DESC NULLS LAST, created_at, id LIMIT 1
  ) AS member ON true
  WHERE sessions.id = $1 AND sessions.expires_at > now()`;

/** Ours have about 90 characters. */
const maxCookieLength = 256;

const noScopes: ReadonlySet<string> = new Set();
