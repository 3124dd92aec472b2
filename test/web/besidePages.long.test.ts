/** Pages beside those of a website, and what a website without monitors says. */
import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { create, sendEvents } from "../kit/calls/websiteCalls.ts";
import { accessibilityProblems, press, seeHeading } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");

const open = (of: Pick<TestWebsite, "organizationId">, path: string, width = 1_280) => openTab({ of, path, width });

/** Where the navigation of the website leads. */
const navigation = (page: Page, part: string) =>
  page.$$eval(`${part} a`, (links) => links.map((link) => (link as HTMLAnchorElement).pathname));

test.each([
  [1_280, ".header-navigation"],
  [360, ".tab-bar"],
] as const)(
  "the organization, the account and a new website keep the navigation of the website shown last, at %i px",
  async (width, part) => {
    const website = await createWebsite();
    await create({ name: "Another" }, website);
    const page = await open(website, `/settings/${website.websiteId}`, width);
    await seeHeading(page, "Settings of Test");
    for (const [path, heading] of [
      ["/organization/people", "People"],
      ["/account", "Your account"],
      ["/new-website", "Add a website"],
    ] as const) {
      await page.goto(baseUrl + path, { waitUntil: "load" });
      await seeHeading(page, heading);
      await expect.poll(() => navigation(page, part)).toContain(`/links/${website.websiteId}`);
      expect(await page.$(`${part} [aria-current=page]`)).toBeNull();
    }
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Uptime", "link");
    await page.waitForFunction((id) => location.pathname === `/uptime/${id}`, {}, website.websiteId);
  },
);

test("who has several websites and was shown none yet finds none of them in the navigation of the organization", async () => {
  const website = await createWebsite();
  await create({ name: "Another" }, website);
  const page = await open(website, "/organization");
  await page.locator("::-p-aria([name='Website: Choose a website'][role='button'])").wait();
  expect(await page.$(".header-navigation")).toBeNull();
});

test("a website without monitors is told that a status page needs one, with the way to it", async () => {
  const website = await createWebsite();
  const page = await open(website, `/status-pages/${website.websiteId}`);
  await page.locator("[data-hint=monitor-first]").wait();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[data-hint=monitor-first] a").click();
  await seeHeading(page, "New monitor");
  const monitored = await createMonitoredWebsite();
  const other = await open(monitored, `/status-pages/${monitored.websiteId}`);
  await other.locator("::-p-text(Without a choice the page shows all monitors)").wait();
  expect(await other.$("[data-hint=monitor-first]")).toBeNull();
});

test("the marks of incidents in the chart lie above the labels of its axis", async () => {
  const website = await createMonitoredWebsite();
  const view = { name: "page_view", path: "/", anonymousId: "ada", sessionId: "ada", timestamp: Date.now() - 60_000 };
  expect((await sendEvents(website.websiteId, [view])).status).toBe(200);
  const page = await open(website, `/dashboard/${website.websiteId}`);
  await page.locator(".mark-links > li").wait();
  const [markBottom, chartBottom] = await page.evaluate(() =>
    [".mark-links > li", ".chart-area"].map(
      (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? Number.NaN,
    ),
  );
  // The labels are as high as 28 px.
  expect((chartBottom ?? 0) - (markBottom ?? 0)).toBeGreaterThanOrEqual(28);
});
