import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, vi } from "vitest";
import { create } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import {
  type AppPageOptions,
  accessibilityProblems,
  scrollsSideways,
  shownFigure,
  shownRows,
} from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";
import { openLines, shownGoals } from "../kit/web/overviewLines.ts";

const { baseUrl } = inject("lookout");

let website: MonitoredWebsite;
beforeAll(async () => {
  website = await createMonitoredWebsite();
  // One after the other: of events of the same time none is the first.
  let atMs = Date.now() - 1_000;
  const visit = (visitor: string, country: string, name: string, path: string, more: object = {}) => ({
    ...more,
    timestamp: ++atMs,
    name,
    path,
    country,
    anonymousId: visitor,
    sessionId: visitor,
  });
  await post(`/batch?website_id=${website.websiteId}`, [
    visit("ada", "DE", "page_view", "/", { utm_campaign: "spring" }),
    visit("ada", "DE", "page_view", "/pricing"),
    visit("ada", "DE", "signup", "/pricing"),
    visit("bob", "FR", "page_view", "/", { utm_campaign: "spring" }),
    visit("bob", "FR", "page_view", "/pricing"),
    visit("eve", "FR", "page_view", "/"),
  ]);
  await post(`/vitals?website_id=${website.websiteId}`, [
    { metricName: "LCP", metricValue: 2_000, path: "/", anonymousId: "ada", sessionId: "ada" },
    { metricName: "CLS", metricValue: 0.3, path: "/", anonymousId: "ada", sessionId: "ada" },
  ]);
  await post(`/errors?website_id=${website.websiteId}`, [
    { message: "x is not defined", path: "/", anonymousId: "ada", sessionId: "ada" },
  ]);
  await create({ websiteId: website.websiteId, name: "Spring sale" }, website);
  // The last of them is stored when its panel shows it.
  await vi.waitFor(async () => expect(await count("error_summary", "totalErrors")).toBe(1), { timeout: 200_000 });
  await vi.waitFor(async () => expect(await count("summary_metrics", "unique_visitors")).toBe(3), { timeout: 200_000 });
});

async function post(path: string, body: object): Promise<void> {
  const { status, body: answer } = await send("POST", path, { apiKey: website.apiKey, body });
  expect([status, answer]).toEqual([200, expect.anything()]);
}

/** A figure of the first row of a query type's answer. */
async function count(type: string, field: string): Promise<unknown> {
  const { websiteId, apiKey } = website;
  const body = { preset: "today", parameters: [type] };
  const answer = (await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body })).body as {
    data: { data: Record<string, unknown>[] }[];
  };
  return answer.data[0]?.data[0]?.[field];
}

