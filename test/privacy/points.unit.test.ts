import { describe, expect, test } from "vitest";
import { readConfig } from "../../src/config.ts";
import { describeReport } from "../../src/privacy/describeReport.ts";
import type { PrivacyFacts } from "../../src/privacy/facts.ts";
import { storesOf } from "../../src/privacy/readDestinations.ts";
import { reportPage } from "../../src/privacy/reportPage.ts";
import { shownFacts } from "../../src/privacy/shownFacts.ts";
import { de } from "../../src/privacy/texts/de.ts";
import { en } from "../../src/privacy/texts/en.ts";
import { fr } from "../../src/privacy/texts/fr.ts";
import { retentionKinds } from "../../src/retention/kinds.ts";

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 5, 30, 12);
const website = { id: "w", domain: "shop.example" };

const good: PrivacyFacts = {
  nowMs,
  settings: {
    retention: { rawEventsDays: 90, aggregatedDays: 730, performanceDays: 90, customEventsDays: 90 },
    publicAccess: false,
    queryParameters: [],
    honorsDoNotTrack: true,
    hasProxies: false,
    privacy: { place: "city", ids: "sent", audienceOnly: false, smallestGroup: 10 },
  },
  tables: retentionKinds.map(({ name, table, period }) => ({
    kind: name,
    table,
    period,
    rows: 5,
    oldestMs: nowMs - 10 * dayMs,
  })),
  ids: { ids: 40, sent: 0, longestMs: 3_600_000 },
  spread: { shared: 0, mostWebsites: 1, isWhole: true },
  groups: [{ field: "path", visitors: 12 }],
  contents: {
    rows: 80,
    withCountry: 80,
    withRegion: 70,
    withCity: 60,
    withClick: 0,
    withEmail: { anonymous_id: 0, path: 0, title: 0, properties: 0 },
  },
  objections: 3,
  oldSalts: 0,
  links: 0,
  destinations: [{ kind: "exports", host: null }],
};

const pointsOf = (facts: PrivacyFacts) =>
  Object.fromEntries(
    describeReport(facts, website, en).points.map(({ id, state, brokenBy }) => [
      id,
      state === "broken" ? `broken by ${brokenBy.join(", ")}` : state,
    ]),
  );

const goodPoints = {
  purpose: "unknown",
  publisher_alone: "fulfilled",
  statistics_only: "broken by privacy.audienceOnly",
  small_groups: "fulfilled",
  device_storage: "fulfilled",
  tracker_life: "fulfilled",
  one_website: "fulfilled",
  data_age: "fulfilled",
  retention: "fulfilled",
  addresses: "fulfilled",
  daily_salt: "fulfilled",
  location: "fulfilled",
  direct_identifiers: "fulfilled",
  no_crossing: "fulfilled",
  objection_signals: "fulfilled",
  objection: "unknown",
  information: "unknown",
  recipients: "fulfilled",
};

test("the points of a website with good settings", () => {
  expect(pointsOf(good)).toEqual(goodPoints);
});

const settings = (changed: Partial<PrivacyFacts["settings"]>) => ({ settings: { ...good.settings, ...changed } });
const days = (changed: Partial<PrivacyFacts["settings"]["retention"]>) =>
  settings({ retention: { ...good.settings.retention, ...changed } });
const old = (kind: string, ageDays: number) => ({
  tables: good.tables.map((table) => (table.kind === kind ? { ...table, oldestMs: nowMs - ageDays * dayMs } : table)),
});
const contents = (changed: Partial<NonNullable<PrivacyFacts["contents"]>>) => ({
  contents: good.contents && { ...good.contents, ...changed },
});

const audience = (smallestGroup: number) =>
  ({ place: "country", ids: "day", audienceOnly: true, smallestGroup }) as const;

