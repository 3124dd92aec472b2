import type { MessageInitShape } from "@bufbuild/protobuf";
import { countMiss } from "../../access/rateLimit/limitMisses.ts";
import { ApiError } from "../../errors.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import type { FollowLinkRequest, FollowLinkResponseSchema } from "../../gen/lookout/v1/links_pb.ts";
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
  const found = call.app.links.kept(slug);
  // Without a promise where none is needed: each one costs redirects a second.
  return found?.value === undefined ? lookUpAndFollow(slug, found, call) : follow(found.value, call);
}

type Answer = MessageInitShape<typeof FollowLinkResponseSchema>;

async function lookUpAndFollow(slug: string, kept: Found | undefined, call: CallContext): Promise<Answer> {
  return await follow(await lookUp(slug, kept, call), call);
}

function follow(link: LiveLink, call: CallContext): Answer | Promise<Answer> {
  if (link.passwordHash === null) return lead(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  throw passwordNeeded();
}

/** The link of a slug that leads somewhere. Rejects with NOT_FOUND and, after too many slugs without a link, RATE_LIMIT_EXCEEDED. */
export async function findLiveLink(slug: string, call: CallContext): Promise<LiveLink> {
  const kept = call.app.links.kept(slug);
  return kept?.value ?? (await lookUp(slug, kept, call));
}

/** A link that exists is found whatever its caller's network guessed before: others may share that network. */
async function lookUp(slug: string, kept: Found | undefined, call: CallContext): Promise<LiveLink> {
  const link = kept === undefined ? await call.app.links.find(slug) : kept.value;
  if (link !== undefined) return link;
  countMiss("link", call);
  throw new ApiError("NOT_FOUND", "There is no link at this address. Check it for typing errors");
}
