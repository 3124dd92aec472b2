import type { MessageInitShape } from "@bufbuild/protobuf";
import { verifyPassword } from "../access/passwordHash.ts";
import { rateLimitExceeded } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { UnlockLinkRequest, UnlockLinkResponseSchema } from "../gen/lookout/v1/links_pb.ts";
import { readClientAddress } from "../ingest/clientAddress.ts";
import { findLiveLink } from "./followLink.ts";
import { expired, isExpired, lead } from "./lead.ts";
import { passwordNeeded } from "./passwordPage.ts";

/** How many attempts the limit stands for in its answer; the true one is a growing wait. */
const attempts = 5;

/**
 * POST /l/{slug}: where a link with a password leads. A link without one leads on whatever is sent.
 *
 * Rejects with UNAUTHORIZED for a wrong password, with RATE_LIMIT_EXCEEDED after too many wrong ones, and with what followLink rejects with.
 */
export async function unlockLink(
  { slug, password }: UnlockLinkRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof UnlockLinkResponseSchema>> {
  const link = await findLiveLink(slug, call);
  if (link.passwordHash === null) return await lead(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  const { linkPasswords, config } = call.app;
  const address = readClientAddress(call, config.ingest.trustedProxies) ?? "";
  const waitMs = linkPasswords.waitMs(link.id, address, Date.now());
  if (waitMs > 0)
    throw rateLimitExceeded("Too many wrong passwords. Wait before the next one", { limit: attempts, waitMs });
  // Counted before it is known to be wrong, so that guesses at once do not slip through together.
  linkPasswords.failed(link.id, address, Date.now());
  if (!(await verifyPassword(link.passwordHash, password))) throw passwordNeeded("This is not the password. Try again");
  linkPasswords.succeeded(link.id, address);
  return await lead(link, call);
}
