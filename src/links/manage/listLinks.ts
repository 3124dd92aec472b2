import { authRequired } from "../../access/authorize.ts";
import type { ListLinksReply } from "../../gen/lookout/services.ts";
import type { ListLinksRequest } from "../../gen/lookout/v1/links_pb.ts";
import { findWebsite } from "../../websites/findWebsite.ts";
import { type Link, linkColumns } from "../link.ts";
import type { LinkCall } from "../linkCall.ts";
import { answerLinks } from "./answerLink.ts";

const defaultLimit = 100;

/**
 * The links of organization $1 and websites $2 (null: all), of the website $3 if given, that contain the text $4. Links
 * of a deleted website are listed only if it is named.
 */
const listed = `FROM links LEFT JOIN websites ON websites.id = links.website_id
  WHERE links.organization_id = $1 AND links.deleted_at IS NULL AND ($2::text[] IS NULL OR links.website_id = ANY($2))
    AND CASE WHEN $3::text IS NULL THEN websites.deleted_at IS NULL ELSE links.website_id = $3 END
    AND ($4 = '' OR strpos(lower(links.slug || ' ' || links.name || ' ' || links.target_url), $4) > 0)`;

/**
 * POST /links/list: the links that the credentials may use, newest first, page by page. The order is stable, so a walk
 * over the pages sees each link once. Rejects with NOT_FOUND (the website).
 */
export async function listLinks(request: ListLinksRequest, call: LinkCall): Promise<ListLinksReply> {
  const { app, caller } = call;
  if (caller === undefined) throw authRequired();
  if (request.websiteId !== undefined) await findWebsite(app.postgres, request.websiteId, caller);
  const limit = request.limit ?? defaultLimit;
  const search = (request.search ?? "").trim().toLowerCase();
  const scope = [caller.organizationId, caller.websiteIds ?? null, request.websiteId ?? null, search];
  const [counted, { rows }] = await Promise.all([
    app.postgres.query<{ total: number }>(`SELECT count(*)::integer AS total ${listed}`, scope),
    app.postgres.query<Link>(
      `SELECT ${linkColumns} ${listed}
         AND ($5::text IS NULL OR (links.created_at, links.id) < (SELECT created_at, id FROM links WHERE id = $5 AND organization_id = $1))
       ORDER BY links.created_at DESC, links.id DESC LIMIT $6`,
      [...scope, request.cursor ?? null, limit + 1],
    ),
  ]);
  const links = rows.slice(0, limit);
  const last = links.at(-1);
  return {
    links: await answerLinks(links, call),
    total: counted.rows[0]?.total ?? 0,
    ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
  };
}
