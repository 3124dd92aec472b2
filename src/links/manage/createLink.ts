import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import { authRequired } from "../../access/authorize.ts";
import { recordAudit } from "../../audit/recordAudit.ts";
import type { Caller } from "../../call/caller.ts";
import { ApiError } from "../../errors/errors.ts";
import type { CreateLinkReply } from "../../gen/lookout/services.ts";
import { type CreateLinkRequest, LinkService } from "../../gen/lookout/v1/links_pb.ts";
import { type Commit, once } from "../../idempotency/once.ts";
import { insertRow } from "../../store/postgres/insertRow.ts";
import { findLiveWebsite } from "../../websites/findWebsite.ts";
import { auditedLink, type Link, linkColumns, linkMessage } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { ownHostsOf } from "./ownHosts.ts";
import { type LinkColumns, readLinkColumns } from "./readLinkColumns.ts";
import { generateSlug } from "./slug.ts";
import { isSlugConflict, slugTaken, wasOfOtherOrganization } from "./slugTaken.ts";
import { trackedWebsiteOf } from "./trackedWebsite.ts";

/** Collisions are rare: there are 22 billion slugs. */
const maxTries = 5;

/**
 * POST /links/create: a link that redirects at once. Without a slug one is generated.
 *
 * Rejects with VALIDATION_ERROR, NOT_FOUND (the website), CONFLICT with a suggestion for a slug that is taken, and
 * ACCESS_DENIED for credentials that are limited to websites and name none.
 */
export const createLink = once(LinkService.method.createLink, make);

async function make(
  request: CreateLinkRequest,
  call: LinkCall,
  commit: Commit<CreateLinkReply>,
): Promise<CreateLinkReply> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  if (request.websiteId === undefined && caller.websiteIds !== undefined)
    throw new ApiError(
      "ACCESS_DENIED",
      "These credentials are limited to websites. Set websiteId to the one the link belongs to",
    );
  const columns = await readLinkColumns(request, await ownHostsOf(request, call));
  const { made, reply } = await insertWithSlug(request, app.postgres, (slug) =>
    commit(
      (client) => insert(client, slug, request, columns, caller, call),
      (link) => ({ link: linkMessage(link, 0, app.config.server.baseUrl) }),
    ),
  );
  app.links.forget(made.slug);
  return reply;
}

async function insertWithSlug<Made>(
  request: CreateLinkRequest,
  postgres: Pool,
  commitWith: (slug: string) => Promise<Made>,
): Promise<Made> {
  for (let attempt = 1; ; attempt += 1) {
    const slug = request.slug ?? generateSlug();
    const made = await commitWith(slug).catch((error: unknown) => {
      if (!(error instanceof SlugTakenError) && !isSlugConflict(error)) throw error;
    });
    if (made !== undefined) return made;
    if (request.slug !== undefined || attempt >= maxTries) throw await slugTaken(slug, postgres);
  }
}

/** Rolls the transaction back; never leaves this file. */
class SlugTakenError extends Error {}

async function insert(
  client: PoolClient,
  slug: string,
  request: CreateLinkRequest,
  columns: LinkColumns,
  caller: Caller,
  call: LinkCall,
): Promise<Link> {
  const { organizationId } = caller;
  const websiteId =
    request.websiteId === undefined ? null : (await findLiveWebsite(client, request.websiteId, caller)).id;
  const targetUrl = String(columns.target_url);
  const given = {
    ...columns,
    id: randomUUID(),
    organization_id: organizationId,
    website_id: websiteId,
    slug,
    target_website_id: await trackedWebsiteOf(client, { organizationId, websiteId, targetUrl }),
  };
  const link = await insertRow<Link>(client, "links", given, linkColumns);
  if (await wasOfOtherOrganization(client, slug, organizationId)) throw new SlugTakenError();
  await recordAudit(client, call, {
    action: "link.create",
    objectId: link.id,
    websiteId: link.websiteId,
    after: auditedLink(link),
  });
  return link;
}
