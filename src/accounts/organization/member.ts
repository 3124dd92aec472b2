import type { Pool } from "pg";
import type { UserCaller } from "../../call/caller.ts";
import { ApiError } from "../../errors/errors.ts";
import type { ListMembersReply, MemberInit } from "../../gen/lookout/services.ts";
import type { ListMembersRequest } from "../../gen/lookout/v1/auth_pb.ts";
import type { AccountCall } from "../accountCall.ts";
import { requirePerson } from "../session/sessionMessage.ts";
import { limitColumns, type MemberLimits, shownLimits } from "./memberLimits.ts";

type MemberRow = {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly createdAt: Date;
} & MemberLimits;

/** POST /auth/members/list: the members of the session's current organization, longest first. */
export async function listMembers(_: ListMembersRequest, call: AccountCall): Promise<ListMembersReply> {
  const { organizationId } = requirePerson(call);
  const { rows } = await call.app.postgres.query<MemberRow>(
    `${selectMembers} WHERE members.organization_id = $1 ORDER BY members.created_at, members.id`,
    [organizationId],
  );
  return { members: rows.map(memberMessage) };
}

/**
 * A member of the person's organization, locked until the transaction ends. Rejects with NOT_FOUND, with the same text
 * for members of other organizations, and with ACCESS_DENIED if it is an owner and the person is not: only owners
 * change owners.
 */
export async function lockMember(client: Pick<Pool, "query">, id: string, person: UserCaller): Promise<MemberRow> {
  const { rows } = await client.query<MemberRow>(
    `${selectMembers} WHERE members.id = $1 AND members.organization_id = $2 FOR UPDATE OF members`,
    [id, person.organizationId],
  );
  const [member] = rows;
  if (member === undefined)
    throw new ApiError("NOT_FOUND", "There is no such member. POST /auth/members/list lists the organization's");
  if (member.role === "owner") requireOwner(person);
  return member;
}

/** Throws ACCESS_DENIED for people who are no owner. */
export function requireOwner({ role }: UserCaller): void {
  if (role !== "owner")
    throw new ApiError("ACCESS_DENIED", "Only an owner makes, changes or removes an owner. Ask one");
}

/**
 * Rejects with CONFLICT for a change that would leave an organization without an owner, which the database prevents.
 */
export function lastOwner(error: unknown): never {
  const isLast = error instanceof Error && "constraint" in error && error.constraint === "members_keep_an_owner";
  if (!isLast) throw error;
  throw new ApiError("CONFLICT", "An organization needs an owner. Make another member the owner first");
}

export function memberMessage(row: MemberRow): MemberInit {
  return { ...row, ...shownLimits(row), createdAt: row.createdAt.toISOString() };
}

const selectMembers = `SELECT members.id, members.user_id AS "userId", users.email, users.name, members.role,
  ${limitColumns("members")}, members.created_at AS "createdAt" FROM members JOIN users ON users.id = members.user_id`;
