import type { InvitationInit } from "../../gen/lookout/services.ts";
import { limitColumns, type MemberLimits, shownLimits } from "../organization/memberLimits.ts";

export type InvitationRow = {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
} & MemberLimits;

/** Columns of the table invitations, as an InvitationRow names them. */
export const invitationColumns = `id, email, role, created_at AS "createdAt", expires_at AS "expiresAt", ${limitColumns("invitations")}`;

export function invitationMessage(row: InvitationRow): InvitationInit {
  return {
    ...row,
    ...shownLimits(row),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}
