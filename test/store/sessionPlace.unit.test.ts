import fc from "fast-check";
import { expect, test } from "vitest";
import { sessionPlacesMs, sessionPlaceUs } from "../../src/store/questdb/sessionPlace.ts";

const dayUs = 86_400_000_000;
const startUs = fc.integer({ min: 0, max: 4_102_444_799_999_999 });

test("a session is stored on the UTC day of its start, where queries look for the website's sessions of the day", () => {
  fc.assert(
    fc.property(fc.string(), startUs, (websiteId, us) => {
      const placeUs = sessionPlaceUs(websiteId, us);
      const dayStartUs = Math.floor(us / dayUs) * dayUs;
      expect(Math.floor(placeUs / dayUs) * dayUs).toBe(dayStartUs);
      const places = sessionPlacesMs(websiteId, [dayStartUs / 1_000]);
      expect(places).toHaveLength(1);
      for (const { startMs, endMs } of places) {
        expect(placeUs).toBeGreaterThanOrEqual(startMs * 1_000);
        expect(placeUs).toBeLessThan(endMs * 1_000);
        expect(endMs - startMs).toBeLessThan(1_335);
      }
    }),
  );
});

test("a website's sessions are stored in order of their starts, and half an hour apart means different times", () => {
  fc.assert(
    fc.property(fc.uuid(), startUs, fc.integer({ min: 0, max: dayUs }), (websiteId, us, laterUs) => {
      const [first, second] = [sessionPlaceUs(websiteId, us), sessionPlaceUs(websiteId, us + laterUs)];
      expect(second).toBeGreaterThanOrEqual(first);
      if (laterUs >= 1_800_000_000) expect(second).toBeGreaterThan(first);
    }),
  );
});

test("websites are spread over the day", () => {
  const starts = Array.from({ length: 1_000 }, (_, index) => sessionPlaceUs(`website ${index}`, 0));
  expect(new Set(starts).size).toBeGreaterThan(950);
  const quarters = starts.map((us) => Math.floor((us / dayUs) * 4));
  for (const quarter of [0, 1, 2, 3]) expect(quarters.filter((one) => one === quarter).length).toBeGreaterThan(150);
});

test("stored times never change: stored rows have them", () => {
  expect(sessionPlaceUs("00000000-0000-4000-8000-000000000020", Date.UTC(2026, 5, 1, 12) * 1_000)).toBe(
    1_780_279_488_211_769,
  );
});
