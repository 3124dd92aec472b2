import type { SiteFigures } from "./siteFigures.ts";

/** Figures of several websites together. */
export type SiteSum = {
  readonly visitors: number;
  readonly visits: number;
  /** Null unless each of them that has events has a usual. */
  readonly usual: number | null;
  /** Null unless it is known of each. */
  readonly now: number | null;
};

/**
 * The sum of the figures of websites; undefined until each is known. Websites without any event add none. A visitor of two websites is two
 * visitors, as an id never spans websites, so nobody is counted twice.
 */
export function sumOfSites(all: readonly (SiteFigures | undefined)[]): SiteSum | undefined {
  let sum: SiteSum = { visitors: 0, visits: 0, usual: 0, now: 0 };
  for (const figures of all) {
    if (figures === undefined) return undefined;
    const { visitors, visits, usual, now, since } = figures;
    if (since === undefined && visitors === null) continue;
    if (visitors === null) return undefined;
    sum = {
      visitors: sum.visitors + visitors,
      visits: sum.visits + (visits ?? 0),
      usual: sum.usual === null || usual === null ? null : sum.usual + usual,
      now: sum.now === null || now === null ? null : sum.now + now,
    };
  }
  return sum;
}

type Tagged = { readonly id: string; readonly tags?: { readonly names: readonly string[] } | undefined };

/** The websites of a tag together. A website with several tags counts in each. */
export function sumsByTag(
  websites: readonly Tagged[],
  tags: readonly string[],
  figures: ReadonlyMap<string, SiteFigures> | undefined,
): { readonly tag: string; readonly websites: number; readonly sum: SiteSum | undefined }[] {
  return tags.map((tag) => {
    const own = websites.filter((website) => website.tags?.names.includes(tag) === true);
    return { tag, websites: own.length, sum: sumOfSites(own.map(({ id }) => figures?.get(id))) };
  });
}
