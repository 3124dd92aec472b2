import { expect, test } from "vitest";
import { fieldNameOf, filterNames } from "../../src/query/sql/fields.ts";
import { panels } from "../../web/app/src/pages/dashboard/panels/panels.ts";
import { repairLanguage } from "../../web/app/src/texts/browserLanguage.ts";
import { texts as de } from "../../web/app/src/texts/de.ts";
import { texts as en } from "../../web/app/src/texts/en.ts";
import { texts as fr } from "../../web/app/src/texts/fr.ts";
import { valueName } from "../../web/app/src/texts/valueName.ts";
import { lonePoints } from "../../web/app/src/ui/plot/lonePoints.ts";

test.each([
  ["en", en],
  ["de", de],
  ["fr", fr],
] as const)("every field that filters events or visits has a name in %s", (_, { fields }) => {
  const names = filterNames("events").filter((name) => fieldNameOf("events", name) === name);
  expect(names.filter((name) => name !== "properties" && !Object.hasOwn(fields, name))).toEqual([]);
});

test("a click on a row filters by the field that the row is a value of", () => {
  const row = { name: "x", path: "/x", source: "x", property_key: "plan", property_value: "x" };
  const fields = panels.flatMap(({ lists }) =>
    lists.map(({ type, filters }) => [type, filters?.(row as never)[0]?.field] as const),
  );
  expect(Object.fromEntries(fields)).toMatchObject({
    traffic_sources: "referrer_group",
    top_referrers: "referrer",
    utm_campaigns: "utm_campaign",
    top_pages: "path",
    entry_pages: "entry_page",
    exit_pages: "exit_page",
    not_found_pages: "path",
    countries: "country",
    device_types: "device_type",
    events: "event_name",
    custom_event_properties: "properties.plan",
  });
});

test("places filter by what is around them, and nothing twice", () => {
  const rows = {
    countries: { name: "US", country: "US" },
    regions: { name: "Illinois", country: "US" },
    cities: { name: "Springfield", region: "Illinois", country: "US" },
  };
  const { lists = [] } = panels.find(({ id }) => id === "places") ?? {};
  const filtersOf = (type: keyof typeof rows) =>
    lists
      .find((list) => list.type === type)
      ?.filters?.(rows[type] as never)
      .map(({ field, value }) => `${field} ${value}`);
  expect(filtersOf("countries")).toEqual(["country US"]);
  expect(filtersOf("regions")).toEqual(["region Illinois", "country US"]);
  expect(filtersOf("cities")).toEqual(["city Springfield", "region Illinois", "country US"]);
});

test("lists whose rows are values of visits show conversions by the same field, and all others do not", () => {
  const row = { name: "x", path: "/x", property_key: "plan" };
  for (const { lists } of panels)
    for (const { visitField, filters } of lists)
      if (visitField !== undefined) expect(filters?.(row as never)[0]?.field).toBe(visitField);
  const ofEvents = panels.flatMap(({ lists }) => lists.filter(({ visitField }) => visitField === undefined));
  expect(ofEvents.map(({ type }) => type)).toEqual([
    "top_pages",
    "not_found_pages",
    "events",
    "custom_event_properties",
    "outbound_links",
    "error_types",
    "errors_by_type",
    "errors_by_page",
  ]);
});

test("values are shown by their names", () => {
  expect([
    valueName("referrer_group", "direct", en),
    valueName("referrer", "Direct", en),
    valueName("referrer_group", "constructor", en),
    valueName("device_type", "mobile", en),
    valueName("entry_page", "Unknown", en),
    valueName("utm_source", "Direct", en),
    valueName("country", "Unknown", de),
    valueName("referrer_group", "paid", de),
  ]).toEqual(["Direct", "Direct", "constructor", "Phone", "Unknown", "Direct", "Unbekannt", "Bezahlt"]);
});

test("values between two gaps of a line are drawn as points", () => {
  expect(lonePoints([1, null, 2, 3, null, 4, undefined])).toEqual([0, 5]);
  expect(lonePoints([1, 2, 3])).toEqual([]);
  expect(lonePoints([])).toEqual([]);
});

test.each([
  ["en-US@posix", "en"],
  ["de-AT", "de-AT"],
  ["", "en"],
])("a browser that says %j has the language %s", (said, language) => {
  const browser = { language: said };
  repairLanguage(browser);
  expect(browser.language).toBe(language);
});
