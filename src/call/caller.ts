/** The scopes of keys and sessions (specification part 5). */
export const scopes = [
  "read:data",
  "write:events",
  "read:uptime",
  "write:uptime",
  "read:links",
  "write:links",
  "export:data",
  "delete:data",
  "update",
  "delete",
  "admin",
] as const;

export type Scope = (typeof scopes)[number];

/** The roles of people in an organization; src/access/roleScopes.ts lists their scopes. */
export const roles = ["owner", "admin", "member", "viewer"] as const;

export type Role = (typeof roles)[number];

/**
 * A program with an API key. `websiteIds` limits the key to these websites; undefined means all of the organization.
 */
export type KeyCaller = {
  readonly kind: "key";
  readonly keyId: string;
  readonly organizationId: string;
  readonly scopes: ReadonlySet<string>;
  readonly websiteIds: readonly string[] | undefined;
};

/**
 * A person with a session. A person without an organization has no role, no scope, and "" as the organization, which is
 * no organization's id.
 */
export type UserCaller = {
  readonly kind: "user";
  readonly userId: string;
  readonly sessionId: string;
  readonly organizationId: string;
  readonly role: Role | undefined;
  readonly scopes: ReadonlySet<string>;
  /** The websites that the person is limited to in the organization; undefined means all of it. */
  readonly websiteIds: readonly string[] | undefined;
};

/** The caller of an RPC. */
export type Caller = KeyCaller | UserCaller;
