/** The start page with all websites, the command menu and the tabs of a phone. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { create, post, sendEvents } from "../kit/calls/websiteCalls.ts";
import { accessibilityProblems, press, scrollsSideways, withoutStart } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");
const dayMs = 86_400_000;

let monitored: MonitoredWebsite;
/** The ids of the websites by name. "Test" has two monitors, which are paused, and an incident. */
const ids: Record<string, string> = {};
/** Days begin at 15:00 UTC there. */
const zones: Readonly<Record<string, { timezone: string }>> = { Atelier: { timezone: "Asia/Tokyo" } };
beforeAll(async () => {
  monitored = await createMonitoredWebsite();
  ids["Test"] = monitored.websiteId;
  for (const name of ["Atelier", "Bakery", "Cinema"])
    ids[name] = (await create({ name, domain: `${name.toLowerCase()}.example`, ...zones[name] }, monitored)).id;
  // Just after midnight (UTC) of the day, so before any time of day.
  const visitsSoFar = (name: string, daysAgo: number, visitors: number) =>
    sendEvents(
      ids[name] ?? "",
      Array.from({ length: visitors }, (_, visitor) => ({
        name: "page_view",
        path: "/",
        timestamp: Math.floor(Date.now() / dayMs - daysAgo) * dayMs + visitor,
        anonymousId: `${name} ${daysAgo} so far ${visitor}`,
        sessionId: `${name} ${daysAgo} so far ${visitor}`,
      })),
    );
  const visits = (name: string, days: readonly number[], visitors: number) =>
    sendEvents(
      ids[name] ?? "",
      days.flatMap((day) =>
        Array.from({ length: visitors }, (_, visitor) => ({
          name: "page_view",
          path: "/",
          timestamp: noonDaysAgo(day) + visitor,
          anonymousId: `${name} ${day} ${visitor}`,
          sessionId: `${name} ${day} ${visitor}`,
        })),
      ),
    );
  // Bakery had events before the weeks that make what is usual. Atelier began three days ago, Cinema has none.
  for (const answer of [
    await visits("Bakery", [60], 2),
    await visitsSoFar("Bakery", 0, 9),
    ...(await Promise.all([7, 14, 21, 28].map((days, index) => visitsSoFar("Bakery", days, [2, 3, 5, 6][index] ?? 0)))),
    await visits("Atelier", [3, 2], 1),
    await sendEvents(ids["Atelier"] ?? "", [{ name: "page_view", path: "/", anonymousId: "now", sessionId: "now" }]),
    await visits("Test", [2], 1),
  ])
    expect(answer.status).toBe(200);
});

const openHome = (options: TabOptions = {}) => openTab({ of: monitored, path: "/", ...options });

const tile = (name: string) => `[data-website="${ids[name]}"]`;
const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent.trim());
const names = (page: Page) => page.$$eval(".site-link", (links) => links.map((link) => link.textContent.trim()));
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent.trim() ?? "");

/** Resolves when all tiles have their figures and states. */
async function seeTiles(page: Page, count = 4): Promise<void> {
  await page.locator(".site").wait();
  await expect.poll(() => page.$$(".site-state, .site-foot")).toHaveLength(2 * count);
}

type TodayRow = { website_id: string; visitors: number | null; sessions: number | null; usual_visitors: number | null };

/** The figures of all websites of today, as the API answers them, by their names. */
async function answered(): Promise<Record<string, TodayRow | undefined>> {
  const body = { parameters: ["websites_today"], preset: "today" };
  const answer = await send("POST", `/v1/query?organization_id=${monitored.organizationId}`, {
    apiKey: monitored.apiKey,
    body,
  });
  const [{ data }] = (answer.body as { data: [{ data: TodayRow[] }] }).data;
  return Object.fromEntries(
    Object.entries(ids).map(([name, id]) => [name, data.find(({ website_id }) => website_id === id)]),
  );
}

/** The value of a figure within an element; null without it. */
const figure = (page: Page, within: string, name: string) =>
  page.$eval(
    within,
    (element, selector) => {
      const found = element.querySelector<HTMLDataElement>(selector);
      return found === null ? null : Number(found.value);
    },
    `[data-figure="${name}"]`,
  );

