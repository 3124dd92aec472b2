import { visitorGuessLimit } from "../../access/passwordAttempts.ts";
import { verifyPassword } from "../../access/passwordHash.ts";
import { networkKey } from "../../access/rateLimit/networkKey.ts";
import { rateLimitExceeded } from "../../errors/errors.ts";
import type { UnlockLinkReply } from "../../gen/lookout/services.ts";
import type { UnlockLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import type { LinkCall } from "../linkCall.ts";
import { findLiveLink } from "./followLink.ts";
import { passwordNeeded } from "./passwordPage.ts";
import { expired, isExpired, redirect } from "./redirect.ts";

/**
 * POST /l/{slug}: redirects to the target of a link with a password. A link without a password ignores what is sent.
 *
 * Rejects with UNAUTHORIZED for a wrong password, RATE_LIMIT_EXCEEDED after too many wrong ones, SERVICE_UNAVAILABLE
 * while they cannot be counted, and with what followLink rejects with.
 */
export async function unlockLink({ slug, password }: UnlockLinkRequest, call: LinkCall): Promise<UnlockLinkReply> {
  const link = await findLiveLink(slug, call);
  if (link.passwordHash === null) return await redirect(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  const attempt = await call.app.linkPasswords.take(link.id, await networkKey("link", call), Date.now());
  if ("waitMs" in attempt)
    throw rateLimitExceeded("Too many wrong passwords. Wait before the next one", {
      limit: visitorGuessLimit.allowed,
      waitMs: attempt.waitMs,
    });
  if (!(await verifyPassword(link.passwordHash, password))) throw passwordNeeded("This is not the password. Try again");
  await attempt.succeeded();
  return await redirect(link, call);
}
