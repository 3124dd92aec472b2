/** All rows of a list beside the page: opened from the menu of a panel, searched, sorted, by pages, and saved as a file. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type AppPageOptions, accessibilityProblems, scrollsSideways, shownFigure } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

type Row = {
  readonly path: string;
  readonly visitors: number;
  readonly pageviews: number;
  readonly conversions: number;
};

let website: TestWebsite;
let files: string;

/** Pages of a shop: /p/1 has one visitor, /p/2 two, and so on; each visitor of an even number orders. */
const pages = 60;

beforeAll(async () => {
  [website, files] = await Promise.all([createWebsite(), mkdtemp(join(tmpdir(), "rows-"))]);
  let atMs = Date.now() - 100_000;
  const events = Array.from({ length: pages }, (_, visitor) => {
    const about = { anonymousId: `v${visitor}`, sessionId: `v${visitor}`, country: visitor % 3 === 0 ? "DE" : "KZ" };
    const views = Array.from({ length: pages - visitor }, (__, page) => ({
      name: "page_view",
      path: `/p/${pages - page}`,
    }));
    const order = visitor % 2 === 0 ? [{ name: "order", path: "/p/1" }] : [];
    return [...views, ...order].map((event) => ({ ...about, ...event, timestamp: ++atMs }));
  }).flat();
  for (let from = 0; from < events.length; from += 100) {
    const body = events.slice(from, from + 100);
    expect(
      (await send("POST", `/batch?website_id=${website.websiteId}`, { apiKey: website.apiKey, body })).status,
    ).toBe(200);
  }
  const views = (pages * (pages + 1)) / 2;
  await vi.waitFor(async () => expect((await rows()).reduce((sum, { pageviews }) => sum + pageviews, 0)).toBe(views), {
    timeout: 200_000,
  });
}, 400_000);
afterAll(async () => {
  await rm(files, { recursive: true, force: true });
});

/** All pages as the API answers them. */
async function rows(): Promise<Row[]> {
  const body = { preset: "today", goal: { event: "order" }, limit: 1_000, parameters: ["top_pages"] };
  const { websiteId, apiKey } = website;
  const answer = (await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body })).body as {
    data: { data: Row[] }[];
  };
  return answer.data[0]?.data ?? [];
}

