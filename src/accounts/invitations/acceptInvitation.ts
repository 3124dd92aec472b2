import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { hashPassword } from "../../access/passwordHash.ts";
import { sessionCookieOf } from "../../access/sessionCookie.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError, validationError } from "../../errors/errors.ts";
import type { AcceptInvitationReply } from "../../gen/lookout/services.ts";
import type { AcceptInvitationRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { readName } from "../../text/readName.ts";
import type { AccountCall } from "../accountCall.ts";
import { unwrapped } from "../authFailure.ts";
import { auditedLimits, limitColumns, type MemberLimits } from "../organization/memberLimits.ts";
import { handOver } from "../session/newSession.ts";
import type { FoundSession } from "../session/sessionDirectory.ts";
import { sessionMessage } from "../session/sessionMessage.ts";
import { signInHeaders } from "../session/signInHeaders.ts";
import { type LinkWay, readInvitationToken } from "./invitationLink.ts";

type Invitation = MemberLimits & {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: string;
};

/**
 * POST /auth/invitations/accept: makes the person with the link a member. A new person chooses a password and is signed
 * in; a person with an account must be signed in already.
 *
 * Rejects with NOT_FOUND for a link that does not work, with the same text for any cause; with AUTH_REQUIRED when the
 * person has an account and is not signed in, and with ACCESS_DENIED when another person is signed in.
 */
export async function acceptInvitation(
  request: AcceptInvitationRequest,
  call: AccountCall,
): Promise<AcceptInvitationReply> {
  const { accounts, postgres } = call.app;
  const link = readInvitationToken(request.token, await accounts.secrets());
  if (link === undefined) throw noInvitation();
  const cookie = sessionCookieOf(call);
  const session = cookie === undefined ? undefined : await accounts.sessions.find(cookie);
  if (cookie !== undefined && session !== undefined) {
    await inTransaction(postgres, async (client) => join(client, await takeInvitation(client, link.id), session, call));
    const joined = await accounts.sessions.find(cookie);
    return joined === undefined ? {} : { session: sessionMessage(joined) };
  }
  const person = await inTransaction(postgres, (client) => joinAsNewPerson(client, link, request, call));
  const auth = await accounts.auth();
  const { headers } = await auth.api
    .signInEmail({ body: person, headers: signInHeaders(call), returnHeaders: true })
    .catch(unwrapped);
  return { session: sessionMessage(await handOver(headers, call)) };
}

/** Marks an open invitation as taken; of two simultaneous calls only one succeeds. */
async function takeInvitation(client: PoolClient, id: string): Promise<Invitation> {
  const { rows } = await client.query<Invitation>(
    `UPDATE invitations SET status = 'accepted' WHERE id = $1 AND status = 'pending' AND expires_at > now()
     RETURNING id, organization_id AS "organizationId", email, role, ${limitColumns("invitations")}`,
    [id],
  );
  const [invitation] = rows;
  if (invitation === undefined) throw noInvitation();
  return invitation;
}

async function joinAsNewPerson(
  client: PoolClient,
  link: { readonly id: string; readonly way: LinkWay },
  request: AcceptInvitationRequest,
  call: AccountCall,
): Promise<{ email: string; password: string }> {
  const invitation = await takeInvitation(client, link.id);
  const { email } = invitation;
  const known = await client.query("SELECT 1 FROM users WHERE lower(email) = $1", [email]);
  if (known.rows.length > 0)
    throw new ApiError(
      "AUTH_REQUIRED",
      "You have an account already. Sign in with POST /auth/sign-in and accept again",
    );
  const { password } = request;
  if (password === undefined)
    throw validationError([{ field: "password", message: "is required for a new account; choose one" }]);
  const userId = randomUUID();
  await client.query("INSERT INTO users (id, email, name, email_verified) VALUES ($1, $2, $3, $4)", [
    userId,
    email,
    request.name === undefined ? "" : readName(request.name),
    // A mailed link proves the address.
    link.way === "mailed",
  ]);
  await client.query(
    "INSERT INTO user_accounts (id, user_id, provider_id, account_id, password_hash) VALUES ($1, $2, 'credential', $2, $3)",
    [randomUUID(), userId, await hashPassword(password)],
  );
  await addMember(client, invitation, userId, "", call);
  return { email, password };
}

async function join(
  client: PoolClient,
  invitation: Invitation,
  { caller, email }: FoundSession,
  call: AccountCall,
): Promise<void> {
  if (email.toLowerCase() !== invitation.email)
    throw new ApiError(
      "ACCESS_DENIED",
      "The invitation is for another person. Sign out, and sign in as the invited person",
    );
  await addMember(client, invitation, caller.userId, caller.sessionId, call);
  await client.query("UPDATE sessions SET active_organization_id = $1 WHERE id = $2", [
    invitation.organizationId,
    caller.sessionId,
  ]);
}

/** Existing members keep their role and limits. */
async function addMember(
  client: PoolClient,
  { id, organizationId, email, role, ...limits }: Invitation,
  userId: string,
  sessionId: string,
  { requestId }: AccountCall,
): Promise<void> {
  await client.query(
    `INSERT INTO members (id, organization_id, user_id, role, website_ids, scopes) VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT DO NOTHING`,
    [randomUUID(), organizationId, userId, role, limits.websiteIds, limits.scopes],
  );
  const caller = {
    kind: "user",
    userId,
    sessionId,
    organizationId,
    role: undefined,
    scopes: new Set<string>(),
  } as const;
  await recordAudit(
    client,
    { caller: { ...caller, websiteIds: undefined }, requestId },
    { action: "invitation.accept", objectId: id, after: { email, role, ...auditedLimits(limits) } },
  );
}

function noInvitation(): ApiError {
  return new ApiError("NOT_FOUND", "This invitation does not work, or no longer. Ask for another one");
}
