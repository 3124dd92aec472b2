import { countMiss } from "../../access/rateLimit/limitMisses.ts";
import { ApiError } from "../../errors/errors.ts";
import type { FollowLinkReply } from "../../gen/lookout/services.ts";
import type { FollowLinkRequest } from "../../gen/lookout/v1/links_pb.ts";
import type { LinkCall } from "../linkCall.ts";
import type { Found } from "./linkDirectory.ts";
import type { LiveLink } from "./linkReader.ts";
import { passwordNeeded } from "./passwordPage.ts";
import { expired, isExpired, redirect } from "./redirect.ts";

/**
 * GET /l/{slug}: redirects to the target of a short link. The click is in the log before the answer.
 *
 * Throws or rejects with NOT_FOUND where there is no such link (with status 410 where it has expired), UNAUTHORIZED
 * where it needs a password, RATE_LIMIT_EXCEEDED after too many slugs without a link, and SERVICE_UNAVAILABLE when it
 * cannot be looked up.
 */
export function followLink({ slug }: FollowLinkRequest, call: LinkCall): FollowLinkReply | Promise<FollowLinkReply> {
  const found = call.app.links.cached(slug);
  // Synchronous on a cache hit: a promise per call costs throughput.
  return found?.value === undefined ? lookUpAndFollow(slug, found, call) : follow(found.value, call);
}

async function lookUpAndFollow(slug: string, cached: Found | undefined, call: LinkCall): Promise<FollowLinkReply> {
  return await follow(await lookUp(slug, cached, call), call);
}

function follow(link: LiveLink, call: LinkCall): FollowLinkReply | Promise<FollowLinkReply> {
  if (link.passwordHash === null) return redirect(link, call);
  if (isExpired(link, Date.now())) return expired(link);
  throw passwordNeeded();
}

/** The live link of a slug. Rejects with NOT_FOUND and, after too many slugs without a link, RATE_LIMIT_EXCEEDED. */
export async function findLiveLink(slug: string, call: LinkCall): Promise<LiveLink> {
  const cached = call.app.links.cached(slug);
  return cached?.value ?? (await lookUp(slug, cached, call));
}

/** An existing link is found no matter what its caller's network guessed before: others may share that network. */
async function lookUp(slug: string, cached: Found | undefined, call: LinkCall): Promise<LiveLink> {
  const link = cached === undefined ? await call.app.links.find(slug) : cached.value;
  if (link !== undefined) return link;
  countMiss("link", call);
  throw new ApiError("NOT_FOUND", "There is no link at this address. Check it for typing errors");
}