/** The overview, with everything below the first view on screen once. */
async function openOverview(query: string, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/dashboard/${website.websiteId}?${query}` });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(3);
  // Panels ask when they come near the window, what lines open when it is opened.
  await openLines(page);
  // More than once: a busy browser may draw no frame while a panel is in the window.
  const waiting = async () => {
    for (const panel of await page.$$("main [data-panel]")) await panel.scrollIntoView();
    const panels = await page.$$("main .waiting, main .waiting-rows");
    return panels.length;
  };
  await expect.poll(waiting).toBe(0);
  return page;
}

async function texts(page: Page, selector: string): Promise<(string | null)[]> {
  return await page.evaluate(
    (chosen) => [...document.querySelectorAll(chosen)].map((element) => element.textContent),
    selector,
  );
}

test.each([1_280, 360])(
  "the whole overview breaks no rule of WCAG 2.2 AA and is not wider than %i px",
  async (width) => {
    const language = width === 360 ? "de" : "en";
    const page = await openOverview("range=today", { width, language });
    // The tabs of a phone lie above what is scrolled below them.
    await page.evaluate(() => scrollTo(0, 0));
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  },
);

test("map, goals, vitals, errors, uptime and links show what the API answers, and the map filters", async () => {
  const page = await openOverview("range=today");
  await page.locator("[data-panel=places] [data-tab=map]").click();
  await page.locator(".map-country[data-country=FR]:not([data-visitors='0'])").wait();
  const visitors = await page.evaluate(() =>
    [...document.querySelectorAll<SVGPathElement>(".map-country:not([data-visitors='0'])")]
      .map((path) => [path.dataset["country"], path.dataset["visitors"]].join(" "))
      .toSorted(),
  );
  expect(visitors).toEqual(["DE 1", "FR 2"]);
  await expect.poll(() => shownGoals(page)).toEqual([["signup", "1 of 3", "33.3%", ""]]);
  expect(await shownRows(page, "vitals")).toEqual([
    ["Largest content LCP", "2 sgood", "2 s", "1"],
    ["Shifting of the page CLS", "0.30poor", "0.30", "1"],
  ]);
  await page.$eval("[data-panel=errors]", (element) => element.scrollIntoView());
  await expect.poll(() => shownRows(page, "errors")).toEqual([["x is not defined", "1", "1"]]);
  expect(await shownRows(page, "links")).toEqual([["Spring sale", "0"]]);
  expect(await texts(page, "[data-panel=links] thead th:last-child")).toEqual(["Clicks, all time"]);
  expect(await texts(page, "[data-panel=uptime] .panel-head .field-hint")).toEqual(["Today"]);
  const uptime = (await send("GET", `/v1/status?website_id=${website.websiteId}&days=1`, website)).body as {
    monitors: { name: string; uptimePercent: number }[];
  };
  expect(await texts(page, ".small-monitor > a")).toEqual(uptime.monitors.map(({ name }) => name));
  await page.$eval('.map-country[data-country="DE"]', (path) =>
    path.dispatchEvent(new MouseEvent("click", { bubbles: true })),
  );
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(new URL(page.url()).searchParams.getAll("filter")).toEqual(["country:eq:DE"]);
});

/** Where the chosen goal and filters are in the window; undefined while they are outside. */
async function placeOfFilters(page: Page): Promise<number | undefined> {
  const [top, bottom, height] = await page.$eval(".filters", (bar) => {
    const box = bar.getBoundingClientRect();
    return [box.top, box.bottom, innerHeight] as const;
  });
  return top >= 0 && bottom <= height ? top : undefined;
}

test("a click on a goal shows which campaign and entry page brought it, and goals stay with filters", async () => {
  const page = await openOverview("range=today");
  await page.locator("[data-panel=goals] a").click();
  await expect.poll(() => shownRows(page, "sources")).toEqual([["spring", "67%", "2", "1", "50%"]]);
  // What was clicked is far below what has changed.
  await expect.poll(() => placeOfFilters(page)).toBeDefined();
  await page.locator("[data-panel=pages] [data-tab=entry_pages]").click();
  await expect.poll(() => shownRows(page, "pages")).toEqual([["/", "100%", "3", "1", "33.3%"]]);
  await expect
    .poll(() => shownRows(page, "places"))
    .toEqual([
      ["France", "67%", "2", "0", "0%"],
      ["Germany", "33%", "1", "1", "100%"],
    ]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator('[data-panel="places"] tbody tr:first-child a.bar-label').click();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get("goal"), searchParams.getAll("filter")]).toEqual(["event:signup", ["country:eq:FR"]]);
  expect(await texts(page, ".filters .filter-text")).toEqual(["Goal: signup", "Country is France"]);
  // No visitor from France signed up, so the goal shows 0.
  await expect.poll(() => shownGoals(page)).toEqual([["signup", "0 of 2", "0%", ""]]);
  await page.locator("[data-panel=goals] a").click();
  await expect.poll(() => shownRows(page, "pages")).toEqual([["/", "100%", "2"]]);
});

test("figures of nothing are no zeros: not in tiles, which show no change, and not in the table of the chart", async () => {
  const page = await openOverview("range=last_7d&metric=bounce_rate");
  await page.locator(".chart .menu-dots").click();
  await page.locator(".chart .panel-tools .menu-item").click();
  // The table is loaded when it is asked for.
  await page.locator(".chart-table tbody td").wait();
  const days = await texts(page, ".chart-table tbody td:nth-of-type(1)");
  expect(days.slice(0, -1)).toEqual(Array.from({ length: 6 }, () => "–no value"));
  expect(days.at(-1)).toMatch(/%$/);
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=today&goal=event:sign_up`);
  await expect
    .poll(() => texts(page, ".goal-hint"))
    .toEqual(["No event sign_up was sent in this time. Did you mean this one? signup"]);
  await page.locator(".goal-hint a").click();
  await expect
    .poll(() => shownRows(page, "places"))
    .toEqual([
      ["France", "67%", "2", "0", "0%"],
      ["Germany", "33%", "1", "1", "100%"],
    ]);
  expect(await page.$(".goal-hint")).toBeNull();
  const query = "range=today&metric=pageviews&filter=event_name:eq:signup";
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?${query}`);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  // Page views of visits with a sign-up would be those that are sign-ups.
  expect((await texts(page, ".figure-value")).slice(2, 4)).toEqual(["–no value", "–no value"]);
  expect((await texts(page, ".figure-change")).slice(2, 4)).toEqual(["", ""]);
  expect(await texts(page, ".chart h2")).toEqual(["Sessions over time"]);
  await expect.poll(() => shownRows(page, "places")).toEqual([["Germany", "100%", "1"]]);
  expect(await texts(page, "[data-panel=places] thead th")).toEqual([
    expect.stringMatching(/^Country/),
    "Share",
    "Visitors",
  ]);
  expect(await texts(page, "[data-panel=pages] .panel-empty")).toEqual([expect.stringMatching(/Entry/)]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator("[data-panel=places] a.bar-label").click();
  await expect
    .poll(() => new URL(page.url()).searchParams.getAll("filter"))
    .toEqual(["event_name:eq:signup", "country:eq:DE"]);
});

test("two days of one's own are chosen with the mouse and with Enter, and the chart's last label fits in", async () => {
  const page = await openOverview("range=last_30d");
  const today = new Date().toISOString().slice(0, 10);
  const chosen = () => ["from", "to"].map((name) => new URL(page.url()).searchParams.get(name));
  const openMenu = () => page.locator(".period .menu-anchor > button").click();
  await openMenu();
  await page.locator(".own-range [name=from]").fill("2026-01-05");
  await page.locator(".own-range button").click();
  await expect.poll(chosen).toEqual(["2026-01-05", today]);
  await expect.poll(() => page.$(".own-range")).toBeNull();
  await openMenu();
  await page.locator(".own-range [name=from]").fill("2026-02-05");
  await page.keyboard.press("Enter");
  await expect.poll(chosen).toEqual(["2026-02-05", today]);
  // Nothing but the canvas has the labels of the chart.
  await page.evaluateOnNewDocument(() => {
    const ends: Record<string, number> = {};
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, ...more) {
      ends[text] = this.canvas.width - x - this.measureText(text).width / 2;
      fillText.call(this, text, x, y, ...more);
    };
    Object.assign(globalThis, { ends });
  });
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?from=2026-01-01&to=2026-01-31`);
  const room = () => page.evaluate(() => (globalThis as unknown as { ends: Record<string, number> }).ends["Jan 31"]);
  await expect.poll(room).toBeGreaterThanOrEqual(0);
});

