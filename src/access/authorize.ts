import type { CallContext } from "../call/callContext.ts";
import type { Caller, KeyCaller, UserCaller } from "../call/caller.ts";
import type { Config } from "../config.ts";
import { ApiError } from "../errors/errors.ts";
import type { Requirement } from "../gen/access/v1/access_pb.ts";
import type { KeyDirectory, KeyProblem } from "./keyDirectory.ts";
import { refuseForeignPages, requireOwnPage } from "./ownPage.ts";
import { requireWholeOrganization } from "./requireWholeOrganization.ts";
import { personScopes } from "./roleScopes.ts";
import { sessionCookieOf, setSessionCookie } from "./sessionCookie.ts";
import { type SharedDashboards, sharedAccessHeader } from "./sharedDashboards.ts";
import type { Website, WebsiteDirectory } from "./websiteDirectory.ts";

/** A call before its caller is known. */
export type AccessCall = CallContext<{
  readonly config: Pick<Config, "server" | "accounts" | "ingest">;
  readonly keys: KeyDirectory;
  readonly websites: WebsiteDirectory;
  readonly sharedDashboards: SharedDashboards;
  readonly accounts: { readonly sessions: { find(cookie: string): Promise<CookieSession | undefined> } };
}>;

/** The caller of a session, and the Set-Cookie that extends it in the browser, if its expiry was moved. */
type CookieSession = { readonly caller: UserCaller; readonly renewedCookie: string | undefined };

/**
 * Admits or refuses a call before its body is read, and records the caller. The single place where an RPC's requirement
 * is enforced, for JSON and gRPC alike. `websiteIdOf` reads the request's website_id.
 *
 * Throws or rejects with AUTH_REQUIRED, INVALID_API_KEY or ACCESS_DENIED (specification part 5, rule 7), and with
 * FORBIDDEN for a session that a foreign page may be using. A call with a cached key is admitted synchronously: three
 * event-loop ticks cost more than reading a query.
 */
export function admit(
  requirement: Requirement,
  call: AccessCall,
  websiteIdOf: () => string | undefined,
): Promise<void> | undefined {
  if (requirement.open) {
    if (requirement.cookie) refuseForeignPages(call);
    return requirement.scope === "" ? undefined : admitKey(requirement.scope, call);
  }
  if (requirement.orSharedDashboard && call.header(sharedAccessHeader) !== undefined) return admitReader(call);
  const text = keyOf(call);
  const caller = text === undefined ? undefined : call.app.keys.cached(text);
  if (caller === undefined) return lookUpAndAdmit(requirement, call, websiteIdOf);
  requireAccess(caller, requirement);
  call.caller = caller;
  return undefined;
}

/** A call that needs no key: a key that is sent is still checked. */
function admitKey(scope: string, call: AccessCall): Promise<void> | undefined {
  const text = keyOf(call);
  if (text === undefined) return undefined;
  const caller = call.app.keys.cached(text);
  if (caller === undefined)
    return authenticateKey(call).then((found) => {
      if (found === undefined) return;
      requireScope(found, scope);
      call.caller = found;
    });
  requireScope(caller, scope);
  call.caller = caller;
  return undefined;
}

/**
 * A call of the reader of a shared dashboard, who is no caller, whatever credentials are sent as well. Records what the reader
 * may ask, as it is now. Rejects with AUTH_REQUIRED once the dashboard is revoked or the access has ended.
 */
export async function admitReader(call: AccessCall): Promise<void> {
  call.shared = await call.app.sharedDashboards.open(call.header(sharedAccessHeader) ?? "");
  if (call.shared === undefined)
    throw new ApiError("AUTH_REQUIRED", "This access to a shared dashboard has ended. Open its link again");
}

async function lookUpAndAdmit(
  requirement: Requirement,
  call: AccessCall,
  websiteIdOf: () => string | undefined,
): Promise<void> {
  const caller = await authenticate(call);
  if (caller === undefined) {
    if (requirement.orPublicWebsite && (await namesPublicWebsite(websiteIdOf(), call))) return;
    throw requirement.session ? signInRequired() : authRequired();
  }
  requireAccess(caller, requirement);
  call.caller = caller;
}