const changes: readonly (readonly [string, Partial<PrivacyFacts>, Record<string, string>])[] = [
  ["public access", settings({ publicAccess: true }), { publisher_alone: "broken by publicAccess" }],
  ["a group of nine", { groups: [{ field: "city", visitors: 9 }] }, { small_groups: "broken by privacy.audienceOnly" }],
  [
    "an audience only, with links that lead here",
    { links: 1, ...settings({ privacy: audience(10) }) },
    { statistics_only: "fulfilled" },
  ],
  [
    "groups of nine that may be shown",
    settings({ privacy: audience(9) }),
    { statistics_only: "fulfilled", small_groups: "broken by privacy.smallestGroup" },
  ],
  [
    "ids of the page",
    { ids: { ids: 40, sent: 1, longestMs: 3_600_000 } },
    { device_storage: "broken by data-visitor" },
  ],
  [
    "an id older than 13 months",
    { ids: { ids: 40, sent: 1, longestMs: 396 * dayMs }, ...days({ rawEventsDays: 730 }) },
    { device_storage: "broken by data-visitor", tracker_life: "broken by anonymousId" },
  ],
  [
    "an id as old as the rows",
    { ids: { ids: 40, sent: 1, longestMs: 90 * dayMs } },
    { device_storage: "broken by data-visitor", tracker_life: "unknown" },
  ],
  [
    "sent ids that end with the day",
    {
      ids: { ids: 40, sent: 1, longestMs: 3_600_000 },
      ...settings({ privacy: { place: "city", ids: "day", audienceOnly: false, smallestGroup: 10 } }),
    },
    { device_storage: "broken by data-visitor", tracker_life: "unknown" },
  ],
  [
    "an id of two websites",
    { spread: { shared: 1, mostWebsites: 2, isWhole: true } },
    { one_website: "broken by anonymousId" },
  ],
  ["a key of one website", { spread: { shared: 0, mostWebsites: 1, isWhole: false } }, { one_website: "unknown" }],
  ["raw events of 761 days", days({ rawEventsDays: 761 }), { data_age: "broken by retention.rawEventsDays" }],
  ["aggregates of 3650 days", days({ aggregatedDays: 3_650 }), { data_age: "broken by retention.aggregatedDays" }],
  ["performance of 800 days", days({ performanceDays: 800 }), { data_age: "broken by retention.performanceDays" }],
  ["custom events of 800 days", days({ customEventsDays: 800 }), { data_age: "broken by retention.customEventsDays" }],
  ["760 days", days({ aggregatedDays: 760 }), {}],
  ["sessions of 100 days", old("sessions", 100), { retention: "broken by retention.rawEventsDays" }],
  ["vitals of 92 days", old("performance", 92), { retention: "broken by retention.performanceDays" }],
  [
    "checks of three years",
    old("uptime", 1_100),
    { data_age: "broken by retention.aggregatedDays", retention: "broken by retention.aggregatedDays" },
  ],
  ["proxies", settings({ hasProxies: true }), { addresses: "unknown" }],
  ["a salt of yesterday", { oldSalts: 1 }, { daily_salt: "broken by " }],
  ["parameters", settings({ queryParameters: ["id"] }), { direct_identifiers: "unknown" }],
  [
    "an e-mail address in a path",
    contents({ withEmail: { anonymous_id: 0, path: 1, title: 0, properties: 2 } }),
    { direct_identifiers: "broken by path, properties" },
  ],
  ["a view after a click", contents({ withClick: 1 }), { no_crossing: "broken by privacy.audienceOnly" }],
  ["a short link", { links: 1 }, { no_crossing: "broken by privacy.audienceOnly" }],
  [
    "a view after a click that was stored before the audience alone is measured",
    { ...settings({ privacy: audience(10) }), ...contents({ withClick: 1 }), links: 1 },
    { no_crossing: "fulfilled", statistics_only: "fulfilled" },
  ],
  [
    "Do Not Track is ignored",
    settings({ honorsDoNotTrack: false }),
    { objection_signals: "broken by HONOR_DO_NOT_TRACK" },
  ],
  ["a webhook", { destinations: [{ kind: "webhook", host: "hooks.example" }] }, { recipients: "unknown" }],
  [
    "no events and no ids",
    {
      tables: good.tables.map((table) => ({ ...table, rows: 0, oldestMs: undefined })),
      ids: { ids: 0, sent: 0, longestMs: 0 },
      groups: [],
      ...contents({ rows: 0 }),
    },
    {
      statistics_only: "fulfilled",
      small_groups: "unknown",
      device_storage: "unknown",
      tracker_life: "unknown",
      location: "unknown",
      direct_identifiers: "unknown",
    },
  ],
  [
    "nothing can be counted",
    {
      tables: good.tables.map(({ kind, table, period }) => ({
        kind,
        table,
        period,
        rows: undefined,
        oldestMs: undefined,
      })),
      ids: undefined,
      spread: undefined,
      groups: undefined,
      contents: undefined,
      objections: undefined,
      oldSalts: undefined,
      links: undefined,
      destinations: undefined,
    },
    Object.fromEntries(
      Object.keys(goodPoints)
        .filter((id) => id !== "publisher_alone" && id !== "addresses")
        .map((id) => [id, "unknown"]),
    ),
  ],
];

