import { randomUUID } from "node:crypto";
import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError } from "../../errors/errors.ts";
import type {
  CreateOrganizationReply,
  RenameOrganizationReply,
  SwitchOrganizationReply,
} from "../../gen/lookout/services.ts";
import {
  type CreateOrganizationRequest,
  OrganizationService,
  type RenameOrganizationRequest,
  type SwitchOrganizationRequest,
} from "../../gen/lookout/v1/auth_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { readName } from "../../text/readName.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { readOrganization } from "./organization.ts";

/**
 * POST /auth/organization/create: an organization with the person as its owner; the session switches to it. Rejects
 * with ACCESS_DENIED for people who own none: the operator decides who may.
 */
export const createOrganization = once(OrganizationService.method.createOrganization, makeOrganization, {
  acrossOrganizations: true,
});

async function makeOrganization(
  request: CreateOrganizationRequest,
  call: AccountCall,
  commit: Commit<CreateOrganizationReply>,
): Promise<CreateOrganizationReply> {
  const person = requirePerson(call);
  if (person.role !== "owner")
    throw new ApiError("ACCESS_DENIED", "Only an owner of an organization creates another one. Ask one to do it");
  const name = readName(request.name);
  const organizationId = randomUUID();
  const { reply } = await commit(
    async (client) => {
      await client.query("INSERT INTO organizations (id, name) VALUES ($1, $2)", [organizationId, name]);
      await client.query("INSERT INTO members (id, organization_id, user_id, role) VALUES ($1, $2, $3, 'owner')", [
        randomUUID(),
        organizationId,
        person.userId,
      ]);
      await client.query("UPDATE sessions SET active_organization_id = $1 WHERE id = $2", [
        organizationId,
        person.sessionId,
      ]);
      // The audit log is the new organization's.
      const { requestId } = call;
      await recordAudit(
        client,
        { caller: { ...person, organizationId }, requestId },
        { action: "organization.create", objectId: organizationId, after: { name } },
      );
    },
    async (_, client) => ({ organization: await readOrganization(client, { userId: person.userId, organizationId }) }),
  );
  return reply;
}

/** POST /auth/organization/rename: renames the session's current organization. */
export async function renameOrganization(
  request: RenameOrganizationRequest,
  call: AccountCall,
): Promise<RenameOrganizationReply> {
  const person = requirePerson(call);
  const name = readName(request.name);
  await inTransaction(call.app.postgres, async (client) => {
    const { rows } = await client.query<{ name: string }>("SELECT name FROM organizations WHERE id = $1 FOR UPDATE", [
      person.organizationId,
    ]);
    const [before] = rows;
    if (before === undefined || before.name === name) return;
    await client.query("UPDATE organizations SET name = $1 WHERE id = $2", [name, person.organizationId]);
    await recordAudit(client, call, {
      action: "organization.rename",
      objectId: person.organizationId,
      before: { name: before.name },
      after: { name },
    });
  });
  return { organization: await readOrganization(call.app.postgres, person) };
}

/**
 * POST /auth/organization/switch: switches the session to another organization of the person. Rejects with NOT_FOUND
 * for others.
 */
export async function switchOrganization(
  { organizationId }: SwitchOrganizationRequest,
  call: AccountCall,
): Promise<SwitchOrganizationReply> {
  const { userId, sessionId } = requirePerson(call);
  const organization = await readOrganization(call.app.postgres, { userId, organizationId });
  await call.app.postgres.query("UPDATE sessions SET active_organization_id = $1 WHERE id = $2", [
    organizationId,
    sessionId,
  ]);
  return { organization };
}
