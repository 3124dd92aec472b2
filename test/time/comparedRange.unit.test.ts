import { IANAZone } from "luxon";
import { describe, expect, test } from "vitest";
import { type ComparedPeriod, comparedRange } from "../../src/time/comparedRange.ts";
import { parseDate, presetRange } from "../../src/time/dates.ts";

const berlin = IANAZone.create("Europe/Berlin");

function instant(text: string, edge: "start" | "end" = "start"): number {
  const instantMs = parseDate(text, edge, berlin);
  if (instantMs === undefined) throw new Error(`${text} is no date`);
  return instantMs;
}

/** A range as the time of its zone, "2026-03-01 00:00 to 2026-04-01 00:00". */
function local({ startMs, endMs }: { startMs: number; endMs: number }): string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Europe/Berlin",
    dateStyle: "short",
    timeStyle: "short",
  });
  return `${format.format(startMs)} to ${format.format(endMs)}`;
}

describe("4.1 compare: the range of days to compare with, in the time zone of the query", () => {
  // The Wednesday after the clocks went forward on Sunday, 29 March 2026.
  const nowMs = instant("2026-04-01T15:30");
  const cases: [preset: string, period: ComparedPeriod, whole: string, soFar: string][] = [
    ["today", "previous", "2026-03-31 00:00 to 2026-04-01 00:00", "2026-03-31 15:30"],
    ["today", "weekdays", "2026-03-25 00:00 to 2026-03-26 00:00", "2026-03-25 15:30"],
    ["today", "year", "2025-04-01 00:00 to 2025-04-02 00:00", "2025-04-01 15:30"],
    ["yesterday", "previous", "2026-03-30 00:00 to 2026-03-31 00:00", "2026-03-31 00:00"],
    ["last_7d", "previous", "2026-03-19 00:00 to 2026-03-26 00:00", "2026-03-25 15:30"],
    ["last_7d", "weekdays", "2026-03-19 00:00 to 2026-03-26 00:00", "2026-03-25 15:30"],
    ["last_30d", "previous", "2026-02-01 00:00 to 2026-03-03 00:00", "2026-03-02 15:30"],
    ["last_30d", "weekdays", "2026-01-27 00:00 to 2026-02-26 00:00", "2026-02-25 15:30"],
    ["this_week", "previous", "2026-03-23 00:00 to 2026-03-26 00:00", "2026-03-25 15:30"],
    ["last_week", "previous", "2026-03-16 00:00 to 2026-03-23 00:00", "2026-03-23 00:00"],
    ["this_month", "previous", "2026-03-01 00:00 to 2026-03-02 00:00", "2026-03-01 15:30"],
    ["last_month", "previous", "2026-02-01 00:00 to 2026-03-01 00:00", "2026-03-01 00:00"],
    ["last_month", "year", "2025-03-01 00:00 to 2025-04-01 00:00", "2025-04-01 00:00"],
    ["this_year", "previous", "2025-01-01 00:00 to 2025-04-02 00:00", "2025-04-01 15:30"],
  ];
  test.each(cases)("%s, %s", (preset, period, whole, soFarUntil) => {
    const range = presetRange(preset, nowMs, berlin);
    if (range === undefined) throw new Error("there is no such preset");
    const compared = comparedRange(range, period, { zone: berlin, nowMs, preset });
    expect(local(compared.whole)).toBe(whole);
    expect(local(compared.soFar)).toBe(`${whole.split(" to ")[0]} to ${soFarUntil}`);
  });

  test("a month is compared with a whole month, a longer one too", () => {
    const range = { startMs: instant("2026-02-01"), endMs: instant("2026-02-28", "end") };
    const asPreset = comparedRange(range, "previous", { zone: berlin, nowMs, preset: "lastMonth" });
    expect(local(asPreset.whole)).toBe("2026-01-01 00:00 to 2026-02-01 00:00");
    const asDays = comparedRange(range, "previous", { zone: berlin, nowMs });
    expect(local(asDays.whole)).toBe("2026-01-04 00:00 to 2026-02-01 00:00");
  });

  test("29 February is compared with the 28th, 31 March with the end of February", () => {
    const leapDay = { startMs: instant("2028-02-29"), endMs: instant("2028-02-29", "end") };
    expect(local(comparedRange(leapDay, "year", { zone: berlin, nowMs }).whole)).toBe(
      "2027-02-28 00:00 to 2027-03-01 00:00",
    );
    const lateMs = instant("2026-03-31T12:00");
    const month = presetRange("this_month", lateMs, berlin) ?? leapDay;
    const compared = comparedRange(month, "previous", { zone: berlin, nowMs: lateMs, preset: "this_month" });
    expect(local(compared.whole)).toBe("2026-02-01 00:00 to 2026-03-01 00:00");
    expect(local(compared.soFar)).toBe("2026-02-01 00:00 to 2026-02-28 12:00");
  });

  test("a range with times of day is compared with the same length of time, or the same times of another day", () => {
    const range = { startMs: instant("2026-03-28T12:00"), endMs: instant("2026-03-29T12:00") };
    const compare = (period: ComparedPeriod) => comparedRange(range, period, { zone: berlin, nowMs });
    // The clocks go forward within the range, which has 23 hours.
    expect(local(compare("previous").whole)).toBe("2026-03-27 13:00 to 2026-03-28 12:00");
    expect(local(compare("weekdays").whole)).toBe("2026-03-21 12:00 to 2026-03-22 12:00");
    expect(local(compare("year").whole)).toBe("2025-03-28 12:00 to 2025-03-29 12:00");
  });
});
