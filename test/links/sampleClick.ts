import type { Click } from "../../src/links/click.ts";

const target = { websiteId: "website", path: "/pricing" };
const agent = { browser: "Chrome", os: undefined, device: "desktop" };
const places = ["Berlin", "São Paulo", "東京", "𠮷野町"].map((city) => ({ country: "DE", region: undefined, city }));
const links = [null, "website"].map((websiteId, index) => ({
  organizationId: "organization",
  id: `link${index}`,
  websiteId,
}));

/** A click of now, with values and without, and letters that texts escape or encode in several bytes. */
export function sampleClick(key: number): Click {
  return {
    timeMs: Date.now() - (key % 7),
    eventKey: key,
    visitorKey: 2 ** 52 - 1 - key,
    link: oneOf(links, key),
    target,
    agent,
    place: oneOf(places, key),
    language: key % 5 === 0 ? undefined : "de-DE",
    source: ["news.example.com", 'a"b\\c\n\u2028', undefined][key % 3],
  };
}

function oneOf<T>(values: readonly T[], key: number): T {
  return values[key % values.length] as T;
}

/** Of sample clicks everything is seen at once. */
export function asSeen(clicks: readonly Click[]): Click[] {
  return [...clicks];
}
