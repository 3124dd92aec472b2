import type { Pool } from "pg";
import { authRequired, mayUse } from "../../access/authorize.ts";
import type { Caller } from "../../call/caller.ts";
import type { QueryCall } from "../../query/queryCall.ts";
import {
  accessDenied,
  linkProject,
  organizationProject,
  type Project,
  websiteProject,
} from "../../query/request/project.ts";

/**
 * What the `websiteId` of POST /analytics/query names: a website by its id or client id, the caller's organization, or
 * a short link by its id or slug. Rejects with ACCESS_DENIED, with the same text for what does not exist and what
 * belongs to another organization.
 */
export async function analyticsScope(named: string, call: QueryCall): Promise<Project> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  if (named === caller.organizationId) return organizationProject(named, call);
  const website = await app.websites.find(named);
  if (website !== undefined) {
    // A public dashboard gives no access here.
    if (!mayUse(caller, website)) throw accessDenied();
    return websiteProject(website.id, call);
  }
  const [id = named] = await linksOfSlug(named, caller, app.postgres);
  return linkProject(id, call);
}

/** Ids of the organization's links with a slug, the live one first, then those that are deleted, newest first. */
export async function linksOfSlug(slug: string, caller: Caller, postgres: Pick<Pool, "query">): Promise<string[]> {
  const { rows } = await postgres.query<{ id: string }>(
    `SELECT id FROM links WHERE lower(slug) = lower($1) AND organization_id = $2 ORDER BY deleted_at IS NOT NULL, created_at DESC`,
    [slug, caller.organizationId],
  );
  return rows.map(({ id }) => id);
}
