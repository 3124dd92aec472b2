import type { MessageInitShape } from "@bufbuild/protobuf";
import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { FollowLinkRequest, FollowLinkResponseSchema } from "../gen/lookout/v1/links_pb.ts";
import { expired, isExpired, lead } from "./lead.ts";
import type { Found } from "./linkDirectory.ts";
import type { LiveLink } from "./linkReader.ts";
import { passwordNeeded } from "./passwordPage.ts";

/**
 * GET /l/{slug}: where a short link leads. The click is kept before the answer.
 *
 * Throws or rejects with NOT_FOUND where there is no such link or, with the status 410, where it has expired, with UNAUTHORIZED where it needs a
 * password, and with SERVICE_UNAVAILABLE when it cannot be looked up.
 */
export function followLink({ slug }: FollowLinkRequest, call: CallContext): Answer | Promise<Answer> {
  const found = call.app.links.remembered(slug);
  // Without a promise where none is needed: each turn of the queue is felt in redirects a second.
  return found === undefined ? lookUpAndFollow(slug, call) : follow(found, call);
}

type Answer = MessageInitShape<typeof FollowLinkResponseSchema>;

async function lookUpAndFollow(slug: string, call: CallContext): Promise<Answer> {
  return await follow(await call.app.links.find(slug), call);
}

function follow(found: Found, call: CallContext): Answer | Promise<Answer> {
  const link = requireLink(found);
  if (link.passwordHash === null) return lead(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  throw passwordNeeded();
}

/** The link of a slug that leads somewhere. Rejects with NOT_FOUND. */
export async function findLiveLink(slug: string, { app }: CallContext): Promise<LiveLink> {
  return requireLink(app.links.remembered(slug) ?? (await app.links.find(slug)));
}

function requireLink({ link }: Found): LiveLink {
  if (link === undefined)
    throw new ApiError("NOT_FOUND", "There is no link at this address. Check it for typing errors");
  return link;
}
