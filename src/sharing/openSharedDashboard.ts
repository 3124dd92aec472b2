import { hashKeyText } from "../access/keyText.ts";
import { visitorGuessLimit } from "../access/passwordAttempts.ts";
import { verifyPassword } from "../access/passwordHash.ts";
import { limitOpenCall } from "../access/rateLimit/limitCall.ts";
import { networkKey } from "../access/rateLimit/networkKey.ts";
import { hasExpired } from "../access/sharedDashboards.ts";
import { ApiError, rateLimitExceeded } from "../errors/errors.ts";
import type { OpenSharedDashboardReply } from "../gen/lookout/services.ts";
import type { OpenSharedDashboardRequest } from "../gen/lookout/v1/shared_dashboards_pb.ts";
import { type ShareRow, shareColumns } from "./shareRow.ts";
import type { SharingCall } from "./sharingCall.ts";

/**
 * POST /v1/shared-dashboards/open: what the reader of a link sees, and the access with which the reader's queries are answered.
 *
 * Rejects with NOT_FOUND for a link that does not work, with the same text for any cause; with UNAUTHORIZED without the password or
 * with a wrong one, and with RATE_LIMIT_EXCEEDED after too many wrong ones.
 */
export async function openSharedDashboard(
  { token, password = "" }: OpenSharedDashboardRequest,
  call: SharingCall,
): Promise<OpenSharedDashboardReply> {
  limitOpenCall(call);
  const { app } = call;
  const { rows } = await app.postgres.query<ShareRow>(
    `SELECT ${shareColumns} FROM shared_dashboards WHERE token_hash = $1`,
    [hashKeyText(token)],
  );
  const [share] = rows;
  const website = share === undefined ? undefined : await app.websites.find(share.websiteId);
  if (share === undefined || website === undefined || website.deletedAtMs !== null || hasExpired(share, Date.now()))
    throw new ApiError(
      "NOT_FOUND",
      "This link does not work, or no longer. Ask whoever gave it to you for another one",
    );
  if (share.passwordHash !== null) await requirePassword(share.id, share.passwordHash, password, call);
  const { id, name, timezone } = website;
  const access = await app.sharedDashboards.access(share);
  return { websiteId: id, name, timezone, types: [...share.types], access };
}

async function requirePassword(id: string, hash: string, password: string, call: SharingCall): Promise<void> {
  if (password === "") throw new ApiError("UNAUTHORIZED", "This dashboard needs a password. Send it as password");
  const attempt = await call.app.linkPasswords.take(`shared ${id}`, await networkKey("shared", call), Date.now());
  if ("waitMs" in attempt)
    throw rateLimitExceeded("Too many wrong passwords. Wait before the next one", {
      limit: visitorGuessLimit.allowed,
      waitMs: attempt.waitMs,
    });
  if (!(await verifyPassword(hash, password)))
    throw new ApiError("UNAUTHORIZED", "This is not the password. Try again");
  await attempt.succeeded();
}
