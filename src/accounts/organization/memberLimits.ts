import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool } from "pg";
import { requireWebsites } from "../../access/requireWebsites.ts";
import { roleScopes } from "../../access/roleScopes.ts";
import { type Role, roles, type UserCaller } from "../../call/caller.ts";
import { ApiError, validationError } from "../../errors/errors.ts";

/** The limits of a member, or of the member that an invitation creates. Null means no limit. */
export type MemberLimits = {
  readonly websiteIds: readonly string[] | null;
  readonly scopes: readonly string[] | null;
};

/** Columns of the tables members and invitations, as MemberLimits names them. */
export const limitColumns = (table: "members" | "invitations") =>
  `${table}.website_ids AS "websiteIds", ${table}.scopes`;

type GivenLimits = { readonly websiteIds: readonly string[]; readonly scopes: readonly string[] };

/**
 * The limits of a request, for a person of this role. Rejects with VALIDATION_ERROR for a website that the caller does not
 * reach, a scope that the role lacks, scopes without websites, and websites for an owner.
 */
export async function readLimits(
  client: Pick<Pool, "query">,
  { websiteIds: given, scopes: named }: GivenLimits,
  role: string,
  caller: UserCaller,
): Promise<MemberLimits> {
  if (given.length === 0 && named.length > 0)
    throw limitError("websiteIds", "must name the websites of these scopes. Without websites the role decides");
  if (given.length > 0 && role === "owner")
    throw limitError("websiteIds", "must be empty for an owner, who reaches the whole organization");
  const lacked = named.findIndex((scope) => !holds(role, scope));
  if (lacked >= 0)
    throw limitError(`scopes[${lacked}]`, `is no scope of the role ${role}. Leave it out, or give another role`);
  const websiteIds = await requireWebsites(client, given, caller);
  return { websiteIds: websiteIds ?? null, scopes: named.length === 0 ? null : [...new Set(named)] };
}

/** Throws CONFLICT for a limited member who is to become an owner. */
export function requireUnlimited({ websiteIds }: MemberLimits): void {
  if (websiteIds !== null)
    throw new ApiError("CONFLICT", "This member is limited to websites, which an owner is not. Remove the limit first");
}

/** Limits as answers show them: empty lists for none. */
export function shownLimits({ websiteIds, scopes }: MemberLimits): { websiteIds: string[]; scopes: string[] } {
  return { websiteIds: [...(websiteIds ?? [])], scopes: [...(scopes ?? [])] };
}

/** Limits as the audit log records them: nothing for a person without any. */
export function auditedLimits({ websiteIds, scopes }: MemberLimits): JsonObject {
  return {
    ...(websiteIds === null ? {} : { websiteIds: [...websiteIds] }),
    ...(scopes === null ? {} : { scopes: [...scopes] }),
  };
}

function holds(role: string, scope: string): boolean {
  const known: Role | undefined = roles.find((one) => one === role);
  return known !== undefined && [...roleScopes[known]].some((one) => one === scope);
}

function limitError(field: string, message: string): ApiError {
  return validationError([{ field, message }]);
}
