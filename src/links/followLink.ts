import type { MessageInitShape } from "@bufbuild/protobuf";
import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { FollowLinkRequest, FollowLinkResponseSchema } from "../gen/lookout/v1/links_pb.ts";
import { expired, isExpired, lead } from "./lead.ts";
import type { LiveLink } from "./linkDirectory.ts";
import { passwordNeeded } from "./passwordPage.ts";

/**
 * GET /l/{slug}: where a short link leads. The click is kept before the answer.
 *
 * Rejects with NOT_FOUND where there is no such link or, with the status 410, where it has expired, with UNAUTHORIZED where it needs a
 * password, and with SERVICE_UNAVAILABLE when it cannot be looked up.
 */
export async function followLink(
  { slug }: FollowLinkRequest,
  call: CallContext,
): Promise<MessageInitShape<typeof FollowLinkResponseSchema>> {
  const link = await findLiveLink(slug, call);
  if (link.passwordHash === null) return await lead(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  throw passwordNeeded();
}

/** The link of a slug that leads somewhere. Rejects with NOT_FOUND. */
export async function findLiveLink(slug: string, { app }: CallContext): Promise<LiveLink> {
  const { link } = app.links.remembered(slug) ?? (await app.links.find(slug));
  if (link === undefined)
    throw new ApiError("NOT_FOUND", "There is no link at this address. Check it for typing errors");
  return link;
}
