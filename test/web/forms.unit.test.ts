import { afterEach, expect, test } from "vitest";
import { incidentChoices } from "../../web/app/src/pages/statusPages/incidentChoices.ts";
import { phaseText } from "../../web/app/src/pages/uptime/monitor/phaseText.ts";
import { formatDay } from "../../web/app/src/texts/format.ts";
import { formatBytes, formatSpan } from "../../web/app/src/texts/formatTime.ts";
import { regionalForm } from "../../web/app/src/texts/regionalForm.ts";
import { texts as en } from "../../web/app/src/texts/settings/en.ts";
import { region } from "../../web/app/src/texts/texts.ts";
import { unlike } from "../../web/app/src/ui/plot/axisTexts.ts";
import { bucketLabels } from "../../web/app/src/ui/plot/xAxis.ts";

afterEach(() => {
  region.value = "en";
});

test("a report can explain an incident: ongoing ones first, then the newest, and none by default", () => {
  const incident = (id: string, day: number, status: "ongoing" | "resolved") => ({
    id,
    monitorName: "API",
    startedAt: `2026-03-0${day}T08:00:00Z`,
    status,
  });
  const { noIncident, incidentName } = en.statusPages;
  const all = [incident("b", 2, "resolved"), incident("a", 1, "ongoing"), incident("c", 3, "resolved")];
  const choices = Object.entries(incidentChoices(all, { noIncident, incident: incidentName }));
  expect(choices.map(([id]) => id)).toEqual(["", "a", "c", "b"]);
  expect(choices.slice(0, 2).map(([, text]) => text)).toEqual(["None", "API, since Mar 1, 2026, 08:00 UTC"]);
});

test("days are written as the browser's region writes them, in the language on screen", () => {
  expect(regionalForm("en", ["de-DE", "en-GB", "en-US"])).toBe("en-GB");
  expect(regionalForm("de", ["en-GB"])).toBe("de");
  expect(regionalForm("en", ["en-US@posix", "en"])).toBe("en");
  region.value = "en-GB";
  expect(formatDay("2026-11-25")).toBe("25 Nov 2026");
});

test("the axis of hours and days says nothing twice, and names years where they change", () => {
  expect(unlike(["23:54", "23:54", "23:55", "23:55"])).toEqual(["23:54", "", "23:55", ""]);
  const days = ["2025-11-26", "2025-12-31", "2026-01-01", "2026-11-16"];
  expect(bucketLabels(days, [0, 1, 2, 2.5, 3])).toEqual(["Nov 26, 2025", "Dec 31", "Jan 1, 2026", "", "Nov 16"]);
  expect(bucketLabels(days.slice(2), [0, 1])).toEqual(["Jan 1", "Nov 16"]);
});

test("a failed check has no time of phases that it did not get to, and bytes are B", () => {
  expect([phaseText(0, "down"), phaseText(12, "down"), phaseText(0, "up")]).toEqual(["–", "12 ms", "0 ms"]);
  expect([formatBytes(15), formatBytes(1_500), formatBytes(2_000_000)]).toEqual(["15 B", "1.5 kB", "2 MB"]);
  region.value = "fr";
  expect([formatBytes(15), formatBytes(1_500)].map((text) => text.replaceAll(/\s/g, " "))).toEqual(["15 o", "1,5 ko"]);
  expect(formatSpan(76 * 3_600_000)).toBe("3 j 4 h");
});
