import type { UserCaller } from "../../access/caller.ts";
import { recordAudit, recordServiceAudit } from "../../audit/recordAudit.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";

/** How somebody proved who they are. */
export type SignInMethod = "password" | "password and code" | "oidc";

type Membership = { readonly id: string; readonly organizationId: string };

/**
 * Notes that a person signed in, in the audit logs of all organizations that the session opens. Where they were is not noted, since it is kept
 * nowhere.
 */
export async function auditSignIn(caller: UserCaller, method: SignInMethod, call: CallContext): Promise<void> {
  await inTransaction(call.app.postgres, async (client) => {
    const { rows } = await client.query<Membership>(
      `SELECT id, organization_id AS "organizationId" FROM members WHERE user_id = $1`,
      [caller.userId],
    );
    for (const { id, organizationId } of rows)
      await recordAudit(
        client,
        { caller: { ...caller, organizationId }, requestId: call.requestId },
        {
          action: "member.sign_in",
          objectType: "member",
          objectId: id,
          websiteId: null,
          before: null,
          after: { method },
        },
      );
  });
}

/** Notes that guesses at an account's password are refused from now on. Nothing is noted of an account that does not exist. */
export async function auditRefusedSignIns(email: string, { app, requestId }: CallContext): Promise<void> {
  await inTransaction(app.postgres, async (client) => {
    const { rows } = await client.query<Membership>(
      `SELECT members.id, members.organization_id AS "organizationId" FROM members JOIN users ON users.id = members.user_id
       WHERE users.sign_in_name = lower($1)`,
      // PostgreSQL refuses this character, and no name holds it.
      [email.replaceAll("\u0000", "\ufffd")],
    );
    for (const { id, organizationId } of rows)
      await recordServiceAudit(
        client,
        { organizationId, requestId },
        {
          action: "member.sign_ins_refused",
          objectType: "member",
          objectId: id,
          websiteId: null,
          before: null,
          after: { reason: "too many attempts" },
        },
      );
  });
}
