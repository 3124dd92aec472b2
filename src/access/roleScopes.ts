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

/** What a person may do: the scopes of the role, of those that the person is limited to. Null: no such limit. */
export function personScopes(role: Role, named: readonly string[] | null): ReadonlySet<string> {
  const all: ReadonlySet<string> = roleScopes[role];
  return named === null ? all : new Set(named.filter((scope) => all.has(scope)));
}
