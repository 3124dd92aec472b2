import type { Config } from "../../config.ts";
import { rateLimitExceeded, unavailable } from "../../errors/errors.ts";
import type { Watched } from "./eventChanges.ts";

/**
 * Lets one more watch begin, or throws RATE_LIMIT_EXCEEDED or SERVICE_UNAVAILABLE. Strangers, who may see the public
 * figures of a website only, get a part of the slots, and an address of theirs only some: so the owners of a website find
 * a free one however many others watch it.
 */
export function requireFreeSlot(next: Watched, open: Iterable<Watched>, limits: Config["watch"]): void {
  const watches = [...open];
  const strangers = watches.filter(({ strangerAt }) => strangerAt !== undefined);
  const { maxStreams, maxStreamsPerWebsite, maxPublicStreamsPerAddress, publicPercent } = limits;
  requireSlots(next, watches, maxStreams, maxStreamsPerWebsite);
  if (next.strangerAt === undefined) return;
  const part = publicPercent / 100;
  requireSlots(next, strangers, Math.floor(maxStreams * part), Math.floor(maxStreamsPerWebsite * part));
  if (strangers.filter(({ strangerAt }) => strangerAt === next.strangerAt).length >= maxPublicStreamsPerAddress)
    throw tooMany("Your address watches public websites too often already", maxPublicStreamsPerAddress);
}

function requireSlots(next: Watched, open: readonly Watched[], max: number, maxPerWebsite: number): void {
  for (const id of next.websiteIds)
    if (open.filter(({ websiteIds }) => websiteIds.includes(id)).length >= maxPerWebsite)
      throw tooMany("This website is watched too often already", maxPerWebsite);
  if (open.length >= max) throw unavailable("Too much is watched already. Try again in a few seconds", 10);
}

function tooMany(problem: string, limit: number): Error {
  return rateLimitExceeded(`${problem}. End other watches first`, { limit, waitMs: 10_000 });
}
