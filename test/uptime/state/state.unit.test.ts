import fc from "fast-check";
import { expect, test } from "vitest";
import { advance, type IncidentChange, initialState, type SlotResult } from "../../../src/uptime/state/state.ts";

const minuteMs = 60_000;
const thresholds = { openAfter: 2, resolveAfter: 1, certificateNoticeDays: 14 };

/** One letter a minute: u up, g degraded, d down, ? unknown, m down in a maintenance window. */
function slotsOf(letters: string): SlotResult[] {
  const statuses = { u: "up", g: "degraded", d: "down", m: "down", "?": "unknown" } as const;
  return [...letters].map((letter, index) => {
    const status = statuses[letter as keyof typeof statuses];
    return {
      dueMs: index * minuteMs,
      status,
      error: status === "down" ? `failure ${index}` : undefined,
      failedRegions: status === "down" ? ["local"] : [],
      inMaintenance: letter === "m",
    };
  });
}

/** The resulting incidents: [first minute, minute of the end or "…", checks]. */
function incidentsOf(letters: string, given: Partial<typeof thresholds> = {}): (string | number)[][] {
  const seen = new Map<number, IncidentChange>();
  let state = initialState;
  for (const slot of slotsOf(letters)) {
    const step = advance(state, slot, { ...thresholds, ...given });
    state = step.state;
    if (step.incident !== undefined) seen.set(step.incident.startedMs, step.incident);
  }
  return [...seen.values()].map(({ startedMs, resolvedMs, checksAffected }) => [
    startedMs / minuteMs,
    resolvedMs === undefined ? "…" : resolvedMs / minuteMs,
    checksAffected,
  ]);
}

test.each([
  ["nothing but good slots", "uuguu", {}, []],
  ["one failure is no incident", "uuduu", {}, []],
  ["two failures are one, from the first to the first good slot", "udduu", {}, [[1, 3, 2]]],
  ["it lasts while slots fail", "uddd", {}, [[1, "…", 3]]],
  ["degraded slots are good", "uddg", {}, [[1, 3, 2]]],
  ["unknown slots neither break nor lengthen a row", "ud?d?u", {}, [[1, 5, 2]]],
  ["unknown slots alone open nothing", "u???", {}, []],
  ["a single failure opens where one is enough", "udu", { openAfter: 1 }, [[1, 2, 1]]],
  ["it ends at the first of the good slots that resolve it", "udduu", { resolveAfter: 2 }, [[1, 3, 2]]],
  ["a failure in between restarts the count of successful slots", "uddudu", { resolveAfter: 2 }, [[1, "…", 3]]],
  ["slots in a maintenance window open nothing", "ummmu", {}, []],
  ["what goes on after the window opens", "ummddu", {}, [[3, 5, 2]]],
  ["failures in a window are not counted for an open incident", "uddmmu", {}, [[1, 5, 2]]],
  ["an open incident goes on after the window", "uddmdu", {}, [[1, 5, 3]]],
  ["an open incident resolves in spite of a window", "uddmuu", { resolveAfter: 2 }, [[1, 4, 2]]],
  ["a failure in a window restarts the count of successful slots", "uddumu", { resolveAfter: 2 }, [[1, "…", 2]]],
])("part 3: %s", (_name, letters, given, expected) => {
  expect(incidentsOf(letters, given)).toEqual(expected);
});

test("part 3: a flapping monitor keeps its incident until it is steady", () => {
  const flapping = "ddu".repeat(6);
  expect(incidentsOf(flapping)).toEqual([
    [0, 2, 2],
    [3, 5, 2],
    [6, "…", 8],
  ]);
  expect(incidentsOf(`${flapping}${"u".repeat(10)}`).at(-1)).toEqual([6, 17, 8]);
});

test("part 3: for any slots, incidents do not overlap, hold a row of failures and end at a successful slot", () => {
  const letters = fc.string({ unit: fc.constantFrom("u", "g", "d", "?", "m"), maxLength: 300 });
  fc.assert(
    fc.property(
      letters,
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 1, max: 4 }),
      (text, openAfter, resolveAfter) => {
        const incidents = incidentsOf(text, { openAfter, resolveAfter });
        let after = -1;
        for (const [start, end, checks] of incidents) {
          expect(start).toBeGreaterThan(after);
          expect(text[Number(start)]).toBe("d");
          expect(checks).toBeGreaterThanOrEqual(openAfter);
          if (end === "…") expect(incidents.at(-1)?.[0]).toBe(start);
          else expect("ug").toContain(text[Number(end)]);
          after = end === "…" ? text.length : Number(end);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("part 3: without flapping, incidents are exactly the rows of failures that are long enough", () => {
  // Far enough apart that no hour sees three.
  const outage = fc.tuple(fc.integer({ min: 61, max: 200 }), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(fc.array(outage, { maxLength: 6 }), fc.integer({ min: 1, max: 4 }), (outages, openAfter) => {
      let text = "";
      const expected: number[][] = [];
      for (const [goodSlots, badSlots] of outages) {
        text += "u".repeat(goodSlots);
        if (badSlots >= openAfter) expected.push([text.length, text.length + badSlots, badSlots]);
        text += "d".repeat(badSlots);
      }
      expect(incidentsOf(`${text}u`, { openAfter })).toEqual(expected);
    }),
  );
});

test("part 2: an expiring certificate is notified once", () => {
  const day = 86_400_000;
  const slot = (dueMs: number, sslExpiryMs: number): SlotResult => ({
    dueMs,
    status: "up",
    failedRegions: [],
    inMaintenance: false,
    sslExpiryMs,
  });
  const early = advance(initialState, slot(0, 15 * day), thresholds);
  expect(early.expiringCertificateMs).toBeUndefined();
  const near = advance(early.state, slot(day, 15 * day), thresholds);
  expect(near.expiringCertificateMs).toBe(15 * day);
  const again = advance(near.state, slot(2 * day, 15 * day), thresholds);
  expect(again.expiringCertificateMs).toBeUndefined();
  expect(advance(again.state, slot(3 * day, 16 * day), thresholds).expiringCertificateMs).toBe(16 * day);
  expect(advance(early.state, slot(day, 15 * day), { ...thresholds, certificateNoticeDays: 0 })).not.toHaveProperty(
    "expiringCertificateMs",
    15 * day,
  );
});
