import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InvitationSchema } from "../../gen/lookout/v1/auth_pb.ts";

export type InvitationRow = {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

/** Columns of the table invitations, as an InvitationRow names them. */
export const invitationColumns = `id, email, role, created_at AS "createdAt", expires_at AS "expiresAt"`;

export function invitationMessage(row: InvitationRow): MessageInitShape<typeof InvitationSchema> {
  return { ...row, createdAt: row.createdAt.toISOString(), expiresAt: row.expiresAt.toISOString() };
}