test("two websites or more show all of them with the figures that the API answers; what is unknown has no figure", async () => {
  const page = await openHome();
  await seeTiles(page);
  expect(new URL(page.url()).pathname).toBe("/");
  const rows = await answered();
  for (const name of Object.keys(ids))
    expect([name, await figure(page, tile(name), "visitors"), await figure(page, tile(name), "usual")]).toEqual([
      name,
      rows[name]?.visitors,
      rows[name]?.usual_visitors,
    ]);
  // Of 2, 3, 5 and 6.
  expect(rows["Bakery"]).toMatchObject({ visitors: 9, sessions: 9, usual_visitors: 4 });
  expect(await textOf(page, `${tile("Bakery")} .change`)).toContain("up 125%");
  expect(await textOf(page, `${tile("Bakery")} .change`)).toContain("4 usually by this time of day");
  expect(await textOf(page, `${tile("Bakery")} .site-foot`)).toContain("9 visits");
  const since = new Intl.DateTimeFormat("en", { day: "numeric", month: "short", timeZone: "UTC" }).format(
    noonDaysAgo(3),
  );
  expect(rows["Atelier"]).toMatchObject({ visitors: 1, usual_visitors: null });
  expect(await textOf(page, `${tile("Atelier")} .site-since`)).toBe(`since ${since}`);
  expect(await page.$(`${tile("Atelier")} .change`)).toBeNull();
  expect(await textOf(page, `${tile("Cinema")} .site-foot`)).toBe("No event yet");
  expect(await textOf(page, `${tile("Cinema")} .site-state`)).toBe("No monitor");
  expect(await textOf(page, `${tile("Test")} .site-state`)).toBe("2 paused");
  // The line has a gap where nothing is known.
  await expect.poll(() => page.$eval(`${tile("Bakery")} .spark-line`, (line) => line.getAttribute("d"))).not.toBe("");
  // 9 + 1 + 0; Atelier has no usual, so neither has the sum.
  expect(await figure(page, ".home-total", "total")).toBe(10);
  expect(await page.$(".home-total .change")).toBeNull();
});

