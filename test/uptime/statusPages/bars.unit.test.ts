import { expect, test } from "vitest";
import { partsOf } from "../../../src/uptime/statusPages/render/bars.ts";

const day = { date: "2026-11-23", status: "up", uptimePercent: 100, coveragePercent: 100 };

test.each([
  ["all good", day, [["up", 28]]],
  ["not checked", { ...day, status: "unknown", uptimePercent: 0, coveragePercent: 0 }, [["unknown", 28]]],
  ["slow", { ...day, status: "degraded" }, [["degraded", 28]]],
  [
    "45 minutes down",
    { ...day, status: "degraded", uptimePercent: 96.875 },
    [
      ["down", 6],
      ["up", 22],
    ],
  ],
  [
    "half down",
    { ...day, status: "degraded", uptimePercent: 50 },
    [
      ["down", 14],
      ["up", 14],
    ],
  ],
  [
    "nearly all down",
    { ...day, status: "down", uptimePercent: 1 },
    [
      ["down", 22],
      ["up", 6],
    ],
  ],
  ["all down", { ...day, status: "down", uptimePercent: 0 }, [["down", 28]]],
  [
    "half checked, half of it down",
    { ...day, status: "degraded", uptimePercent: 50, coveragePercent: 50 },
    [
      ["down", 7],
      ["up", 7],
      ["unknown", 14],
    ],
  ],
  [
    "hardly checked",
    { ...day, coveragePercent: 1 },
    [
      ["up", 6],
      ["unknown", 22],
    ],
  ],
])("A9: the bar of a day that was %s", (_, shown, parts) => {
  expect(partsOf(shown).map(({ fill, px }) => [fill, px])).toEqual(parts);
});
