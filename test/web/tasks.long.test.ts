/** What people do in the app, and how many presses it takes from where they begin: none more than it took once. */
import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { sendEvents } from "../kit/calls/websiteCalls.ts";
import { fill, press, seeHeading, shownFigure, shownRows } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { type CountedTab, openCountedTab } from "../kit/web/countedTab.ts";

const { baseUrl } = inject("lookout");

type Task = CountedTab & { readonly website: TestWebsite };

/** A website with these events, and its owner on a page of it, by default the overview. */
async function begin(
  events: readonly object[],
  pathOf: (websiteId: string) => string = (id) => `/dashboard/${id}`,
): Promise<Task> {
  const website = await createWebsite({ domain: "wombat.example" });
  if (events.length > 0) {
    const answer = await sendEvents(website.websiteId, [...events]);
    expect(answer).toMatchObject({ status: 200, body: { results: events.map(() => ({ status: "success" })) } });
  }
  const path = pathOf(website.websiteId);
  return { ...(await openCountedTab({ of: website, path })), website };
}

/** The visit of one person on a day: pages and custom events, each 10 ms after the one before. */
function visit(visitor: string, daysAgo: number, steps: readonly string[], campaign?: string): object[] {
  return steps.map((step, index) => ({
    timestamp: noonDaysAgo(daysAgo) + index * 10,
    anonymousId: visitor,
    sessionId: visitor,
    ...(step.startsWith("/") ? { name: "page_view", path: step } : { name: step, path: steps[index - 1] }),
    ...(index === 0 && campaign !== undefined ? { utm_campaign: campaign } : {}),
  }));
}

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent.replaceAll(/\s+/g, " ").trim());

/** Presses a row, tab or button within a part of a page. */
async function pressIn(page: Page, part: string, text: string): Promise<void> {
  await page.locator(`${part} ::-p-text(${text})`).click();
}

/** Opens the menu of the person and a page of the organization: three presses. */
async function openOrganization(page: Page, part: string): Promise<void> {
  await press(page, "Account: Ada");
  await press(page, "Organization", "link");
  await seeHeading(page, "Organization");
  await press(page, part, "link");
  await seeHeading(page, part);
}

test("which campaign brought sign-ups in the last four weeks? At most three presses", async () => {
  const { page, clicks } = await begin([
    ...visit("ada", 3, ["/", "/pricing", "signed_up"], "spring"),
    ...visit("bob", 4, ["/", "signed_up"], "spring"),
    ...visit("cyd", 2, ["/"], "newsletter"),
    ...visit("dan", 2, ["/", "signed_up"], "newsletter"),
    ...visit("eve", 1, ["/", "signed_up"]),
    ...visit("fay", 40, ["/"], "spring"),
    ...visit("gil", 60, ["/"]),
  ]);
  await page.locator('[data-goal="event signed_up"] a').click();
  await expect
    .poll(() => shownRows(page, "sources"))
    .toEqual([
      ["spring", "40%", "2", expect.stringContaining("up 100%"), "2", "100%"],
      ["newsletter", "40%", "2", expect.any(String), "1", "50%"],
    ]);
  // The change is that of the visitors, so it stands beside them.
  const heads = await page.$$eval("[data-panel=sources] thead th", (all) =>
    all.map(({ textContent }) => textContent.trim()),
  );
  expect(heads.slice(1)).toEqual(["Share", "Visitors", "Change", "signed_up", "Rate"]);
  expect(clicks()).toBeLessThanOrEqual(3);
});

test("a website is added in at most five presses", async () => {
  const { page, clicks, website } = await begin(visit("ada", 1, ["/"]));
  await press(page, "Website: Test");
  await press(page, "Add a website", "link");
  await fill(page, "Domain", "quokka.example");
  await press(page, "Add");
  await seeHeading(page, "quokka.example was added");
  expect(clicks()).toBeLessThanOrEqual(5);
  const { body } = await send("POST", "/websites/list", { apiKey: website.apiKey, body: {} });
  expect(body).toMatchObject({
    websites: expect.arrayContaining([expect.objectContaining({ domain: "quokka.example" })]),
  });
});

test("the tracking code is taken along in one press, and the first visit shows the figures without another one", async () => {
  const { page, clicks, website } = await begin([], (id) => `/new-website?website=${id}`);
  await seeHeading(page, "Test was added");
  await page.locator(".code-box .button-main").click();
  await page.locator("::-p-text(Waiting for the first event)").wait();
  expect((await sendEvents(website.websiteId, visit("ada", 0, ["/"]))).status).toBe(200);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(clicks()).toBeLessThanOrEqual(1);
});

test("a goal is set in at most seven presses and shown on the overview", async () => {
  const { page, clicks } = await begin(visit("ada", 1, ["/", "/thanks"]));
  await press(page, "Set goals", "link");
  await page.locator('input[aria-label="Path or event 1"]').wait();
  await page.select('[aria-label="Kind 1"]', "page");
  await page.locator('input[aria-label="Path or event 1"]').fill("/thanks");
  await press(page, "Save");
  await page.locator("::-p-text(Saved.)").wait();
  await press(page, "Overview", "link");
  await page.locator('[data-goal="page /thanks"] .goal-rate data').wait();
  expect(await textOf(page, '[data-goal="page /thanks"] .goal-of')).toBe("1 of 1");
  expect(clicks()).toBeLessThanOrEqual(7);
});

