import { randomUUID } from "node:crypto";
import type { PoolClient } from "pg";
import { recordAudit } from "../../audit/recordAudit.ts";
import { ApiError, validationError } from "../../errors/errors.ts";
import type { CreateInvitationReply } from "../../gen/lookout/services.ts";
import { type CreateInvitationRequest, OrganizationService } from "../../gen/lookout/v1/auth_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { invitationMail } from "../../mail/peopleMails.ts";
import { sendMail } from "../../mail/sendMail.ts";
import type { AccountCall } from "../accountCall.ts";
import { asciiAddress, isFullAddress } from "../emailAddress.ts";
import { requireOwner } from "../organization/member.ts";
import { auditedLimits, readLimits } from "../organization/memberLimits.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { type InvitationRow, invitationColumns, invitationMessage } from "./invitation.ts";
import { invitationToken, type LinkWay } from "./invitationLink.ts";

/**
 * POST /auth/invitations/create: invites a person by e-mail. An earlier open invitation of the same person ends.
 * Without a mail server, or if it does not take the message, the inviter gets the link, to pass it on.
 *
 * Rejects with VALIDATION_ERROR for an invalid e-mail address or limit, with CONFLICT for a member, and with ACCESS_DENIED when
 * a person who is no owner invites an owner. Whether the person has an account elsewhere is not revealed.
 */
export const createInvitation = once(OrganizationService.method.createInvitation, make);

async function make(
  request: CreateInvitationRequest,
  call: AccountCall,
  commit: Commit<CreateInvitationReply>,
): Promise<CreateInvitationReply> {
  const person = requirePerson(call);
  if (request.role === "owner") requireOwner(person);
  const email = readEmail(request.email);
  const work = async (client: PoolClient) => {
    const organization = await lockOrganization(client, person.organizationId);
    const member = await client.query(
      "SELECT 1 FROM members JOIN users ON users.id = members.user_id WHERE members.organization_id = $1 AND users.email = $2",
      [person.organizationId, email],
    );
    if (member.rows.length > 0)
      throw new ApiError("CONFLICT", "This person is a member already. Change the role instead");
    await client.query(
      "UPDATE invitations SET status = 'revoked' WHERE organization_id = $1 AND email = $2 AND status = 'pending'",
      [person.organizationId, email],
    );
    const limits = await readLimits(client, request, request.role, person);
    const { rows } = await client.query<InvitationRow>(
      `INSERT INTO invitations (id, organization_id, email, role, inviter_id, expires_at, website_ids, scopes) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       RETURNING ${invitationColumns}`,
      [
        randomUUID(),
        person.organizationId,
        email,
        request.role,
        person.userId,
        new Date(Date.now() + call.app.config.accounts.invitationMs),
        limits.websiteIds,
        limits.scopes,
      ],
    );
    const [invitation] = rows;
    if (invitation === undefined) throw new Error("PostgreSQL did not return the new invitation");
    await recordAudit(client, call, {
      action: "invitation.create",
      objectId: invitation.id,
      after: { email, role: request.role, ...auditedLimits(limits) },
    });
    return { invitation, organization };
  };
  const { made, reply } = await commit(work, async ({ invitation }) => ({
    invitation: invitationMessage(invitation),
    // Until the mail is sent the link is all that a repeat of the call can answer.
    mailed: false,
    link: await linkOf(invitation.id, "shown", call),
  }));
  const mailed = await mail(made.invitation, made.organization, call);
  return mailed ? { invitation: reply.invitation, mailed } : reply;
}

/** In lower case and with the domain in ASCII, as accounts are stored. */
function readEmail(text: string): string {
  const email = asciiAddress(text.trim().toLowerCase());
  if (!isFullAddress(email))
    throw validationError([{ field: "email", message: "must be an e-mail address such as ada@example.com" }]);
  return email;
}

/**
 * The name of the organization. Its row is locked, so that two simultaneous invitations of the same person are handled
 * one after the other.
 */
async function lockOrganization(client: PoolClient, id: string): Promise<string> {
  const { rows } = await client.query<{ name: string }>("SELECT name FROM organizations WHERE id = $1 FOR UPDATE", [
    id,
  ]);
  return rows[0]?.name ?? "";
}

async function mail({ id, email, role }: InvitationRow, organization: string, call: AccountCall): Promise<boolean> {
  const { config, log } = call.app;
  if (config.notifications.smtpUrl === undefined) return false;
  const language = await languageFor(email, call);
  const link = await linkOf(id, "mailed", call);
  const text = invitationMail({ language, server: config.server }, { organization, role, link });
  const outcome = await sendMail(email, id, text, config.notifications, call.signal);
  if (outcome.kind === "failed") log.warn({ invitationId: id, error: outcome.error }, "an invitation was not mailed");
  return outcome.kind === "delivered";
}

/** The language of the invited person where the person has an account, else the inviter's. */
async function languageFor(email: string, call: AccountCall): Promise<string | null> {
  const { rows } = await call.app.postgres.query<{ language: string | null }>(
    `SELECT language FROM users WHERE (email = $1 OR id = $2) AND language IS NOT NULL
     ORDER BY email = $1 DESC LIMIT 1`,
    [email, requirePerson(call).userId],
  );
  return rows[0]?.language ?? null;
}

/** In the fragment, so that neither a server's log nor a Referer header contains the token. */
async function linkOf(id: string, way: LinkWay, { app }: AccountCall): Promise<string> {
  const [secret] = await app.accounts.secrets();
  const token = invitationToken(id, way, secret);
  return `${app.config.server.baseUrl}/invitation#token=${token}`;
}
