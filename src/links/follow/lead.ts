import { ApiError } from "../../errors.ts";
import type { CallContext } from "../../gateway/callContext.ts";
import type { LiveLink } from "./linkReader.ts";
import { recordClick } from "./recordClick.ts";
import { takeLimitedClick } from "./takeLimitedClick.ts";
import { chooseTarget } from "./targets.ts";
import { readVisit, type Visit } from "./visit.ts";

/**
 * Where a link leads this visitor; a click is kept before the answer. Throws or rejects with NOT_FOUND and the status 410 where the link has
 * expired or its clicks are used up and it names no other address for that.
 */
export function lead(link: LiveLink, call: CallContext): Led | Promise<Led> {
  if (isExpired(link, Date.now())) return expired(link);
  const visit = readVisit(call);
  return link.clickLimit === null ? leadOn(link, visit, call) : leadWithin(link.clickLimit, link, visit, call);
}

type Led = { readonly targetUrl: string };

async function leadWithin(clickLimit: number, link: LiveLink, visit: Visit, call: CallContext): Promise<Led> {
  const isLeft = visit.isClick ? await takeLimitedClick(link.id, call.app.postgres) : link.limitedClicks < clickLimit;
  return isLeft ? leadOn(link, visit, call) : expired(link);
}

function leadOn(link: LiveLink, { agent, isClick }: Visit, call: CallContext): Led | Promise<Led> {
  const target = chooseTarget(link.targets, agent);
  const led = { targetUrl: target.url };
  return isClick ? recordClick(link, target, agent, call).then(() => led) : led;
}

export function isExpired({ expiresAtMs }: Pick<LiveLink, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** Nobody who is led there has clicked. */
export function expired({ expiredUrl }: Pick<LiveLink, "expiredUrl">): Led {
  if (expiredUrl !== null) return { targetUrl: expiredUrl };
  throw new ApiError("NOT_FOUND", "This link has expired. Ask whoever gave it to you for a new one", { status: 410 });
}