test("a single website is shown at once", async () => {
  const website = await createWebsite();
  const page = await openHome({ of: website });
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/dashboard/${website.websiteId}`);
});

test("what is down is on top with its reason, and is acknowledged there", async () => {
  const page = await openHome();
  const alarm = `[data-incident="${monitored.incidentId}"]`;
  await page.locator(`${alarm} button`).wait();
  expect(await textOf(page, alarm)).toMatch(
    /^Shop is down · Test · since .* · for .* · HTTP status 503, expected 200-299 · local/,
  );
  const top = (selector: string) => page.$eval(selector, (element) => element.getBoundingClientRect().top);
  expect(await top(alarm)).toBeLessThan(await top(".site"));
  await page.locator(`${alarm} button`).click();
  await expect.poll(() => textOf(page, alarm)).toContain("acknowledged by");
  expect(await page.$(`${alarm} button`)).toBeNull();
  const day = new Date().toISOString();
  const { body } = await send("POST", "/uptime/incidents", {
    apiKey: monitored.apiKey,
    body: { monitorId: monitored.monitor.id, dateFrom: day.slice(0, 10), dateTo: day.slice(0, 10) },
  });
  expect((body as { incidents: object[] }).incidents[0]).toMatchObject({
    acknowledgedBy: expect.stringContaining("@"),
  });
  await page.locator(`${alarm} .alarm-link`).click();
  await page.locator("::-p-text(What happened)").wait();
  expect(new URL(page.url()).pathname).toBe(`/uptime/${monitored.websiteId}/incident/${monitored.incidentId}`);
});

test("websites are sorted, searched and pinned, also by keyboard, and stay so at the next visit", async () => {
  const page = await openHome();
  await seeTiles(page);
  expect(await names(page)).toEqual(["Bakery", "Atelier", "Test", "Cinema"]);
  await press(page, "Order: By visitors");
  await press(page, "By state");
  await expect.poll(() => names(page)).toEqual(["Test", "Atelier", "Bakery", "Cinema"]);
  await press(page, "Show Cinema first");
  await expect.poll(() => names(page)).toEqual(["Cinema", "Test", "Atelier", "Bakery"]);
  await page.reload();
  await seeTiles(page);
  await expect.poll(() => names(page)).toEqual(["Cinema", "Test", "Atelier", "Bakery"]);
  // Three tiles in a row.
  await page.focus(".site-link");
  for (const [key, expected] of [
    ["ArrowRight", "Test"],
    ["ArrowDown", "Test"],
    ["ArrowLeft", "Cinema"],
    ["ArrowDown", "Bakery"],
  ] as const) {
    await page.keyboard.press(key);
    expect([key, await focused(page)]).toEqual([key, expected]);
  }
  await page.keyboard.press("/");
  await page.keyboard.type("bak");
  await expect.poll(() => names(page)).toEqual(["Bakery"]);
  await page.keyboard.type("zzz");
  await page.locator("::-p-text(No website has this in its name or domain.)").wait();
});

test("4.15 tags are set in the settings of a website, and the start page filters by them", async () => {
  const page = await openHome({ path: `/settings/${ids["Bakery"]}` });
  await page.locator('input[name="tags"]').fill("shops, Customer A");
  await press(page, "Save");
  await page.locator("::-p-text(Saved.)").wait();
  const { body } = await post("get", { id: ids["Bakery"] }, monitored);
  expect(body).toMatchObject({ tags: { names: ["shops", "Customer A"] } });
  await page.goto(`${baseUrl}/`);
  await seeTiles(page);
  await press(page, "Tag: All tags");
  await press(page, "shops");
  await expect.poll(() => names(page)).toEqual(["Bakery"]);
  expect(new URL(page.url()).search).toBe("?tag=shops");
  await page.goBack();
  await expect.poll(() => names(page)).toHaveLength(4);
  expect((await post("update", { id: ids["Atelier"], tags: { names: ["shops"] } }, monitored)).status).toBe(200);
  await page.reload();
  await seeTiles(page);
  // The sum of Bakery and Atelier.
  const shops = '[data-tag="shops"]';
  expect([await figure(page, shops, "visitors"), await figure(page, shops, "visits")]).toEqual([10, 10]);
  expect(await figure(page, '[data-tag="Customer A"]', "visitors")).toBe(9);
  expect(await textOf(page, '[data-tag="Customer A"] .change')).toContain("up 125%");
  expect(await page.$(`${shops} .change`)).toBeNull();
  await page.locator(`${shops} a`).click();
  await expect.poll(() => names(page)).toEqual(["Bakery", "Atelier"]);
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});

test("without the figures every tile says that they are not loaded, and there is no total", async () => {
  const page = await openTab({ of: monitored });
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isBroken = /QueryService\/Query(\?|$)/.test(request.url());
    void (isBroken ? request.abort("connectionrefused") : request.continue());
  });
  await page.goto(`${baseUrl}/`);
  await expect.poll(() => page.$$('.site-waiting[aria-busy="false"]')).toHaveLength(4);
  expect(await textOf(page, `${tile("Bakery")} .site-waiting`)).toBe("Not loaded");
  expect(await textOf(page, ".home-total")).toBe("4");
});

test("names of websites do not wait until events are looked for", async () => {
  const page = await openHome({ path: "/account" });
  await page.locator("h1").wait();
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const sent = decodeURIComponent(request.url()) + (request.postData() ?? "");
    const isList = sent.includes("WebsiteService/ListWebsites");
    // The whole list is never answered.
    if (isList && !sent.includes("withoutTrackingStatus")) return;
    void request.continue();
  });
  await withoutStart(page);
  await page.goto(`${baseUrl}/links/${ids["Bakery"]}`);
  await expect
    .poll(() => page.$$eval(".menu-website", (all) => all.map(({ textContent }) => textContent)))
    .toEqual(["Bakery"]);
  await page.locator("main h1").wait();
});

test("of 60 websites all figures are there after one call, and their lines after another", async () => {
  const sixty = await createWebsite();
  for (let index = 0; index < 59; index++)
    await create({ name: `Shop ${String(index).padStart(2, "0")}`, domain: "shop.example" }, sixty);
  const page = await openTab({ of: sixty });
  const calls: string[] = [];
  page.on("request", (request) => {
    if (/QueryService|StatusPage|UptimeService/.test(request.url())) calls.push(new URL(request.url()).pathname);
  });
  await page.goto(`${baseUrl}/`);
  await expect.poll(() => page.$$(".site-foot")).toHaveLength(60);
  expect(await page.$$(".site-state")).toHaveLength(60);
  await expect.poll(() => calls).toHaveLength(2);
  expect(new Set(calls)).toEqual(new Set(["/lookout.v1.QueryService/Query"]));
});

test("Ctrl K finds websites, monitors, settings and actions by keyboard, and begins with what was chosen last", async () => {
  const page = await openHome();
  await seeTiles(page);
  const open = async () => {
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
    await page.locator(".commands[open] input").wait();
  };
  const options = () =>
    page.$$eval(".commands-option .commands-text", (all) => all.map((option) => option.textContent.trim()));
  await page.focus(".site-link");
  const before = await focused(page);
  await open();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.$(".commands")).toBeNull();
  expect(await focused(page)).toBe(before);
  await open();
  await page.keyboard.type("shop");
  await expect.poll(options).toContain("Shop");
  const active = () =>
    page.$eval(".commands input", (input) =>
      document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.textContent.trim(),
    );
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/uptime/${ids["Test"]}/monitor/${monitored.monitor.id}`);
  await open();
  await expect.poll(active).toContain("Shop");
  await page.keyboard.type("dark");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await open();
  await page.keyboard.type("bakery");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  expect(await active()).toContain("Bakery");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/dashboard/${ids["Bakery"]}`);
  await open();
  await page.keyboard.type("zzzz");
  await page.locator("::-p-text(Nothing has this in its name.)").wait();
});

test("Ctrl K lists the segments of the current website and keeps the period of its overview, and finds its settings", async () => {
  const filters = [{ field: "country", op: "eq", value: "FR" }];
  const segment = { websiteId: ids["Bakery"], name: "French bread", filters, shared: true };
  const { status, body } = await send("POST", "/v1/segments/create", { apiKey: monitored.apiKey, body: segment });
  expect(status).toBe(200);
  const page = await openHome({ path: `/dashboard/${ids["Bakery"]}?range=last_7d` });
  await page.locator("[data-figure=visitors]").wait();
  const open = async () => {
    await page.keyboard.down("Control");
    await page.keyboard.press("k");
    await page.keyboard.up("Control");
    await page.locator(".commands[open] input").wait();
  };
  await open();
  const listed = () =>
    page.$$eval('.commands-option[data-command^="segment "] .commands-text', (all) =>
      all.map(({ textContent }) => textContent),
    );
  await expect.poll(listed).toEqual(["French bread"]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.type("bread");
  await page.keyboard.press("Enter");
  const query = () => Object.fromEntries(new URL(page.url()).searchParams);
  await expect.poll(query).toEqual({ range: "last_7d", filter: "country:eq:FR", segment: (body as { id: string }).id });
  await expect
    .poll(() => page.$eval("[data-segments] .menu-button-text", (button) => button.textContent))
    .toBe("French bread");
  await open();
  await page.keyboard.type("goals and");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/settings/${ids["Bakery"]}/goals`);
});

