import { authRequired } from "../../../access/authorize.ts";
import { ApiError } from "../../../errors/errors.ts";
import type { PrivacyRules } from "../../../visitors/privacyRules.ts";
import type { DataCall } from "../../dataCall.ts";
import { type Deletion, deletionColumns } from "../deletion/deletionRow.ts";

/** A deletion and what its website, which may be gone, says about answers. */
type FoundDeletion = { readonly deletion: Deletion; readonly privacy: PrivacyRules };

/**
 * A deletion that the caller's credentials may see. Rejects with NOT_FOUND, with the same text for what does not exist
 * and what belongs to another organization.
 */
export async function findDeletion(id: string, { app, caller }: DataCall): Promise<FoundDeletion> {
  if (caller === undefined) throw authRequired();
  const { rows } = await app.postgres.query<Deletion & { privacy: PrivacyRules }>(
    `SELECT ${deletionColumns}, (SELECT privacy FROM websites WHERE websites.id = website_id) AS privacy FROM deletions
     WHERE id = $1 AND organization_id = $2 AND ($3::text[] IS NULL OR website_id = ANY($3))`,
    [id, caller.organizationId, caller.websiteIds ?? null],
  );
  const [found] = rows;
  if (found === undefined)
    throw new ApiError(
      "NOT_FOUND",
      "There is no such deletion, or your credentials do not reach it. Use the deletion_id of the answer to the deletion request",
    );
  const { privacy, ...deletion } = found;
  return { deletion, privacy };
}
