/** The first screen of the overview: what is where, that it says what the API answers, and that its lines open by the keyboard. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, vi } from "vitest";
import { create } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, scrollsSideways, shownFigure } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";
import { shownFacts, shownGoals } from "../kit/web/overviewLines.ts";

const { baseUrl } = inject("lookout");
const goals = ["signup", "order", "newsletter", "contact", "download"];

let website: MonitoredWebsite;
beforeAll(async () => {
  website = await createMonitoredWebsite();
  let atMs = Date.now() - 1_000;
  const event = (visitor: string, name: string) => ({
    timestamp: ++atMs,
    name,
    path: "/",
    country: "DE",
    anonymousId: visitor,
    sessionId: visitor,
  });
  await post(`/batch?website_id=${website.websiteId}`, [
    ...["ada", "bob", "eve", "dan"].map((visitor) => event(visitor, "page_view")),
    event("ada", "signup"),
    event("ada", "order"),
    event("bob", "signup"),
  ]);
  await post(`/vitals?website_id=${website.websiteId}`, [
    { metricName: "LCP", metricValue: 2_100, path: "/", anonymousId: "ada", sessionId: "ada" },
    { metricName: "CLS", metricValue: 0.3, path: "/", anonymousId: "ada", sessionId: "ada" },
  ]);
  await post(`/errors?website_id=${website.websiteId}`, [
    { message: "x is not defined", path: "/", anonymousId: "ada", sessionId: "ada" },
  ]);
  await create({ websiteId: website.websiteId, name: "Spring sale" }, website);
  const own = {
    goals: goals.map((value) => ({ kind: "event", value })),
    funnel: [
      { kind: "page", value: "/" },
      { kind: "event", value: "signup" },
      { kind: "event", value: "order" },
    ],
  };
  const body = { id: website.websiteId, goals: own };
  expect((await send("POST", "/websites/update", { apiKey: website.apiKey, body })).status).toBe(200);
  await vi.waitFor(async () => expect(await figure("error_summary", "totalErrors")).toBe(1), { timeout: 200_000 });
  await vi.waitFor(async () => expect(await figure("summary_metrics", "unique_visitors")).toBe(4), {
    timeout: 200_000,
  });
  await seenAsTracked(website);
});

async function post(path: string, body: object): Promise<void> {
  expect((await send("POST", path, { apiKey: website.apiKey, body })).status).toBe(200);
}

/** Until then the page shows how to count the website instead of its figures. */
async function seenAsTracked({ websiteId, apiKey }: TestWebsite): Promise<void> {
  const status = async () => (await send("POST", "/websites/get", { apiKey, body: { id: websiteId } })).body;
  await vi.waitFor(async () => expect(await status()).toMatchObject({ trackingStatus: "active" }), {
    timeout: 100_000,
  });
}

/** A figure of the first row of a query type's answer. */
async function figure(type: string, field: string): Promise<unknown> {
  const { websiteId, apiKey } = website;
  const body = { preset: "today", parameters: [type] };
  const answer = (await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body })).body as {
    data: { data: Record<string, unknown>[] }[];
  };
  return answer.data[0]?.data[0]?.[field];
}

async function openOverview(of: TestWebsite, query: string, width = 1_280) {
  const page = await openTab({ width, of });
  await page.evaluateOnNewDocument(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(`${baseUrl}/dashboard/${of.websiteId}?${query}`);
  return page;
}

/** Lines ask when they come near the window. */
async function seeLines(page: Page): Promise<void> {
  await page.locator("[data-line=funnel]").wait();
  const waiting = async () => {
    await page.$eval("[data-line=funnel]", (line) => line.scrollIntoView());
    return (await page.$$(".line-waiting")).length;
  };
  await expect.poll(waiting).toBe(0);
}

/** Where parts begin, in pixels from the top of the page. */
async function topsOf(page: Page, selectors: readonly string[]): Promise<number[]> {
  return await page.evaluate(
    (all) =>
      all.map((selector) =>
        Math.round((document.querySelector(selector)?.getBoundingClientRect().top ?? -1) + scrollY),
      ),
    selectors,
  );
}

const panel = (id: string) => `[data-panel=${id}]`;
const line = (id: string) => `[data-line=${id}]`;

test("figures come first, then goals, sources beside pages, places beside devices, and a line for all else", async () => {
  const page = await openOverview(website, "range=last_7d");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  await seeLines(page);
  const parts = [".figures", ".chart", panel("goals"), panel("sources"), panel("places")];
  const lines = ["uptime", "links", "vitals", "events", "errors", "excluded", "funnel"].map(line);
  const tops = await topsOf(page, [...parts, ...lines]);
  expect(tops).toEqual(tops.toSorted((one, other) => one - other));
  expect(new Set(tops).size).toBe(tops.length);
  expect(await topsOf(page, [panel("pages"), panel("devices")])).toEqual(tops.slice(3, 5));
  // It had 3,375 px with the demo data, and less than half of it now.
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1_680);
  const moved = await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
  );
  expect(moved).toBeLessThan(0.02);
});

test("each figure has its line over time, and a click on one draws it in the same card", async () => {
  const page = await openOverview(website, "range=last_7d");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  await expect.poll(() => page.$$eval(".first-card .spark-line", (all) => all.length)).toBe(6);
  await page.locator(".figures > li:nth-child(3) .figure-choose").click();
  await expect.poll(() => page.$eval(".chart h2", ({ textContent }) => textContent)).toBe("Page views over time");
  expect(await page.$$eval(".figure[data-shown=true]", (all) => all.length)).toBe(1);
});

