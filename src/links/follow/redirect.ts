import type { Pool } from "pg";
import { ApiError } from "../../errors/errors.ts";
import type { LinkCall } from "../linkCall.ts";
import type { LiveLink } from "./linkReader.ts";
import { recordClick } from "./recordClick.ts";
import { chooseTarget, withQuery } from "./targets.ts";
import { readVisit, type Visit } from "./visit.ts";

/**
 * Redirects a visitor to a target of the link; a click is in the log before the answer. Throws or rejects with
 * NOT_FOUND and the status 410 where the link has expired or its clicks are used up, unless it names another address
 * for that case.
 */
export function redirect(link: LiveLink, call: LinkCall): Redirect | Promise<Redirect> {
  if (isExpired(link, Date.now())) return expired(link);
  const visit = readVisit(link, call);
  return link.clickLimit === null
    ? redirectToTarget(link, visit, call)
    : redirectWithinLimit(link.clickLimit, link, visit, call);
}

type Redirect = { readonly targetUrl: string };

async function redirectWithinLimit(
  clickLimit: number,
  link: LiveLink,
  visit: Visit,
  call: LinkCall,
): Promise<Redirect> {
  const isLeft = visit.isClick ? await takeLimitedClick(link.id, call.app.postgres) : link.limitedClicks < clickLimit;
  return isLeft ? redirectToTarget(link, visit, call) : expired(link);
}

function redirectToTarget(link: LiveLink, { agent, isClick }: Visit, call: LinkCall): Redirect | Promise<Redirect> {
  const target = chooseTarget(link.targets, agent);
  const found = { targetUrl: link.forwardQuery ? withQuery(target.url, call.query) : target.url };
  return isClick ? recordClick(link, target, agent, call).then(() => found) : found;
}

export function isExpired({ expiresAtMs }: Pick<LiveLink, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== null && expiresAtMs <= nowMs;
}

/** A redirect to this address is not counted as a click. */
export function expired({ expiredUrl }: Pick<LiveLink, "expiredUrl">): Redirect {
  if (expiredUrl !== null) return { targetUrl: expiredUrl };
  throw new ApiError("NOT_FOUND", "This link has expired. Ask for a new one where you got it", { status: 410 });
}

/**
 * Takes one of the remaining clicks of a limited link; false when there is none. PostgreSQL serialises the updates, so
 * the limit holds exactly across all processes. Rejects when PostgreSQL is unavailable: the remaining clicks are then unknown.
 */
async function takeLimitedClick(linkId: string, postgres: Pick<Pool, "query">): Promise<boolean> {
  const { rowCount } = await postgres.query(
    `UPDATE links SET limited_clicks = limited_clicks + 1
     WHERE id = $1 AND deleted_at IS NULL AND (click_limit IS NULL OR limited_clicks < click_limit)`,
    [linkId],
  );
  return rowCount === 1;
}
