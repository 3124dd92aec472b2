/** How many files QuestDB has mapped, and how many it may. Undefined: not known, since it runs elsewhere or as another user. */
export type MapsSeen = { readonly mapped: number | undefined; readonly limit: number | undefined };

/** What only short ranges, new rows and QuestDB itself may use of the limit. */
const reservedShare = 1 / 8;

/** A read that needs no more files counts as short: two weeks of events. */
const shortMaps = 1_000;

/** After a mapping failed no read over a long range begins for this time. */
const afterFailureMs = 10_000;
/** For how long a failure or a refused read shows in /readyz. */
const shownMs = 30_000;

export function isShort(needed: number): boolean {
  return needed <= shortMaps;
}

/** Whether a read fits when nothing else is mapped. */
export function fitsAlone(needed: number, limit: number | undefined): boolean {
  return limit === undefined || needed <= limit * (1 - reservedShare);
}

/**
 * Whether a read may begin that needs `needed` files. `begun`: what reads may still map that have begun and are not, or not wholly, in what
 * was seen.
 */
export function mayMap({ mapped, limit }: MapsSeen, begun: number, needed: number, sinceFailureMs: number): boolean {
  if (isShort(needed)) return true;
  if (sinceFailureMs < afterFailureMs) return false;
  return fitsAlone((mapped ?? 0) + begun + needed, limit);
}

/** One sentence while reads over long ranges are refused or about to be. */
export function lowMapsMessage(
  seen: MapsSeen,
  { sinceFailureMs, sinceRefusalMs }: { readonly sinceFailureMs: number; readonly sinceRefusalMs: number },
): string | undefined {
  const { mapped, limit } = seen;
  const known = mapped !== undefined && limit !== undefined;
  const figures = known ? ` (${mapped.toLocaleString("en")} of ${limit.toLocaleString("en")} are mapped)` : "";
  if (sinceFailureMs < shownMs) return `QuestDB could not map a file into memory${figures}`;
  if (sinceRefusalMs < shownMs)
    return `queries over long ranges are refused, since QuestDB may map too few files for them${figures}`;
  if (known && mapped > limit * (1 - reservedShare))
    return `QuestDB has mapped nearly all files that it may${figures}: queries over long ranges are refused`;
  return undefined;
}
