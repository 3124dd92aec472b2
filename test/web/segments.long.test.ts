/** Saved filters in a real browser: saved, chosen, changed, deleted, and in links. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, fill, press, scrollsSideways, shownFigure } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");
const french = [{ field: "country", op: "eq", value: "FR" }];

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01", publicAccess: true });
  const { websiteId, apiKey } = website;
  const view = (visitor: string, path: string, country: string) => ({
    name: "page_view",
    path,
    country,
    anonymousId: visitor,
    sessionId: visitor,
    timestamp: noonDaysAgo(1),
  });
  const body = [view("ada", "/docs", "DE"), view("bob", "/docs", "FR"), view("cyd", "/pricing", "FR")];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  const visitors = async () => {
    const query = { preset: "last_7d", parameters: ["summary_metrics"] };
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body: query });
    return (answer.body as { data: { data: { unique_visitors: number }[] }[] }).data[0]?.data[0]?.unique_visitors;
  };
  await vi.waitFor(async () => expect(await visitors()).toBe(3), { timeout: 100_000 });
});

async function open(query = "", options: TabOptions = {}) {
  const page = await openTab({
    of: website,
    path: `/dashboard/${website.websiteId}?range=last_7d${query}`,
    ...options,
  });
  await page.locator("[data-figure=visitors]").wait();
  return page;
}

async function make(name: string, shared = true, filters: object[] = french): Promise<string> {
  const body = { websiteId: website.websiteId, name, filters, shared };
  const answer = await send("POST", "/v1/segments/create", { apiKey: website.apiKey, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { id: string }).id;
}

const parameters = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return { filters: searchParams.getAll("filter"), segment: searchParams.get("segment") };
};
const label = (page: Page) => page.$eval("[data-segments] .menu-button-text", (button) => button.textContent);
const openMenu = async (page: Page) => {
  await page.locator("[data-segments] .menu-anchor > button").click();
  await page.locator(".segment-choices").wait();
};
const choices = (page: Page) =>
  page.$$eval(".segment-choices .menu-item", (items) => items.map(({ textContent }) => textContent));
const choose = (page: Page, text: string) =>
  page.$$eval(
    ".segment-choices .menu-item",
    (items, wanted) => {
      const item = items.find(({ textContent }) => textContent === wanted);
      if (!(item instanceof HTMLElement)) throw new Error(`there is no choice ${wanted}`);
      item.click();
    },
    text,
  );

test("present filters are saved, chosen from the bar, renamed, replaced and deleted", async () => {
  const page = await open("&filter=country:eq:FR");
  await openMenu(page);
  await choose(page, "Save filters as a segment");
  await fill(page, "Name", "French");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect.poll(() => label(page)).toBe("French");
  const { segment } = parameters(page);
  expect(segment).not.toBeNull();
  // Another filter is a change of what was saved.
  await page.goto(`${page.url()}&filter=path:eq:/docs`);
  await expect.poll(() => label(page)).toBe("French (changed)");
  await openMenu(page);
  await choose(page, "Save the changed filters");
  await press(page, "Save");
  await expect.poll(() => label(page)).toBe("French");
  await openMenu(page);
  await choose(page, "Rename or share “French”");
  await page.locator("dialog[open] input.input").fill("French docs");
  await page.locator("dialog[open] input[type=checkbox]").click();
  await press(page, "Save");
  await expect.poll(() => label(page)).toBe("French docs");
  // It is chosen on a page without filters, and unchosen with them.
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=last_7d`);
  await page.locator("[data-figure=visitors]").wait();
  await openMenu(page);
  await expect.poll(() => choices(page)).toContain("French docs");
  expect(await accessibilityProblems(page)).toEqual([]);
  await choose(page, "French docs");
  await expect.poll(() => parameters(page)).toEqual({ filters: ["country:eq:FR", "path:eq:/docs"], segment });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await page.keyboard.press("Escape");
  await page.$eval("[data-segments] .menu-anchor > button", (button) => (button as HTMLElement).blur());
  await page.keyboard.press("Escape");
  await expect.poll(() => parameters(page)).toEqual({ filters: [], segment: null });
  await page.goBack();
  await expect.poll(() => label(page)).toBe("French docs");
  await openMenu(page);
  await choose(page, "Delete “French docs”");
  await press(page, "Delete");
  await expect.poll(() => label(page)).toBe("Segments");
  expect(parameters(page)).toEqual({ filters: ["country:eq:FR", "path:eq:/docs"], segment: null });
});

test("a link shows the same to somebody who does not see the segment, and after it was deleted meanwhile", async () => {
  const id = await make("Gone soon");
  const page = await open(`&filter=country:eq:FR&segment=${id}`);
  await expect.poll(() => label(page)).toBe("Gone soon");
  await send("POST", "/v1/segments/delete", { apiKey: website.apiKey, body: { id } });
  await openMenu(page);
  await page.locator("::-p-text(Its filters stay)").wait();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  await page.reload();
  await page.locator("[data-figure=visitors]").wait();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  expect(await label(page)).toBe("Segments");
  // It is saved again from there.
  await openMenu(page);
  await choose(page, "Save filters as a segment");
  await fill(page, "Name", "Back again");
  await press(page, "Save");
  await expect.poll(() => label(page)).toBe("Back again");
});

test("a segment that was deleted while its dialog is open is said to be gone, and the page goes on", async () => {
  const id = await make("Lost");
  const page = await open(`&filter=country:eq:FR&segment=${id}`);
  await expect.poll(() => label(page)).toBe("Lost");
  await openMenu(page);
  await choose(page, "Rename or share “Lost”");
  await send("POST", "/v1/segments/delete", { apiKey: website.apiKey, body: { id } });
  await press(page, "Save");
  await page.locator("dialog[open] .notice-bad, dialog[open] [role=alert]").wait();
  await press(page, "Cancel");
  await expect.poll(() => label(page)).toBe("Segments");
  expect(await shownFigure(page, "visitors")).toBe(2);
});

test("a viewer saves own segments and changes no shared ones; a public overview has the shared ones", async () => {
  const id = await make(`Team ${crypto.randomUUID()}`);
  const page = await open(`&filter=country:eq:FR&segment=${id}`, { role: "viewer" });
  await openMenu(page);
  await expect.poll(() => choices(page)).toContain("Save filters as a segment");
  const shown = await choices(page);
  expect(shown.filter((text) => /Delete|Rename|changed/.test(text ?? ""))).toEqual([]);
  await choose(page, "Save filters as a segment");
  await fill(page, "Name", "Only mine");
  expect(await page.$("dialog[open] input[type=checkbox]")).toBeNull();
  await press(page, "Save");
  await expect.poll(() => label(page)).toBe("Only mine");
  const visitor = await openTab({ path: `/shared/${website.websiteId}?range=last_7d` });
  await visitor.locator("[data-segments]").wait();
  await openMenu(visitor);
  const shownChoices = await choices(visitor);
  expect(shownChoices.some((text) => text?.startsWith("Team"))).toBe(true);
  expect(shownChoices).not.toContain("Only mine");
  expect(shownChoices).not.toContain("Save filters as a segment");
});

test("in the dark theme the menu and its dialog break no rule of WCAG 2.2 AA", async () => {
  const id = await make("In the dark");
  const page = await open(`&filter=country:eq:FR&segment=${id}`, { theme: "dark" });
  await expect.poll(() => label(page)).toBe("In the dark");
  await openMenu(page);
  expect(await accessibilityProblems(page)).toEqual([]);
  await choose(page, "Rename or share “In the dark”");
  await page.locator("dialog[open] input.input").wait();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("the menu is used by keyboard, and closes with Escape to its button", async () => {
  await make("By keys");
  const page = await open();
  await page.focus("[data-segments] .menu-anchor > button");
  await page.keyboard.press("Enter");
  await expect.poll(() => choices(page)).toContain("By keys");
  const at = (await choices(page)).indexOf("By keys");
  for (let step = 0; step <= at; step++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => label(page)).toBe("By keys");
  expect(await page.evaluate(() => document.activeElement?.closest("[data-segments]") !== null)).toBe(true);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  expect(await page.$(".segment-choices")).toBeNull();
});

test("on a phone in German segments are in the dialog of filters, without being cut", async () => {
  await make("Französische Besucherinnen und Besucher der Dokumentation im letzten Jahr");
  const page = await open("&filter=country:eq:FR", { width: 360, language: "de", theme: "dark" });
  await page.locator("[data-add-filter]").click();
  await page.locator("dialog[open] .segment-fold summary").click();
  await page.locator("dialog[open] .segment-choices").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await choose(page, "Filter als Segment speichern");
  await page.locator("dialog[open] dialog[open] input.input").fill("Frankreich");
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.keyboard.press("Enter");
  await expect.poll(() => parameters(page).segment).not.toBeNull();
  await expect.poll(() => page.$("dialog[open] dialog[open]")).toBeNull();
  await choose(page, "Französische Besucherinnen und Besucher der Dokumentation im letzten Jahr");
  await expect.poll(() => page.$("dialog[open]")).toBeNull();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
});
