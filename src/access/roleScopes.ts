import { type Role, type Scope, scopes } from "../call/caller.ts";

/** The scopes of each role. That only owners change owners is an additional rule in src/accounts. */
export const roleScopes: Readonly<Record<Role, ReadonlySet<Scope>>> = {
  owner: new Set(scopes),
  admin: new Set(scopes),
  member: new Set<Scope>([
    "read:data",
    "write:events",
    "read:uptime",
    "write:uptime",
    "read:links",
    "write:links",
    "export:data",
    "update",
  ]),
  viewer: new Set<Scope>(["read:data", "read:uptime", "read:links"]),
};
