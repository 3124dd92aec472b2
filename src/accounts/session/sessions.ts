import { ApiError } from "../../errors/errors.ts";
import type { ListSessionsReply, RevokeSessionReply } from "../../gen/lookout/services.ts";
import type { ListSessionsRequest, RevokeSessionRequest } from "../../gen/lookout/v1/auth_pb.ts";
import { inTransaction } from "../../store/postgres/inTransaction.ts";
import type { AccountCall } from "../accountCall.ts";
import { auditRevokedSession } from "./auditSignIn.ts";
import { requirePerson } from "./sessionMessage.ts";

type SessionRow = {
  readonly id: string;
  readonly device: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
};

/** POST /auth/sessions/list: the person's sessions, newest first. */
export async function listSessions(_: ListSessionsRequest, call: AccountCall): Promise<ListSessionsReply> {
  const person = requirePerson(call);
  const { rows } = await call.app.postgres.query<SessionRow>(
    `SELECT id, device, created_at AS "createdAt", updated_at AS "updatedAt", expires_at AS "expiresAt"
     FROM sessions WHERE user_id = $1 AND expires_at > now() ORDER BY created_at DESC, id`,
    [person.userId],
  );
  const sessions = rows.map(({ id, device, createdAt, updatedAt, expiresAt }) => ({
    id,
    device: device ?? "",
    createdAt: createdAt.toISOString(),
    extendedAt: updatedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    current: id === person.sessionId,
  }));
  return { sessions };
}

/**
 * POST /auth/sessions/revoke: ends one of the person's sessions, at once in every process.
 * Rejects with NOT_FOUND for a session of another person or one that has ended.
 */
export async function revokeSession({ id }: RevokeSessionRequest, call: AccountCall): Promise<RevokeSessionReply> {
  const person = requirePerson(call);
  await inTransaction(call.app.postgres, async (client) => {
    const { rowCount } = await client.query("DELETE FROM sessions WHERE id = $1 AND user_id = $2", [id, person.userId]);
    if (rowCount === 0)
      throw new ApiError(
        "NOT_FOUND",
        "There is no such session. POST /auth/sessions/list lists those that have not ended",
      );
    await auditRevokedSession(client, person, id, call);
  });
  return { success: true };
}
