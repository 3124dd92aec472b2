import { signInRequired } from "../../access/authorize.ts";
import type { UserCaller } from "../../call/caller.ts";
import type { SessionInit } from "../../gen/lookout/services.ts";
import type { AccountCall } from "../accountCall.ts";
import type { FoundSession } from "./sessionDirectory.ts";

/** A session as answers show it. */
export function sessionMessage(session: FoundSession): SessionInit {
  const { caller, email, name, expiresAt, hasSecondFactor, hasGeneratedPassword, language } = session;
  return {
    id: caller.sessionId,
    userId: caller.userId,
    organizationId: caller.organizationId,
    role: caller.role ?? "",
    email,
    name,
    hasSecondFactor,
    hasGeneratedPassword,
    language,
    scopes: [...caller.scopes],
    websiteIds: [...(caller.websiteIds ?? [])],
    expiresAt: expiresAt.toISOString(),
  };
}

/** The calling person. Throws AUTH_REQUIRED for RPCs that also admit others. */
export function requirePerson({ caller }: Pick<AccountCall, "caller">): UserCaller {
  if (caller?.kind !== "user") throw signInRequired();
  return caller;
}
