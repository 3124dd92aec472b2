import { randomBytes, randomUUID } from "node:crypto";
import { hashKeyText } from "../access/keyText.ts";
import { hashPassword } from "../access/passwordHash.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import { ApiError } from "../errors/errors.ts";
import type { CreateSharedDashboardReply } from "../gen/lookout/services.ts";
import { type CreateSharedDashboardRequest, SharedDashboardService } from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { type Commit, once } from "../idempotency/once.ts";
import { findLiveWebsite } from "../websites/findWebsite.ts";
import { readShare } from "./readShare.ts";
import { auditedShare, type ShareRow, shareColumns, shareMessage } from "./shareRow.ts";
import type { SharingCall } from "./sharingCall.ts";

/** Of one website. */
const mostShares = 100;

/**
 * POST /v1/shared-dashboards/create. The token of the link is only in this answer. Rejects with VALIDATION_ERROR, NOT_FOUND (the
 * website) and CONFLICT (too many).
 */
export const createSharedDashboard = once(SharedDashboardService.method.createSharedDashboard, make);

async function make(
  request: CreateSharedDashboardRequest,
  call: SharingCall,
  commit: Commit<CreateSharedDashboardReply>,
): Promise<CreateSharedDashboardReply> {
  const { app, caller } = call;
  const { name, types, filters, origins, expiresAt } = readShare(request);
  const passwordHash = request.password === undefined ? null : await hashPassword(request.password);
  const token = randomBytes(24).toString("base64url");
  const { reply } = await commit(
    async (client) => {
      const website = await findLiveWebsite(client, request.websiteId, caller, true);
      const { rows: known } = await client.query<{ count: number }>(
        "SELECT count(*)::integer AS count FROM shared_dashboards WHERE website_id = $1",
        [website.id],
      );
      if ((known[0]?.count ?? 0) >= mostShares)
        throw new ApiError(
          "CONFLICT",
          `There are ${mostShares} shared dashboards, and more are not possible. Delete one`,
        );
      const { rows } = await client.query<ShareRow>(
        `INSERT INTO shared_dashboards (id, website_id, organization_id, name, token_hash, password_hash, types, filters, origins, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${shareColumns}`,
        [
          ...[randomUUID(), website.id, website.organizationId, name, hashKeyText(token)],
          ...[passwordHash, types, filters, origins, expiresAt],
        ],
      );
      const [made] = rows;
      if (made === undefined) throw new Error("PostgreSQL did not return the new shared dashboard");
      await recordAudit(client, call, {
        action: "shared_dashboard.create",
        objectId: made.id,
        websiteId: made.websiteId,
        after: auditedShare(made),
      });
      return made;
    },
    (share) => ({
      sharedDashboard: shareMessage(share),
      token,
      // In the fragment, so that neither a server's log nor a Referer header has it.
      url: `${app.config.server.baseUrl}/shared/${share.websiteId}/${share.id}#${token}`,
    }),
  );
  return reply;
}
