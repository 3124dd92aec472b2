import type { Page } from "puppeteer-core";
import { beforeAll, expect } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import {
  type AppPageOptions,
  accessibilityProblems,
  press,
  scrollsSideways,
  seeHeading,
  shownFigure,
  shownRows,
} from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
});

async function happen(visitor: string, name: string, path: string, country: string): Promise<void> {
  const body = [{ name, path, country, anonymousId: visitor, sessionId: visitor, referrer: "https://news.example/" }];
  const { status } = await send("POST", `/batch?website_id=${website.websiteId}`, { apiKey: website.apiKey, body });
  expect(status).toBe(200);
}

/** The rows that the API answers for a type. */
async function rows(type: string): Promise<Record<string, unknown>[]> {
  const { websiteId, apiKey } = website;
  const body = { preset: "today", parameters: [type] };
  const answer = (await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body })).body as {
    data: { data: Record<string, unknown>[] }[];
  };
  return answer.data[0]?.data ?? [];
}

async function openRealtime(options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/realtime/${website.websiteId}` });
  await page.locator('[data-figure="now"]').wait();
  return page;
}

/** What the list of events shows: name, page and country, newest first. */
async function shownEvents(page: Page): Promise<string[][]> {
  return await page.$$eval(".feed-table tbody tr", (found) =>
    found.map((row) =>
      [".feed-name", ".feed-page", ".feed-country"].map((part) => row.querySelector(part)?.textContent.trim() ?? ""),
    ),
  );
}

/** The sum of all bars. */
async function barsSum(page: Page): Promise<number> {
  return await page.$$eval(".minute", (bars) =>
    bars.reduce((sum, bar) => sum + Number((bar as HTMLElement).dataset["count"]), 0),
  );
}

test("9 what happens appears in the figures, the bars, the lists and the events, as the API answers, and stops while it is paused", async () => {
  await happen("ada", "page_view", "/pricing", "DE");
  await expect.poll(async () => (await rows("realtime_recent_stats"))[0]?.["visitors"], { timeout: 100_000 }).toBe(1);
  const page = await openRealtime();
  await expect.poll(() => shownEvents(page)).toEqual([["Page view", "/pricing", "Germany"]]);
  expect(await page.$$eval(".minute", (bars) => bars.length)).toBe(30);
  expect(await page.$$eval('.minute[data-running="true"]', (bars) => bars.length)).toBe(1);
  // Without a reload.
  await happen("bob", "signed_up", "/pricing", "FR");
  await expect
    .poll(() => shownEvents(page), { timeout: 60_000 })
    .toEqual([
      ["signed_up", "/pricing", "France"],
      ["Page view", "/pricing", "Germany"],
    ]);
  const [active] = await rows("active_stats");
  const minutes = await rows("realtime_velocity");
  const sumOf = (field: string) => minutes.reduce((sum, row) => sum + Number(row[field]), 0);
  const figures = async () => ({
    now: await shownFigure(page, "now"),
    visitors: await shownFigure(page, "visitors"),
    pageviews: await shownFigure(page, "pageviews"),
    events: await shownFigure(page, "events"),
    bars: await barsSum(page),
  });
  expect(await figures()).toEqual({
    now: active?.["active_users"],
    visitors: (await rows("realtime_recent_stats"))[0]?.["visitors"],
    pageviews: sumOf("pageviews"),
    events: sumOf("events") - sumOf("pageviews"),
    bars: sumOf("events"),
  });
  expect(await figures()).toEqual({ now: 2, visitors: 2, pageviews: 1, events: 1, bars: 2 });
  expect(await shownRows(page, "pages")).toEqual([["/pricing", "1", "1"]]);
  expect(await shownRows(page, "places")).toEqual([
    ["Germany", "1"],
    ["France", "1"],
  ]);
  expect(await shownRows(page, "sources")).toEqual([["news.example", "2"]]);
  expect(await shownRows(page, "devices")).toEqual([["Unknown", "2"]]);
  // No id of a visitor or session is on the page.
  expect(await page.content()).not.toMatch(/\bada\b|\bbob\b/);
  // The bars as a table.
  await press(page, "As a table");
  const table = await shownRows(page, "minutes");
  expect(table.reduce((sum, [, views, events]) => sum + Number(views) + Number(events), 0)).toBe(2);
  // A paused page stays as it is, and catches up afterwards.
  await press(page, "Pause");
  await happen("eve", "page_view", "/late", "FR");
  await expect.poll(async () => (await rows("active_stats"))[0]?.["active_users"], { timeout: 100_000 }).toBe(3);
  expect([await shownFigure(page, "now"), (await shownEvents(page)).length]).toEqual([2, 2]);
  expect(await page.$eval(".live [role=status]", ({ textContent }) => textContent)).toMatch(/^Paused/);
  await press(page, "Continue");
  await expect.poll(() => shownFigure(page, "now")).toBe(3);
  await expect.poll(async () => (await shownEvents(page))[0]).toEqual(["Page view", "/late", "France"]);
  // A page leads to the overview of today with this page as its filter.
  await press(page, "/late", "link");
  await seeHeading(page, "Test");
});

test.each([1_280, 360])("9 the page breaks no rule of WCAG 2.2 AA and is not wider than %i px", async (width) => {
  await happen("ada", "signed_up", "/a/very/long/path/of/a/page/that/does/not/fit/into/a/narrow/window", "DE");
  await expect.poll(() => rows("realtime_recent_events"), { timeout: 100_000 }).not.toEqual([]);
  const page = await openRealtime({ width, language: width === 360 ? "de" : "en" });
  await page.locator(".feed-table").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.$eval(".minute-chart button", (button) => (button as HTMLButtonElement).click());
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});
