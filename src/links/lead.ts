import { ApiError } from "../errors.ts";
import type { CallContext } from "../gateway/callContext.ts";
import type { LiveLink } from "./linkDirectory.ts";
import { recordClick } from "./recordClick.ts";
import { takeLimitedClick } from "./takeLimitedClick.ts";
import { chooseTarget } from "./targets.ts";
import { readVisit } from "./visit.ts";

/**
 * Where a link leads this visitor; a click is kept before the answer. Rejects with NOT_FOUND and the status 410 where the link has expired
 * or its clicks are used up and it names no other address for that.
 */
export async function lead(link: LiveLink, call: CallContext): Promise<{ targetUrl: string }> {
  if (isExpired(link, Date.now())) return expired(link);
  const { agent, isClick } = readVisit(call);
  if (link.clickLimit !== null) {
    const isLeft = isClick ? await takeLimitedClick(link.id, call.app.postgres) : link.limitedClicks < link.clickLimit;
    if (!isLeft) return expired(link);
  }
  const target = chooseTarget(link.targets, agent);
  if (isClick) await recordClick(link, target, agent, call);
  return { targetUrl: target.url };
}

export function isExpired({ expiresAtMs }: Pick<LiveLink, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Nobody who is led there has clicked. */
export function expired({ expiredUrl }: Pick<LiveLink, "expiredUrl">): { targetUrl: string } {
  if (expiredUrl !== null) return { targetUrl: expiredUrl };
  throw new ApiError("NOT_FOUND", "This link has expired. Ask whoever gave it to you for a new one", { status: 410 });
}
