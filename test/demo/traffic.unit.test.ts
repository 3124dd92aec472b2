import { expect, test } from "vitest";
import { trafficOf } from "../../src/demo/traffic.ts";

const dayMs = 86_400_000;
/** A Monday. */
const mondayMs = Date.UTC(2026, 8, 7);

test("the same day has the same traffic, and no event is later than now", () => {
  const whole = trafficOf(mondayMs, 10, Number.POSITIVE_INFINITY);
  expect(trafficOf(mondayMs, 10, Number.POSITIVE_INFINITY)).toEqual(whole);
  const noonMs = mondayMs + dayMs / 2;
  const half = trafficOf(mondayMs, 10, noonMs);
  expect(half.events.length).toBeGreaterThan(100);
  const times = [...half.events, ...half.vitals, ...half.errors].map(
    (item) => (item as { timestamp: number }).timestamp,
  );
  expect(Math.max(...times)).toBeLessThan(noonMs);
  // What is sent once more has the same ids, so it does not count twice.
  const ids = new Set(whole.events.map((event) => (event as { eventId: string }).eventId));
  expect(ids.size).toBe(whole.events.length);
  expect(half.events.every((event) => ids.has((event as { eventId: string }).eventId))).toBe(true);
});

test("there is less traffic on Sundays, and most of it by day", () => {
  const count = (startMs: number) => trafficOf(startMs, 10, Number.POSITIVE_INFINITY).events.length;
  expect(count(mondayMs - dayMs)).toBeLessThan(0.8 * count(mondayMs));
  const hours = trafficOf(mondayMs, 10, Number.POSITIVE_INFINITY).events.map((event) =>
    new Date((event as { timestamp: number }).timestamp).getUTCHours(),
  );
  const between = (from: number, until: number) => hours.filter((hour) => hour >= from && hour < until).length;
  expect(between(8, 14)).toBeGreaterThan(3 * between(0, 6));
});

test("a release is marked every second Thursday at nine, with a version of its own", () => {
  const marked = Array.from({ length: 56 }, (_, day) => trafficOf(mondayMs + day * dayMs, 10, Number.POSITIVE_INFINITY))
    .flatMap(({ deploys }) => deploys as { timestamp: number; properties: { version: string } }[])
    .map(({ timestamp, properties }) => ({ at: new Date(timestamp), version: properties.version }));
  expect(marked).toHaveLength(4);
  for (const { at } of marked) expect([at.getUTCDay(), at.getUTCHours()]).toEqual([4, 9]);
  expect(new Set(marked.map(({ version }) => version)).size).toBe(4);
});

test("every campaign brings sign-ups within a month", () => {
  const campaignOf = new Map<string, string>();
  const signUps = new Map<string, number>();
  for (let daysAgo = 30; daysAgo > 0; daysAgo -= 1) {
    const { events } = trafficOf(mondayMs - daysAgo * dayMs, daysAgo, Number.POSITIVE_INFINITY);
    for (const event of events as { name: string; sessionId: string; utm_campaign?: string }[]) {
      if (event.utm_campaign !== undefined) campaignOf.set(event.sessionId, event.utm_campaign);
      const campaign = campaignOf.get(event.sessionId);
      if (campaign !== undefined && event.name === "signed_up") signUps.set(campaign, (signUps.get(campaign) ?? 0) + 1);
    }
  }
  expect([...signUps.keys()].toSorted()).toEqual(["desk_lamps", "launch", "new_in_autumn"]);
});
