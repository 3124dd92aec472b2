import { describe, expect, it } from "vitest";
import { nextDay, resolveDays } from "../../workflows/aggregation/aggregationDays.ts";

const midnight = Date.parse("2026-11-21T00:00:00Z");

describe("Days of a run of the daily aggregation (8)", () => {
  it("are yesterday and the day before without input, however late the run starts that day", () => {
    const days = { from: "2026-11-19", to: "2026-11-20" };
    expect(resolveDays({}, midnight)).toEqual(days);
    expect(resolveDays({}, midnight + 86_399_999)).toEqual(days);
  });

  it("are the day or the range in the operator's input", () => {
    expect(resolveDays({ day: "2024-02-29" }, midnight)).toEqual({ from: "2024-02-29", to: "2024-02-29" });
    expect(resolveDays({ from: "2026-10-30", to: "2026-11-20" }, midnight)).toEqual({
      from: "2026-10-30",
      to: "2026-11-20",
    });
  });

  it.each([
    [{ day: "2026-02-30" }, '"2026-02-30" is not a day. Write it as YYYY-MM-DD, for example 2026-11-20.'],
    [{ day: "20 November" }, '"20 November" is not a day. Write it as YYYY-MM-DD, for example 2026-11-20.'],
    [{ day: "2026-11-21" }, "2026-11-21 has not ended yet. The last day that can be aggregated is 2026-11-20."],
    [{ from: "2026-11-20", to: "2026-11-19" }, '"from" (2026-11-20) is after "to" (2026-11-19). Swap them.'],
    [{ from: "2026-11-20" }, '"from" and "to" go together: give both, or "day" for one day.'],
    [{ day: "2026-11-20", to: "2026-11-20" }, 'Give either "day" or "from" and "to", not both.'],
  ])("are refused with advice: %j", (requested, problem) => {
    expect(resolveDays(requested, midnight)).toEqual({ problem });
  });

  it("follow each other over months and leap days", () => {
    expect(nextDay("2026-12-31")).toBe("2027-01-01");
    expect(nextDay("2024-02-28")).toBe("2024-02-29");
  });
});
