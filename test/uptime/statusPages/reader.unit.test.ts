import { expect, test } from "vitest";
import { readerOf } from "../../../src/uptime/statusPages/texts/reader.ts";
import { knownZone, offeredZones } from "../../../src/uptime/statusPages/texts/zones.ts";

test.each([
  ["nothing", undefined, undefined, "en", "en-GB", "UTC", "default"],
  ["a region with one time", undefined, "de-DE,de;q=0.9,en;q=0.8", "de", "de-DE", "Europe/Berlin", "region"],
  ["a region with several times", undefined, "en-US,en;q=0.9", "en", "en-US", "UTC", "default"],
  ["a language without a region", undefined, "fr", "fr", "fr-FR", "UTC", "default"],
  ["a language that there is not", undefined, "ja-JP,ja,en;q=0.5", "en", "en-GB", "Asia/Tokyo", "region"],
  ["a zone of the address", "tz=America/New_York", "de-DE", "de", "de-DE", "America/New_York", "address"],
  ["a language of the address", "lang=en&tz=no", "fr-FR", "en", "en-GB", "Europe/Paris", "region"],
  ["what is no language", "lang=xx", "*,-,a-b-c,%%%", "en", "en-GB", "UTC", "default"],
])("the reader of a page with %s", (_, query, accepted, language, locale, zone, zoneBy) => {
  expect(readerOf(query, accepted)).toMatchObject({ language, locale, zone, zoneBy });
});

test("each zone that is offered is one that the address takes", () => {
  for (const zone of offeredZones) expect(knownZone(zone), zone).toBeDefined();
});

test.each(["+02:00", "Europe/../Berlin", "a".repeat(300), "<b>", ""])("%j is no zone", (name) => {
  expect(knownZone(name)).toBeUndefined();
});