function requireAccess(caller: Caller, { session, scope, wholeOrganization }: Requirement): void {
  if (session && caller.kind !== "user")
    throw new ApiError("ACCESS_DENIED", "People do this, not keys. Sign in and send the session's cookie instead");
  if (scope !== "") requireScope(caller, scope);
  if (wholeOrganization) requireWholeOrganization(caller);
}

/**
 * Throws ACCESS_DENIED for a caller without the scope; `reason` explains why it is needed, where that is not obvious.
 */
export function requireScope(caller: Caller, scope: string, reason = ""): void {
  if (caller.scopes.has(scope)) return;
  if (caller.kind === "key")
    throw new ApiError("ACCESS_DENIED", `${reason}This API key lacks the scope ${scope}. Use a key that has it`);
  if (caller.role === undefined)
    throw new ApiError(
      "ACCESS_DENIED",
      "You are a member of no organization. Ask an owner or admin of one to invite you",
    );
  const [subject, remedy] = personScopes(caller.role, null).has(scope)
    ? ["Your membership", "to have it"]
    : [`The role ${caller.role}`, "for another role"];
  throw new ApiError(
    "ACCESS_DENIED",
    `${reason}${subject} lacks the scope ${scope}. Ask an owner or admin of the organization ${remedy}`,
  );
}

/**
 * The caller, by a key or else by a session; undefined without credentials, and for a session that has ended. Rejects
 * with INVALID_API_KEY for a key that is unknown, expired or revoked, and with FORBIDDEN for a session that a foreign
 * page may be using.
 */
export async function authenticate(call: AccessCall): Promise<Caller | undefined> {
  const byKey = await authenticateKey(call);
  return byKey ?? (await authenticateSession(call));
}

/**
 * The caller of a key. Calls from pages of any origin, such as events, use only this: cookies must not authenticate
 * them.
 */
export async function authenticateKey(call: AccessCall): Promise<KeyCaller | undefined> {
  const text = keyOf(call);
  if (text === undefined) return undefined;
  const found = await call.app.keys.find(text);
  if (typeof found === "string") throw new ApiError("INVALID_API_KEY", keyProblems[found]);
  return found;
}

async function authenticateSession(call: AccessCall): Promise<UserCaller | undefined> {
  const cookie = sessionCookieOf(call);
  if (cookie === undefined) return undefined;
  requireOwnPage(call);
  const found = await call.app.accounts.sessions.find(cookie);
  if (found === undefined) return undefined;
  if (found.renewedCookie !== undefined) setSessionCookie(call, found.renewedCookie);
  return found.caller;
}

/** Details are safe to show: only someone with the key's full text gets them. */
const keyProblems: Readonly<Record<KeyProblem, string>> = {
  mistyped: "The API key has a typing error or is cut off. Copy it again: it begins with lk_ and has 41 characters",
  unknown: "There is no such API key, or it got a new text. Check which installation it belongs to, or create one",
  revoked: "The API key was revoked. Create a new one",
  expired: "The API key has expired. Create a new one",
};

/** Whether anyone may see this website's dashboard. Deleted websites have none. */
export function isPublic({ publicAccess, deletedAtMs }: Website): boolean {
  return publicAccess && deletedAtMs === null;
}

async function namesPublicWebsite(websiteId: string | undefined, call: AccessCall): Promise<boolean> {
  const website = websiteId ? await call.app.websites.find(websiteId) : undefined;
  return website !== undefined && isPublic(website);
}

export function authRequired(): ApiError {
  return new ApiError(
    "AUTH_REQUIRED",
    "Send an API key as 'Authorization: Bearer <key>' or 'x-api-key: <key>', or sign in and send the session's cookie",
    { headers: { "www-authenticate": "Bearer" } },
  );
}

/** AUTH_REQUIRED where a key does not help. */
export function signInRequired(): ApiError {
  return new ApiError("AUTH_REQUIRED", "Sign in with POST /auth/sign-in and send the session's cookie");
}

/** Whether the caller may use this website. */
export function mayUse(caller: Caller, website: Website): boolean {
  return (
    caller.organizationId === website.organizationId &&
    (caller.websiteIds === undefined || caller.websiteIds.includes(website.id))
  );
}

function keyOf(call: AccessCall): string | undefined {
  const authorization = call.header("authorization");
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return bearer ?? (call.header("x-api-key")?.trim() || undefined);
}
