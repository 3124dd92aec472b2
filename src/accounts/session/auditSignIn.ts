import type { JsonObject } from "@bufbuild/protobuf";
import type { Pool, PoolClient } from "pg";
import { recordPersonAudit, recordServiceAudit } from "../../audit/recordAudit.ts";
import type { CallContext } from "../../call/callContext.ts";
import type { UserCaller } from "../../call/caller.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import { oidcProviderId } from "../oidcProvider.ts";

/** A call whose sign-ins are written to the audit log. */
export type AuditedCall = CallContext<{ readonly postgres: Pool }>;

/** How a person proved their identity. */
export type SignInMethod = "password" | "password and code" | "oidc";

type Membership = { readonly id: string; readonly organizationId: string };

/** Audits a sign-in in all organizations that the session gives access to. The person's address is not recorded. */
export async function auditSignIn(caller: UserCaller, method: SignInMethod, call: AuditedCall): Promise<void> {
  await auditPerson(caller.userId, { action: "member.sign_in", after: { method } }, call);
}

/** Audits that a person changed how they sign in, in all of their organizations. */
export async function auditCredentials(
  { userId }: Pick<UserCaller, "userId">,
  action:
    | "member.change_password"
    | "member.reset_password"
    | "member.link_provider"
    | "member.add_second_factor"
    | "member.remove_second_factor",
  call: AuditedCall,
): Promise<void> {
  await auditPerson(userId, { action }, call);
}

/** Audits that an account can from now on be signed in to at the OpenID Connect provider, if it was linked since `sinceMs` (Unix ms). */
export async function auditLinkedProvider(caller: UserCaller, sinceMs: number, call: AuditedCall): Promise<void> {
  const { rows } = await call.app.postgres.query(
    "SELECT 1 FROM user_accounts WHERE user_id = $1 AND provider_id = $2 AND created_at >= to_timestamp($3::float8 / 1000)",
    [caller.userId, oidcProviderId, sinceMs],
  );
  if (rows.length > 0) await auditCredentials(caller, "member.link_provider", call);
}

/** Audits that a person ended one of their sessions, in all of their organizations; part of the transaction that ends it. */
export async function auditRevokedSession(
  client: PoolClient,
  { userId }: Pick<UserCaller, "userId">,
  sessionId: string,
  call: AuditedCall,
): Promise<void> {
  await insertPersonAudit(client, userId, { action: "member.revoke_session", before: { sessionId } }, call);
}

type PersonEntry = { readonly action: string; readonly before?: JsonObject; readonly after?: JsonObject };

async function auditPerson(userId: string, entry: PersonEntry, call: AuditedCall): Promise<void> {
  await inTransaction(call.app.postgres, (client) => insertPersonAudit(client, userId, entry, call));
}

async function insertPersonAudit(
  client: PoolClient,
  userId: string,
  entry: PersonEntry,
  { requestId }: Pick<AuditedCall, "requestId">,
): Promise<void> {
  const { rows } = await client.query<Membership>(
    `SELECT id, organization_id AS "organizationId" FROM members WHERE user_id = $1`,
    [userId],
  );
  for (const { id, organizationId } of rows)
    await recordPersonAudit(client, userId, { organizationId, requestId }, { ...entry, objectId: id });
}

/** Audits that sign-ins to an account are refused from now on. Nothing is recorded for accounts that do not exist. */
export async function auditRefusedSignIns(email: string, { app, requestId }: AuditedCall): Promise<void> {
  await inTransaction(app.postgres, async (client) => {
    const { rows } = await client.query<Membership>(
      `SELECT members.id, members.organization_id AS "organizationId" FROM members JOIN users ON users.id = members.user_id
       WHERE users.sign_in_name = lower($1)`,
      // PostgreSQL refuses U+0000, and no name contains it.
      [email.replaceAll("\u0000", "\ufffd")],
    );
    for (const { id, organizationId } of rows)
      await recordServiceAudit(
        client,
        { organizationId, requestId },
        { action: "member.sign_ins_refused", objectId: id, after: { reason: "too many attempts" } },
      );
  });
}
