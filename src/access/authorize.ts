import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { Requirement } from "../gen/access/v1/access_pb.ts";
import type { Caller } from "./caller.ts";
import type { KeyProblem } from "./keyDirectory.ts";
import type { Website } from "./websiteDirectory.ts";

/**
 * Lets a call in or refuses it, before its body is read, and remembers who calls. The one place where an RPC's requirement is enforced,
 * over JSON and gRPC alike. `websiteIdOf` reads the request's website_id.
 *
 * Throws or rejects with AUTH_REQUIRED, INVALID_API_KEY or ACCESS_DENIED (specification part 5, rule 7). A key that was just looked up
 * is let in without a promise: three turns of the event loop's queue cost more than reading a query.
 */
export function admit(
  requirement: Requirement,
  call: CallContext,
  websiteIdOf: () => string | undefined,
): Promise<void> | undefined {
  if (requirement.open) return undefined;
  const text = keyOf(call);
  const caller = text === undefined ? undefined : call.app.keys.remembered(text);
  if (caller === undefined) return lookUpAndAdmit(requirement, call, websiteIdOf);
  requireScope(caller, requirement.scope);
  call.caller = caller;
  return undefined;
}

async function lookUpAndAdmit(
  requirement: Requirement,
  call: CallContext,
  websiteIdOf: () => string | undefined,
): Promise<void> {
  const caller = await authenticate(call);
  if (caller === undefined) {
    if (requirement.orPublicWebsite && (await namesPublicWebsite(websiteIdOf(), call))) return;
    throw authRequired();
  }
  requireScope(caller, requirement.scope);
  call.caller = caller;
}

/** Throws ACCESS_DENIED for a caller without the scope. */
export function requireScope(caller: Caller, scope: string): void {
  if (!caller.scopes.has(scope))
    throw new ApiError("ACCESS_DENIED", `This API key lacks the scope ${scope}. Use a key that has it`);
}

/** Who calls; undefined without credentials. Rejects with INVALID_API_KEY for a key that is unknown, expired or revoked. */
export async function authenticate(call: CallContext): Promise<Caller | undefined> {
  const text = keyOf(call);
  if (text === undefined) return undefined;
  const found = await call.app.keys.find(text);
  if (typeof found === "string") throw new ApiError("INVALID_API_KEY", keyProblems[found]);
  return found;
}

/** Only who has a key's text is told what became of the key. */
const keyProblems: Readonly<Record<KeyProblem, string>> = {
  mistyped: "The API key has a typing error or is cut off. Copy it again: it begins with lk_ and has 41 characters",
  unknown: "There is no such API key, or it got a new text. Check which installation it belongs to, or create one",
  revoked: "The API key was revoked. Create a new one",
  expired: "The API key has expired. Create a new one",
};

/** Whether anyone may see this website's dashboard. A deleted website has none. */
export function isPublic({ publicAccess, deletedAtMs }: Website): boolean {
  return publicAccess && deletedAtMs === null;
}

async function namesPublicWebsite(websiteId: string | undefined, call: CallContext): Promise<boolean> {
  const website = websiteId ? await call.app.websites.find(websiteId) : undefined;
  return website !== undefined && isPublic(website);
}

export function authRequired(): ApiError {
  return new ApiError("AUTH_REQUIRED", "Send an API key as 'Authorization: Bearer <key>' or 'x-api-key: <key>'", {
    headers: { "www-authenticate": "Bearer" },
  });
}

/** Whether the caller's key reaches this website. */
export function mayUse(caller: Caller, website: Website): boolean {
  return (
    caller.organizationId === website.organizationId &&
    (caller.websiteIds === undefined || caller.websiteIds.includes(website.id))
  );
}

function keyOf(call: CallContext): string | undefined {
  const authorization = call.header("authorization");
  const bearer = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
  return bearer ?? (call.header("x-api-key")?.trim() || undefined);
}
