import type { MessageInitShape } from "@bufbuild/protobuf";
import { takeMiss } from "../access/rateLimit/limitMisses.ts";
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
 * password, with RATE_LIMIT_EXCEEDED after too many slugs without a link, and with SERVICE_UNAVAILABLE when it cannot be looked up.
 */
export function followLink({ slug }: FollowLinkRequest, call: CallContext): Answer | Promise<Answer> {
  const found = call.app.links.remembered(slug);
  // Without a promise where none is needed: each turn of the queue is felt in redirects a second.
  return found?.link === undefined ? lookUpAndFollow(slug, found, call) : follow(found.link, call);
}

type Answer = MessageInitShape<typeof FollowLinkResponseSchema>;

async function lookUpAndFollow(slug: string, remembered: Found | undefined, call: CallContext): Promise<Answer> {
  return await follow(await lookUp(slug, remembered, call), call);
}

function follow(link: LiveLink, call: CallContext): Answer | Promise<Answer> {
  if (link.passwordHash === null) return lead(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  throw passwordNeeded();
}

/** The link of a slug that leads somewhere. Rejects with NOT_FOUND and, after too many slugs without a link, RATE_LIMIT_EXCEEDED. */
export async function findLiveLink(slug: string, call: CallContext): Promise<LiveLink> {
  const remembered = call.app.links.remembered(slug);
  return remembered?.link ?? (await lookUp(slug, remembered, call));
}

async function lookUp(slug: string, remembered: Found | undefined, call: CallContext): Promise<LiveLink> {
  const giveBack = takeMiss("link", call);
  let isMiss = false;
  try {
    const { link } = remembered ?? (await call.app.links.find(slug));
    isMiss = link === undefined;
    if (link !== undefined) return link;
  } finally {
    if (!isMiss) giveBack();
  }
  throw new ApiError("NOT_FOUND", "There is no link at this address. Check it for typing errors");
}