async function openOverview(query: string, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/dashboard/${website.websiteId}?${query}` });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(pages);
  return page;
}

/** Opens the rows of the panel of pages from its menu, with the keyboard. */
async function openSheet(page: Page): Promise<void> {
  await page.$eval("[data-panel=pages]", (element) => element.scrollIntoView({ block: "center" }));
  await page.locator("[data-panel=pages] tbody tr").wait();
  await page.focus("[data-panel=pages] .menu-dots");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.locator("dialog[open] tbody tr").wait();
}

const labels = (page: Page) =>
  page.$$eval("dialog[open] tbody th", (cells) => cells.map(({ textContent }) => textContent));
const focused = (page: Page) => page.evaluate(() => document.activeElement?.className);

test("a panel has seven rows in each of the others' heights, and its sheet all of them by pages", async () => {
  const page = await openOverview("range=today&goal=event:order");
  await openSheet(page);
  const heights = await page.$$eval(
    "[data-panel=sources], [data-panel=pages], [data-panel=places], [data-panel=devices]",
    (panels) => panels.map((panel) => panel.getBoundingClientRect().height),
  );
  expect(new Set(heights).size).toBe(1);
  expect(await page.$$("[data-panel=pages] .panel-rows tbody tr")).toHaveLength(7);
  const all = (await rows()).toSorted((one, other) => other.visitors - one.visitors).map(({ path }) => path);
  expect(await labels(page)).toEqual(all.slice(0, 50));
  await page.locator("dialog[open] .sheet-pages button:last-of-type").click();
  await expect.poll(() => labels(page)).toEqual(all.slice(50));
  expect(await page.$eval("dialog[open] [role=status]", ({ textContent }) => textContent)).toBe("60 rows");
});

test("a sheet is searched, and sorted by each column in both directions", async () => {
  const page = await openOverview("range=today&goal=event:order");
  await openSheet(page);
  // The search has the focus.
  await page.keyboard.type("/P/5");
  await expect.poll(async () => (await labels(page)).length).toBe(11);
  expect(await page.$eval("dialog[open] .field-hint", ({ textContent }) => textContent)).toBe("Searched in all rows.");
  for (const field of ["conversions", "pageviews", "visitors"] as const) {
    await page.locator(`dialog[open] [data-sort=${field}]`).click();
    const figures = () =>
      page.evaluate((name) => {
        const head = document.querySelector(`dialog[open] [data-sort=${name}]`)?.closest("th");
        const place = [...(head?.parentElement?.children ?? [])].indexOf(head as Element);
        return [...document.querySelectorAll("dialog[open] tbody tr")].map((row) =>
          Number(row.children[place]?.querySelector("data")?.value),
        );
      }, field);
    const shown = await figures();
    expect(shown).toEqual(shown.toSorted((one, other) => other - one));
    expect(shown).toEqual(
      (await rows())
        .filter(({ path }) => path.includes("/p/5"))
        .map((row) => row[field])
        .toSorted((one, other) => other - one),
    );
    await page.locator(`dialog[open] [data-sort=${field}]`).click();
    expect(await figures()).toEqual(shown.toReversed());
    expect(await page.$$eval("dialog[open] [aria-sort]", (heads) => heads.map((head) => head.ariaSort))).toEqual([
      "ascending",
    ]);
  }
  await page.locator("dialog[open] [data-sort=names]").click();
  // As people count: 5 is before 50.
  expect((await labels(page)).slice(0, 2)).toEqual(["/p/5", "/p/50"]);
});

test("the file has the API's rows", async () => {
  const page = await openOverview("range=today&goal=event:order");
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", {
    behavior: "allow",
    downloadPath: files,
    browserContextId: page.browserContext().id ?? "",
  });
  await openSheet(page);
  await page.locator("dialog[open] .sheet-tools button").click();
  await expect.poll(async () => (await readdir(files)).filter((name) => name.endsWith(".csv"))).toHaveLength(1);
  const [name = ""] = await readdir(files);
  expect(name).toMatch(/^top_pages-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/);
  const [header, ...lines] = (await readFile(join(files, name), "utf8")).trimEnd().split("\r\n");
  expect(header).toBe("path,visitors,pageviews,conversions,conversion_rate");
  expect(lines).toEqual(
    (await rows()).map((row) => {
      const { path, visitors, pageviews, conversions, conversion_rate } = row as Row & { conversion_rate: number };
      return [`"${path}"`, visitors, pageviews, conversions, conversion_rate].join(",");
    }),
  );
});

test("a sheet is in the address: back, Escape and a row close it, and the focus returns", async () => {
  const page = await openOverview("range=today");
  const isOpen = async () => (await page.$("dialog[open]")) !== null;
  await openSheet(page);
  expect(new URL(page.url()).searchParams.get("sheet")).toBe("top_pages");
  await page.goBack();
  await expect.poll(isOpen).toBe(false);
  expect(new URL(page.url()).searchParams.get("sheet")).toBeNull();
  await page.goForward();
  await expect.poll(isOpen).toBe(true);
  await page.locator("dialog[open] tbody tr").wait();
  // The search has the focus, and everything else in the sheet follows.
  await page.focus("dialog[open] input");
  for (let step = 0; step < 100; step++) await page.keyboard.press("Tab");
  expect(
    await page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
    ),
  ).toBe(true);
  await page.keyboard.press("Escape");
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => new URL(page.url()).searchParams.get("sheet")).toBeNull();
  await openSheet(page);
  await page.keyboard.press("Escape");
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => focused(page)).toContain("menu-dots");
  await openSheet(page);
  await page.locator("dialog[open] tbody a").click();
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => new URL(page.url()).searchParams.getAll("filter")).toEqual(["path:eq:/p/60"]);
  // Opened from an address, there is no page behind it to go back to.
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=today&sheet=countries`);
  await expect.poll(() => labels(page)).toEqual(["Kazakhstan", "Germany"]);
  await page.keyboard.press("Escape");
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => page.url()).toBe(`${baseUrl}/dashboard/${website.websiteId}?range=today`);
});

test("icons are drawn from the own sprite: flags, marks, and letters where there is none", async () => {
  const page = await openOverview("range=today");
  await page.locator("[data-panel=places] tbody tr").wait();
  expect(
    await page.$$eval("[data-panel=places] .icon-letters", (found) =>
      found.map((icon) => icon.getAttribute("data-letters")),
    ),
  ).toEqual(["KZ"]);
  const flag = await page.$eval("[data-panel=places] svg use", (use) => use.getAttribute("href"));
  expect(flag).toMatch(/\/assets\/sprite-[\w-]+\.svg#de$/);
  const sprite = await page.evaluate(async (url) => (await fetch(url)).headers.get("content-type"), flag ?? "");
  expect(sprite).toBe("image/svg+xml");
  // Something is drawn: the symbol has a size.
  await expect
    .poll(() => page.$eval("[data-panel=places] svg use", (use) => (use as SVGUseElement).getBBox().width))
    .toBeGreaterThan(0);
});

test.each([1_280, 360])("panels, their menu and the sheet break no rule of WCAG 2.2 AA at %i px", async (width) => {
  const page = await openOverview("range=today&goal=event:order", { width });
  for (const panel of await page.$$("main [data-panel]")) await panel.scrollIntoView();
  await page.locator("[data-panel=pages] tbody tr").wait();
  const tops = await page.$$eval("[data-panel=sources] .panel-tab-line > .tab", (tabs) =>
    tabs.map((tab) => Math.round(tab.getBoundingClientRect().top)),
  );
  expect(new Set(tops).size).toBe(1);
  await page.locator("[data-panel=places] .menu-dots").click();
  // The bar above stays in the window and may lie over what is scrolled.
  await page.evaluate(() => scrollTo(0, 0));
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.keyboard.press("Escape");
  await openSheet(page);
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});
