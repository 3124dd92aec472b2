import type { ApiKeyScope, Role } from "../../../../../../packages/client-js/src/valueSets.ts";

const viewer: readonly ApiKeyScope[] = ["read:data", "read:uptime", "read:links"];
const member: readonly ApiKeyScope[] = [
  ...(["read:data", "write:events", "read:uptime", "write:uptime"] as const),
  ...(["read:links", "write:links", "export:data", "update"] as const),
];
const all: readonly ApiKeyScope[] = [...member, "delete:data", "delete", "admin"];

/** The rights of each role, from which those of a limited person are chosen. */
export const roleRights: Readonly<Record<Role, readonly ApiKeyScope[]>> = {
  owner: all,
  admin: all,
  member,
  viewer,
};