test("Ctrl K finds a monitor of the last of many websites", async () => {
  const many = await createMonitoredWebsite();
  for (let index = 10; index < 24; index++) await create({ name: `Atelier ${index}`, domain: "atelier.example" }, many);
  const page = await openHome({ of: many, path: "/account" });
  await page.locator("h1").wait();
  await page.keyboard.down("Control");
  await page.keyboard.press("k");
  await page.keyboard.up("Control");
  await page.locator(".commands[open] input").wait();
  await page.keyboard.type("shop");
  await page.locator(`.commands-option[data-command="/uptime/${many.websiteId}/monitor/${many.monitor.id}"]`).wait();
});

test("on a phone the header is one line of 48 px, and pages of a website are tabs within reach of a thumb", async () => {
  const page = await openHome({ width: 360, path: `/links/${ids["Bakery"]}` });
  await page.locator(".tab-bar").wait();
  await page.locator("h1").wait();
  const box = (selector: string) =>
    page.$$eval(selector, (all) =>
      all.map((element) => {
        const { top, bottom, height, width } = element.getBoundingClientRect();
        return { top, bottom, height, width };
      }),
    );
  const [header] = await box(".header");
  expect(header?.height).toBeLessThanOrEqual(49);
  const tabs = await box(".tab-bar > ul > li");
  expect(tabs.length).toBeGreaterThanOrEqual(4);
  for (const { height, width, bottom } of tabs) {
    expect(Math.min(height, width)).toBeGreaterThanOrEqual(44);
    expect(bottom).toBeLessThanOrEqual(900);
  }
  expect(await page.$$eval('.tab-bar [aria-current="page"]', (all) => all.map((tab) => tab.textContent))).toEqual([
    "Links",
  ]);
  // The foot of the page is not below the tabs.
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const [footer] = await box(".footer");
  expect(footer?.bottom).toBeLessThanOrEqual((tabs[0]?.top ?? 0) + 1);
  await page.locator(".tab-bar .menu-anchor > button").click();
  await page.locator('.tab-bar ::-p-aria([name="Settings"][role="link"])').click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/settings/${ids["Bakery"]}`);
  await page.locator(".tab-bar .menu-anchor > button").click();
  await page.locator('.tab-bar ::-p-aria([name="Search"][role="button"])').click();
  await page.locator(".commands[open]").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});

test.each([
  [1_280, "en"],
  [360, "de"],
  [360, "fr"],
])("the start page breaks no rule of WCAG 2.2 AA at %i px and is no wider", async (width, language) => {
  const page = await openHome({ width, language });
  await seeTiles(page);
  await page.locator(".alarm").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.locator(".header-inner > .menu-anchor > button").click();
  await page.locator(".menu-websites").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});
