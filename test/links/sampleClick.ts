import type { Click } from "../../src/links/click.ts";

/** A click of now, with values and without, and letters that texts escape or encode in several bytes. */
export function sampleClick(key: number): Click {
  const city = ["Berlin", "São Paulo", "東京", "𠮷野町"][key % 4];
  const source = ["news.example.com", 'a"b\\c\n\u2028', undefined][key % 3];
  const where = [null, "DE", undefined, city] as const;
  const how = ["Chrome", undefined, "desktop", "de-DE"] as const;
  const nowMs = Date.now();
  const when = [Math.floor(nowMs / 1_000), nowMs % 1_000] as const;
  return [...when, 0, key, 0, key, "organization", "link", ...where, ...how, source, "website", "/pricing"];
}
