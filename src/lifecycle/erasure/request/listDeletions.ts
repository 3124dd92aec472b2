import type { ListDeletionsReply } from "../../../gen/lookout/services.ts";
import type { ListDeletionsRequest } from "../../../gen/lookout/v1/data_pb.ts";
import { findWebsite } from "../../../websites/findWebsite.ts";
import type { DataCall } from "../../dataCall.ts";
import { type Deletion, deletionColumns } from "../deletion/deletionRow.ts";
import { deletionMessage } from "./deletionMessage.ts";

const defaultLimit = 100;

/**
 * GET /v1/websites/{website_id}/deletions: the deletions of a website, newest first, page by page. Also for a website
 * that was deleted less than 90 days ago. Rejects with NOT_FOUND.
 */
export async function listDeletions(request: ListDeletionsRequest, call: DataCall): Promise<ListDeletionsReply> {
  const { app, caller } = call;
  const website = await findWebsite(app.postgres, request.websiteId, caller);
  const limit = request.limit ?? defaultLimit;
  // A page continues after a deletion of the website; after any other id there is none.
  const { rows } = await app.postgres.query<Deletion>(
    `SELECT ${deletionColumns} FROM deletions
     WHERE website_id = $1 AND ($2::text IS NULL OR (created_at, id) < (SELECT created_at, id FROM deletions WHERE id = $2 AND website_id = $1))
     ORDER BY deletions.created_at DESC, deletions.id DESC LIMIT $3`,
    [website.id, request.cursor ?? null, limit + 1],
  );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    success: true,
    deletions: shown.map((row) => deletionMessage(row, website.privacy, call)),
    ...(rows.length > limit && last !== undefined ? { nextCursor: last.id } : {}),
  };
}