test("goals and lines say what the API answers, with the same visitors as the figure above", async () => {
  const page = await openOverview(website, "range=today");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  await seeLines(page);
  const { websiteId, apiKey } = website;
  const query = { preset: "today", goals: goals.map((event) => ({ event })) };
  const counted = (await send("POST", `/v1/query/goals?website_id=${websiteId}`, { apiKey, body: query })).body as {
    goals: { name: string; total: { converted: number; visitors: number; conversionRate: number } }[];
  };
  const written = counted.goals.map(({ name, total }) => [
    name,
    `${total.converted} of ${total.visitors}`,
    `${total.conversionRate}%`,
    "",
  ]);
  expect(counted.goals.map(({ total }) => total.visitors)).toEqual(goals.map(() => 4));
  await expect.poll(() => shownGoals(page)).toEqual(written.slice(0, 4));
  await page.locator(".goals-tools [aria-expanded]").click();
  await expect.poll(() => shownGoals(page)).toEqual(written);
  expect(await shownFacts(page, "links")).toEqual([expect.stringMatching(/^0 clicks/)]);
  expect(await shownFacts(page, "vitals")).toEqual(["1 of 2 good", "LCP 2.1 s", "CLS 0.30"]);
  expect(await shownFacts(page, "events")).toEqual(["signup 2", "order 1"]);
  expect(await shownFacts(page, "errors")).toEqual(["1 error", "1 visitor affected"]);
  expect(await shownFacts(page, "funnel")).toEqual(["4 → 2 → 1", "25% reach the end"]);
  const status = (await send("GET", `/v1/status?website_id=${websiteId}&days=1`, website)).body as {
    monitors: { status: string; uptimePercent: number; days: { coveragePercent: number }[] }[];
    incidents: object[];
  };
  const [up, uptime, incidents] = await shownFacts(page, "uptime");
  const ups = status.monitors.filter((monitor) => monitor.status === "up").length;
  expect(up).toBe(`${ups} of ${status.monitors.length} up`);
  const shown = await page.$eval("[data-fact=uptime]", (fact) => Number(fact.getAttribute("data-value")));
  // The second monitor was never checked, so it weighs nothing.
  const checked = status.monitors.find(({ days }) => (days[0]?.coveragePercent ?? 0) > 0);
  expect(shown).toBeCloseTo(checked?.uptimePercent ?? -1, 6);
  expect(uptime).toMatch(/^[\d.]+% of [\d.]+% checked$/);
  expect(incidents).toMatch(new RegExp(`^${status.incidents.length} incident`));
});

test.each([1_280, 360])(
  "lines open and close by the keyboard, without a fault of accessibility at %i px",
  async (width) => {
    const page = await openOverview(website, "range=today", width);
    await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
    await seeLines(page);
    // The tabs of a phone lie above what is scrolled below them.
    await page.evaluate(() => scrollTo(0, 0));
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
    const state = () => page.$eval("[data-line=vitals] .line-open", (button) => button.getAttribute("aria-expanded"));
    await page.focus("[data-line=links] .line-open");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Web vitals");
    expect(await page.$("[data-panel=vitals]")).toBeNull();
    await page.keyboard.press("Enter");
    expect(await state()).toBe("true");
    await page.locator("[data-panel=vitals] tbody tr").wait();
    await page.keyboard.press("Space");
    expect(await state()).toBe("false");
    expect(await page.$("[data-panel=vitals]")).toBeNull();
  },
);

test("what has no data says in one line how to get it", async () => {
  const bare = await createWebsite();
  const view = { name: "page_view", path: "/", anonymousId: "ada", sessionId: "ada" };
  const sent = await send("POST", `/batch?website_id=${bare.websiteId}`, { apiKey: bare.apiKey, body: [view] });
  expect(sent.status).toBe(200);
  await seenAsTracked(bare);
  const page = await openOverview(bare, "range=today");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await seeLines(page);
  await page.locator(".goals-none").wait();
  expect(await page.$eval(".goals-none", ({ textContent }) => textContent)).toMatch(/^No goal/);
  expect(await page.$$(".goals-tools > a")).toHaveLength(1);
  expect(await shownFacts(page, "uptime")).toEqual(["Nothing is checked yet. Add a monitor"]);
  expect(await shownFacts(page, "vitals")).toEqual(["Nothing measured in this time. tracker-vitals.js measures them."]);
  expect(await shownFacts(page, "events")).toEqual(["None in this time. lookout.track() sends one."]);
  expect(await shownFacts(page, "errors")).toEqual(["None in this time. tracker-vitals.js reports them."]);
  expect(await shownFacts(page, "funnel")).toEqual(["No steps are set yet."]);
});

test("lines whose answers do not come say that they are not loaded", async () => {
  const page = await openOverview(website, "range=today");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  await page.setRequestInterception(true);
  page.on("request", (request) =>
    /StatusPageService|FunnelService\/AnalyzeFunnel/.test(request.url())
      ? void request.abort("connectionrefused")
      : void request.continue(),
  );
  await page.reload();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  await seeLines(page);
  expect(await shownFacts(page, "uptime")).toEqual(["Not loaded"]);
  expect(await shownFacts(page, "funnel")).toEqual(["Not loaded"]);
  expect(await shownFacts(page, "events")).toEqual(["signup 2", "order 1"]);
});