/** What the main buttons on screen say, each with the contrast of its text (WCAG 2.2, 1.4.3). */
async function mainButtons(page: Page): Promise<{ text: string; contrast: number }[]> {
  return await page.evaluate(() => {
    const luminanceOf = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    return [...document.querySelectorAll(".button-main")]
      .filter((button) => button.checkVisibility())
      .map((button) => {
        const { color, backgroundColor } = getComputedStyle(button);
        const [darker = 0, lighter = 0] = [color, backgroundColor]
          .map(luminanceOf)
          .toSorted((one, other) => one - other);
        return { text: button.textContent.trim(), contrast: (lighter + 0.05) / (darker + 0.05) };
      });
  });
}

test("the main buttons of dialogs that panels open can be read", async () => {
  const page = await openOverview("range=today");
  const dialogs = [
    [[".chart .menu-dots", ".chart .panel-tools .menu-item:last-of-type"], "Copy"],
    [["[data-panel=sources] .menu-dots", "[data-panel=sources] .panel-tools .menu-item:last-of-type"], "Copy"],
  ] as const;
  for (const theme of ["light", "dark"]) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    for (const [openers, name] of dialogs) {
      for (const opener of openers) await page.locator(opener).click();
      await page.locator("dialog[open] .button-main").wait();
      const buttons = await mainButtons(page);
      expect(buttons.map(({ text }) => text)).toEqual([name]);
      for (const { contrast } of buttons) expect(contrast, `${name} in the ${theme} theme`).toBeGreaterThan(4.5);
      await page.keyboard.press("Escape");
      await expect.poll(() => page.$("dialog[open]")).toBeNull();
    }
  }
});

test("all funnels of the website are counted, and incidents are marked in the chart and in its table", async () => {
  const steps = (...paths: string[]) => paths.map((value) => ({ kind: "page", value }));
  const funnels = [
    { name: "Prices", steps: steps("/", "/pricing") },
    { name: "Back", steps: steps("/pricing", "/") },
  ];
  const changed = await send("POST", "/websites/update", {
    apiKey: website.apiKey,
    body: { id: website.websiteId, goals: { goals: [], funnels } },
  });
  expect(changed.status).toBe(200);
  const page = await openOverview("range=last_7d");
  await expect
    .poll(async () => (await shownRows(page, "funnel")).slice(0, 2))
    .toEqual([
      ["1. /", "3", "100%"],
      ["2. /pricing", "2", "66.7%"],
    ]);
  expect(await texts(page, "[data-panel=funnel] h3")).toEqual(["Prices", "Back"]);
  expect((await texts(page, "[data-line=funnel] [data-fact]"))[0]).toBe("Prices 66.7%");
  expect(await texts(page, ".legend [data-kind=incident]")).toEqual(["Incidents"]);
  await page.locator(".chart .menu-dots").click();
  await page.locator(".chart .panel-tools .menu-item").click();
  await expect
    .poll(async () => [...new Set(await texts(page, ".chart-table tr:has(.mark-text) .mark-text"))])
    .toEqual(["Incident: Shop"]);
});