test("a funnel of two steps is made in at most nine presses and shows its figures", async () => {
  const { page, clicks } = await begin([...visit("ada", 1, ["/pricing", "/thanks"]), ...visit("bob", 1, ["/pricing"])]);
  await press(page, "Settings", "link");
  await press(page, "Goals and funnels", "link");
  await press(page, "Add a funnel");
  await fill(page, "Name of the funnel", "Buying");
  const form = '[data-section="funnels"] form';
  await page.locator(`${form} input[aria-label="Path or event 1"]`).fill("/pricing");
  await page.locator(`${form} input[aria-label="Path or event 2"]`).fill("/thanks");
  await page.locator(`${form} .button-main`).click();
  const steps = () =>
    page.$$eval('[data-funnel="Buying"] tbody tr', (rows) =>
      rows.slice(0, 2).map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim())),
    );
  await expect.poll(steps).toEqual([
    ["1. /pricing", "2", "100%"],
    ["2. /thanks", "1", "50%"],
  ]);
  expect(clicks()).toBeLessThanOrEqual(9);
});

test("a comparison with a year ago takes two presses and says what it lacks", async () => {
  const { page, clicks } = await begin(visit("ada", 1, ["/"]));
  await press(page, "Comparison: vs 4 weeks before");
  await pressIn(page, "main", "A year ago");
  await page.locator('::-p-aria([name="Comparison: vs a year before"][role="button"])').wait();
  await page.locator("::-p-text(Not compared, because there is no data)").wait();
  await expect.poll(() => page.$$(".figures .change, .legend [data-kind=before]")).toEqual([]);
  expect(clicks()).toBeLessThanOrEqual(2);
});

test("figures are made public in three presses, after which their address is seen, and anyone reads them there", async () => {
  const { page, clicks, website } = await begin(visit("ada", 1, ["/"]));
  await press(page, "Settings", "link");
  await page.locator("input[name=publicAccess]").click();
  await page.locator("[data-section=general] .button-main").click();
  await page.locator("::-p-text(Saved.)").wait();
  const address = await page.waitForSelector(`[data-section=general] a[href$="/shared/${website.websiteId}"]`);
  expect(clicks()).toBeLessThanOrEqual(3);
  const stranger = await openTab();
  await stranger.goto((await address?.evaluate((link) => (link as HTMLAnchorElement).href)) ?? "");
  await expect.poll(() => shownFigure(stranger, "visitors")).toBe(1);
});

test("a viewer is invited in at most four presses, and the link of the invitation is seen", async () => {
  const { page, clicks } = await begin(visit("ada", 1, ["/"]));
  await openOrganization(page, "People");
  await fill(page, "E-mail address", "viewer@wombat.example");
  await page.select("form select", "viewer");
  await press(page, "Invite");
  await page.locator(".notice code").wait();
  expect(await textOf(page, ".notice code")).toContain(`${baseUrl}/invitation#token=`);
  const invitation = '[data-invitation="viewer@wombat.example"]';
  await page.locator(invitation).wait();
  expect(await textOf(page, invitation)).toContain("Viewer");
  expect(clicks()).toBeLessThanOrEqual(4);
});

test("a key is made in at most five presses and can be used", async () => {
  const { page, clicks, website } = await begin(visit("ada", 1, ["/"]));
  await openOrganization(page, "API keys");
  await press(page, "New key");
  await fill(page, "Name", "Report");
  await press(page, "Create the key");
  await page.locator("[data-key-text]").wait();
  const apiKey = await textOf(page, "[data-key-text]");
  const answer = await send("POST", "/websites/list", { apiKey, body: {} });
  expect(answer).toMatchObject({ status: 200, body: { websites: [{ id: website.websiteId }] } });
  expect(clicks()).toBeLessThanOrEqual(5);
});

test("a window with a form can be left by a button, and the focus returns", async () => {
  const { page } = await begin(visit("ada", 1, ["/"]));
  await openOrganization(page, "API keys");
  await press(page, "New key");
  await page.locator("dialog[open] form").wait();
  await press(page, "Cancel");
  await page.waitForSelector("dialog[open]", { hidden: true });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("New key");
  await expect.poll(() => page.$$("[data-key]")).toHaveLength(1);
});

test("the language is switched in two presses, at once", async () => {
  const { page, clicks } = await begin(visit("ada", 1, ["/"]));
  await page.evaluate(() => Object.assign(globalThis, { isSamePage: true }));
  await press(page, "Account: Ada");
  await press(page, "Deutsch");
  await page.locator("::-p-text(Besucher)").wait();
  expect(await page.evaluate(() => [document.documentElement.lang, "isSamePage" in globalThis])).toEqual(["de", true]);
  expect(clicks()).toBeLessThanOrEqual(2);
});
