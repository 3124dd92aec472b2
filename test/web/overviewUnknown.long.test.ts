/** What the overview shows of times of which nothing is known: gaps and reasons, no zeros and no changes. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, scrollsSideways, shownFigure, shownRows } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { openLines, shownFacts, shownGoals } from "../kit/web/overviewLines.ts";

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
  const { websiteId, apiKey } = website;
  const event = (name: string, more: object) => ({ name, path: "/", anonymousId: "ada", sessionId: "ada", ...more });
  const body = [
    event("page_view", { timestamp: noonDaysAgo(1), country: "DE" }),
    event("signup", { timestamp: noonDaysAgo(1) + 20_000 }),
  ];
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body });
  expect(answer).toMatchObject({ status: 200, body: { results: body.map(() => ({ status: "success" })) } });
  const goals = {
    goals: [{ kind: "event", value: "signup" }],
    funnel: [
      { kind: "page", value: "/" },
      { kind: "event", value: "signup" },
    ],
  };
  const changed = await send("POST", "/websites/update", { apiKey, body: { id: websiteId, goals } });
  expect(changed.status).toBe(200);
});

const openOverview = (query: string, width = 1_280) =>
  openTab({ width, of: website, path: `/dashboard/${website.websiteId}?${query}` });

const texts = (page: Page, selector: string) =>
  page.evaluate((chosen) => [...document.querySelectorAll(chosen)].map(({ textContent }) => textContent), selector);

async function rowsIn(page: Page, panel: string): Promise<string[][]> {
  await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView({ block: "center" }));
  return await shownRows(page, panel);
}

const dayOf = (daysAgo: number) => new Date(noonDaysAgo(daysAgo)).toISOString().slice(0, 10);
const written = (daysAgo: number) =>
  new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" }).format(noonDaysAgo(daysAgo));
const writtenRange = (first: number, last: number) =>
  new Intl.DateTimeFormat("en", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).formatRange(
    noonDaysAgo(first),
    noonDaysAgo(last),
  );

test("a website that began yesterday: its days before are gaps, nothing is compared, and the note says since when figures are kept", async () => {
  const page = await openOverview("range=last_7d");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  const since = `Figures are kept since ${written(1)}.`;
  const reason = `${writtenRange(13, 2)}, before the first event`;
  await expect
    .poll(() => texts(page, "[data-unknown]"))
    .toEqual([`Not compared, because there is no data: ${reason}. ${since}`]);
  await page.$eval(".chart .menu-dots", (button) => (button as HTMLButtonElement).click());
  await page.waitForSelector(".chart .panel-tools .menu-item");
  await page.$eval(".chart .panel-tools .menu-item", (item) => (item as HTMLButtonElement).click());
  await expect
    .poll(() => texts(page, ".chart-table tbody td:nth-of-type(1)"))
    .toEqual([...Array.from({ length: 5 }, () => "–no value"), "1", "0"]);
  await expect.poll(() => rowsIn(page, "places")).toEqual([["Germany", "100%", "1"]]);
  await expect.poll(() => shownGoals(page)).toEqual([["signup", "1 of 1", "100%", ""]]);
  expect(await page.$$(".change")).toEqual([]);
});

test.each([1_280, 360])("a range of which nothing is known says so everywhere, at %i px", async (width) => {
  const page = await openOverview(`from=${dayOf(9)}&to=${dayOf(3)}&compare=none`, width);
  await expect.poll(() => texts(page, ".figure-value")).toEqual(Array.from({ length: 6 }, () => "Unknown"));
  const reason = `${writtenRange(9, 3)}, before the first event`;
  await expect
    .poll(() => texts(page, "[data-unknown]"))
    .toEqual([`No data: ${reason}. Figures are kept since ${written(1)}.`]);
  // Lines ask when they come near the window.
  await page.locator("[data-line=funnel]").wait();
  await page.$eval("[data-line=funnel]", (line) => line.scrollIntoView());
  for (const line of ["vitals", "events", "errors", "funnel"])
    await expect.poll(() => shownFacts(page, line)).toEqual(["No data in this time"]);
  await openLines(page);
  for (const panel of ["sources", "pages", "places", "devices", "events", "errors", "vitals"])
    await expect.poll(() => textOf(page, panel)).toBe("No data in this time");
  await expect.poll(() => shownGoals(page)).toEqual([["signup", "No data in this time", "–no value", ""]]);
  await expect
    .poll(() => rowsIn(page, "funnel"))
    .toEqual([
      ["1. /", "–no value", "–no value"],
      ["2. signup", "–no value", "–no value"],
    ]);
  await page.locator(".chart .menu-dots").click();
  await page.locator(".chart .panel-tools .menu-item").click();
  await expect.poll(() => texts(page, ".chart-table tbody td")).toEqual(Array.from({ length: 7 }, () => "–no value"));
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});

/** What a panel says instead of rows. */
async function textOf(page: Page, panel: string): Promise<string | null> {
  await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView({ block: "center" }));
  return (await texts(page, `[data-panel=${panel}] .panel-empty`))[0] ?? null;
}

test("of the year before nothing is known either, and the note names the first day for both", async () => {
  const page = await openOverview("range=yesterday&compare=year");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await expect
    .poll(async () => (await texts(page, "[data-unknown]"))[0])
    .toMatch(new RegExp(`^Not compared, because there is no data: .*, before the first event\\. .* ${written(1)}\\.$`));
  expect(await page.$$(".change")).toEqual([]);
});
