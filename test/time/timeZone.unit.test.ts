import { expect, test } from "vitest";
import { renamedTimeZones } from "../../src/time/renamedTimeZones.ts";
import { knownTimeZone, timeZoneNames } from "../../src/time/timeZone.ts";

test.each([
  ["Asia/Kolkata", "Asia/Kolkata"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["europe/kiev", "Europe/Kyiv"],
  ["Europe/Uzhgorod", "Europe/Kyiv"],
  ["America/Godthab", "America/Nuuk"],
  ["US/East-Indiana", "America/Indiana/Indianapolis"],
  ["US/Pacific", "America/Los_Angeles"],
  ["Etc/UTC", "UTC"],
  ["GMT", "UTC"],
  // Zones that the tz database merged keep the name of their country.
  ["Europe/Amsterdam", "Europe/Amsterdam"],
  ["Etc/GMT+3", "Etc/GMT+3"],
  ["+02:00", undefined],
  ["Mars/Olympus", undefined],
  ["", undefined],
  [undefined, undefined],
])("2: the current IANA name of %s is %s", (name, current) => {
  expect(knownTimeZone(name)).toBe(current);
});

test.each([...renamedTimeZones])("%s and %s are one zone, shown by the second name", (old, current) => {
  expect(knownTimeZone(old)).toBe(current);
  expect(knownTimeZone(current)).toBe(current);
});

test("every suggested name is a current one", () => {
  for (const name of timeZoneNames()) expect(knownTimeZone(name)).toBe(name);
  expect(timeZoneNames()).toEqual(expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "UTC"]));
  expect(timeZoneNames()).not.toContain("Asia/Calcutta");
});
