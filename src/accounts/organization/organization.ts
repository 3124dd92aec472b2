import type { Pool } from "pg";
import type { UserCaller } from "../../call/caller.ts";
import { ApiError } from "../../errors/errors.ts";
import type { GetOrganizationReply, ListOrganizationsReply, OrganizationInit } from "../../gen/lookout/services.ts";
import type { GetOrganizationRequest, ListOrganizationsRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";

type OrganizationRow = {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly role: string;
};

type OrganizationMessage = OrganizationInit;

/** POST /auth/organization/get: the session's current organization. Rejects with NOT_FOUND for a person without one. */
export async function getOrganization(_: GetOrganizationRequest, call: AccountCall): Promise<GetOrganizationReply> {
  const person = requirePerson(call);
  return { organization: await readOrganization(call.app.postgres, person) };
}

/** POST /auth/organization/list: the person's organizations, by name. */
export async function listOrganizations(
  _: ListOrganizationsRequest,
  call: AccountCall,
): Promise<ListOrganizationsReply> {
  const { userId } = requirePerson(call);
  const { rows } = await call.app.postgres.query<OrganizationRow>(`${selectOrganizations} ORDER BY name, id`, [userId]);
  return { organizations: rows.map(organizationMessage) };
}

/**
 * An organization of the person, by default the session's own. Rejects with NOT_FOUND, with the same text for others.
 */
export async function readOrganization(
  postgres: Pick<Pool, "query">,
  { userId, organizationId }: Pick<UserCaller, "userId" | "organizationId">,
): Promise<OrganizationMessage> {
  const { rows } = await postgres.query<OrganizationRow>(`${selectOrganizations} AND organizations.id = $2`, [
    userId,
    organizationId,
  ]);
  const [row] = rows;
  if (row === undefined) throw noSuchOrganization();
  return organizationMessage(row);
}

/** NOT_FOUND, with the same text for what does not exist and what belongs to others. */
export function noSuchOrganization(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    "You are no member of such an organization. POST /auth/organization/list lists yours",
  );
}

const selectOrganizations = `SELECT organizations.id, organizations.name, organizations.created_at AS "createdAt", members.role
  FROM organizations JOIN members ON members.organization_id = organizations.id WHERE members.user_id = $1`;

function organizationMessage({ id, name, createdAt, role }: OrganizationRow): OrganizationMessage {
  return { id, name, role, createdAt: createdAt.toISOString() };
}