describe("what a report of an audience states", () => {
  const measured: PrivacyFacts = {
    ...good,
    ...settings({ privacy: audience(10) }),
    ...contents({ withClick: 3, withEmail: { anonymous_id: 0, path: 1, title: 0, properties: 0 } }),
    ids: { ids: 41, sent: 1, longestMs: 3_600_000 },
    objections: 101,
  };

  test("counts of rows are rounded up, what is 0 stays 0, and times are days", () => {
    const shown = shownFacts(measured);
    expect(shown.ids).toEqual({ ids: 100, sent: 100, longestMs: dayMs });
    expect(shown.contents).toMatchObject({
      rows: 100,
      withCity: 100,
      withClick: 100,
      withEmail: { path: 100, title: 0 },
    });
    expect([shown.objections, shown.spread?.shared]).toEqual([200, 0]);
    for (const { kind, rows, oldestMs } of shown.tables) {
      const isOfVisitors = kind !== "link_clicks" && kind !== "uptime";
      expect([kind, rows, (oldestMs ?? 1) % dayMs]).toEqual([kind, isOfVisitors ? 100 : 5, 0]);
    }
    const { disclaimer } = describeReport(shown, website, en);
    expect(disclaimer).toContain("rounded up to multiples of 100");
  });

  test("no verdict differs from that of the exact counts", () => {
    expect(pointsOf(shownFacts(measured))).toEqual(pointsOf(measured));
    for (const [, change] of changes) {
      const one = { ...good, ...change };
      const only = { ...one, settings: { ...one.settings, privacy: audience(10) } };
      expect(pointsOf(shownFacts(only))).toEqual(pointsOf(only));
    }
  });

  test("other reports state what was counted", () => {
    expect(shownFacts(good)).toEqual(good);
    expect(describeReport(good, website, en).disclaimer).not.toContain("rounded");
  });
});

describe("a change turns its points and no other", () => {
  for (const [name, change, turned] of changes)
    test(name, () => {
      expect(pointsOf({ ...good, ...change })).toEqual({ ...goodPoints, ...turned });
    });
});

describe("texts", () => {
  for (const texts of [en, de, fr])
    test(`${texts.language}: every point is worded whatever is found, and the page shows it`, () => {
      for (const [, change] of changes) {
        const report = describeReport({ ...good, ...change }, website, texts);
        for (const point of report.points)
          for (const text of [point.title, point.requirement, point.finding]) {
            expect(text).not.toMatch(/undefined|NaN|\[object/);
            expect(text.length).toBeGreaterThan(5);
          }
        const page = reportPage(report, "Shop <&>", texts);
        expect(page).toContain(`<html lang="${texts.language}">`);
        expect(page).toContain("Shop &#60;&#38;&#62;");
        expect(page).toContain(texts.page.policy);
      }
    });

  test("one id is not all of several", () => {
    for (const texts of [en, de, fr]) {
      const ids = { ids: { ids: 1, sent: 0, longestMs: 3_600_000 } };
      const { points } = describeReport({ ...good, ...ids }, website, texts);
      expect(points.find(({ id }) => id === "device_storage")?.finding).not.toContain("1");
    }
  });

  test("the paragraph says what holds", () => {
    const policy = (facts: PrivacyFacts) => describeReport(facts, website, en).policyText;
    expect(policy(good)).toContain("nothing is stored on your device");
    expect(policy(good)).toContain("country, region, and city");
    expect(policy(good)).toContain("erased after 90 days, daily totals after 730 days");
    expect(policy(good)).not.toContain("proxy");
    const other = policy({
      ...good,
      ...settings({ hasProxies: true, honorsDoNotTrack: false }),
      ...contents({ withRegion: 0, withCity: 0 }),
      ids: { ids: 4, sent: 4, longestMs: 20 * dayMs },
      destinations: [
        { kind: "webhook", host: "hooks.example" },
        { kind: "backups", host: "s3.example" },
      ],
    });
    expect(other).toContain("at most 20 days");
    expect(other).toContain("proxy");
    expect(other).toContain("(country)");
    expect(other).toContain("kept at s3.example");
    expect(other).not.toContain("hooks.example");
    expect(other).not.toContain("Do Not Track");
    // Not one row has a place yet, but others may.
    const noPlace = contents({ withCountry: 0, withRegion: 0, withCity: 0 });
    expect(policy({ ...good, ...noPlace })).toContain("(country, region, and city)");
    const coarse = settings({ privacy: { ...good.settings.privacy, place: "region" } });
    expect(policy({ ...good, ...coarse, ...noPlace })).toContain("(country and region)");
    expect(policy({ ...good, ids: undefined })).not.toContain("stored on your device");
  });
});

describe("where exports and backups go", () => {
  const stores = (env: Record<string, string>) => storesOf(readConfig(env));
  test("the installation itself", () => {
    expect(stores({})).toEqual([{ kind: "exports", host: null }]);
    expect(stores({ BACKUP_TO: "/mnt/backups" })).toContainEqual({ kind: "backups", host: null });
  });
  test("a bucket", () => {
    expect(stores({ EXPORT_S3_BUCKET: "b", S3_ENDPOINT: "https://s3.eu.example:9000" })).toEqual([
      { kind: "exports", host: "s3.eu.example" },
    ]);
    expect(stores({ BACKUP_TO: "s3://b/folder" })).toContainEqual({ kind: "backups", host: "s3.amazonaws.com" });
  });
});
