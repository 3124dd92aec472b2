/** The overview as the service sends it: drawn, with its figures, before any script of the app has run. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { shownFigure } from "../kit/servers/appPage.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");
let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01" });
  await inDatabase((database) =>
    database.query("UPDATE websites SET created_at = '2020-01-01' WHERE id = $1", [website.websiteId]),
  );
  const { websiteId, apiKey } = website;
  const view = (visitor: string, path: string) => ({
    name: "page_view",
    path,
    anonymousId: visitor,
    sessionId: visitor,
    timestamp: Date.now(),
  });
  const body = [view("ada", "/"), view("ada", "/prices"), view("bob", "/")];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
});

const overview = (query: string) => `${baseUrl}/dashboard/${website.websiteId}?${query}`;

async function openOwners(language = "en") {
  const page = await openTab({ language, of: website });
  await page.setExtraHTTPHeaders({ "accept-language": language });
  return page;
}

/** Opens the page as the service has drawn it: again until it has the figures, for which it does not wait long. */
async function seeDrawn(page: Page, address: string): Promise<void> {
  await page.setJavaScriptEnabled(false);
  await vi.waitUntil(
    async () => {
      await page.goto(address);
      return (await page.$(".figures data")) !== null;
    },
    { timeout: 100_000 },
  );
}

/** The key figures and the bar as they are written. What the app says after its first frame is left out. */
async function written(page: Page): Promise<(string | undefined)[]> {
  return await page.$$eval(".figures > li, .filter-bar, .controls, .header-inner", (parts) =>
    parts.map((part) => {
      const copy = part.cloneNode(true) as Element;
      for (const later of copy.querySelectorAll(".definition-text")) later.remove();
      return copy.textContent?.trim();
    }),
  );
}

test.each([
  "range=today",
  "range=last_7d&compare=none&metric=pageviews",
  "range=last_24h&compare=year&filter=path:eq:%2F",
])("the service draws what the app shows: %s", async (query) => {
  const page = await openOwners();
  await seeDrawn(page, overview(query));
  const drawn = await written(page);
  expect(drawn.length).toBeGreaterThan(8);
  await page.setJavaScriptEnabled(true);
  await page.goto(overview(query));
  await page.locator('[data-live="live"]').wait();
  expect(await written(page)).toEqual(drawn);
});

test("figures are on screen before the app is loaded, which takes over the elements, moves nothing and asks for no figure again", async () => {
  const page = await openOwners();
  await seeDrawn(page, overview("range=today"));
  await page.setJavaScriptEnabled(true);
  await page.evaluateOnNewDocument(() => {
    const shifts: number[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  const released = Promise.withResolvers<void>();
  const asked: string[] = [];
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const sent = `${decodeURIComponent(request.url())} ${request.postData() ?? ""}`;
    if (/QueryService\/Query[ ?]/.test(sent) && sent.includes('"summary_metrics"')) asked.push(sent);
    if (!/\/main-[\w-]+\.js$/.test(request.url())) return void request.continue();
    void released.promise.then(() => request.continue()).catch(() => undefined);
  });
  await page.goto(overview("range=today"), { waitUntil: "domcontentloaded" });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  expect(await shownFigure(page, "pageviews")).toBe(3);
  const parts = ".header, .bar, .bar .button, .figures > li, .figures data, .chart, [data-panel=sources]";
  const count = await page.$$eval(parts, (elements) => {
    for (const element of elements) Object.assign(element, { wasDrawn: true });
    return elements.length;
  });
  expect(count).toBeGreaterThan(20);
  released.resolve();
  await page.locator('.bar [data-live="live"], .dashboard[data-live="live"]').wait();
  const kept = await page.$$eval(parts, (elements) => elements.map((element) => "wasDrawn" in element));
  expect(kept).toEqual(kept.map(() => true));
  expect(asked).toEqual([]);
  const moved = await page.evaluate(() =>
    (globalThis as unknown as { shifts: number[] }).shifts.reduce((sum, value) => sum + value, 0),
  );
  expect(moved).toBeLessThan(0.02);
  await page.locator(".figures > li:nth-child(3) .figure-choose").click();
  await page.locator('.chart[aria-label^="Page views"]').wait();
});

test("it is drawn in the language, the regional form and the theme that the browser has shown last", async () => {
  const page = await openOwners("de-AT");
  await page.goto(overview("range=today"));
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  await page.evaluate(() => localStorage.setItem("lookout.theme", "dark"));
  await page.goto(overview("range=today"));
  await page.locator('html[data-theme="dark"] [data-live="live"]').wait();
  await page.setExtraHTTPHeaders({ "accept-language": "fr" });
  await seeDrawn(page, overview("range=today"));
  const [lang, theme, text] = await page.$eval("html", (html) => [
    html.lang,
    html.dataset["theme"],
    html.querySelector(".figures")?.textContent,
  ]);
  expect([lang, theme]).toEqual(["de", "dark"]);
  expect(text).toContain("Besucher");
  // Austria separates them by a comma, as the app does.
  expect(text).toContain("1,50");
});

test("a question that is refused is drawn without figures, and the app says why", async () => {
  const page = await openOwners();
  const address = overview("from=2001-01-01&to=2026-01-01");
  await page.setJavaScriptEnabled(false);
  await page.goto(address);
  expect(await page.$$eval(".figures > li", (all) => all.length)).toBe(6);
  expect(await page.$(".figures data")).toBeNull();
  await page.setJavaScriptEnabled(true);
  await page.goto(address);
  await page.locator(".notice-error, [role=alert]").wait();
  expect(await page.$(".figures data")).toBeNull();
});
