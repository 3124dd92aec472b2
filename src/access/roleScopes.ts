import { type Role, type Scope, scopes } from "./caller.ts";

/** What each role may do in its organization. That only owners change owners is a rule beside it, kept by src/accounts. */
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
