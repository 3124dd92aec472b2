/** What a key or session may be allowed (specification part 5). */
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

/** Who calls. `websiteIds` limits a key to these websites; undefined means all of the organization. */
export type Caller = {
  readonly keyId: string;
  readonly organizationId: string;
  readonly scopes: ReadonlySet<string>;
  readonly websiteIds: readonly string[] | undefined;
};
