/** The bar of the overview: periods, filters with every condition, keys and focus. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, scrollsSideways, shownFigure } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
  const { websiteId, apiKey } = website;
  const view = (visitor: string, path: string, country: string) => ({
    name: "page_view",
    path,
    country,
    anonymousId: visitor,
    sessionId: visitor,
    timestamp: noonDaysAgo(1),
  });
  const custom = (visitor: string, country: string, name: string, properties: object) => ({
    ...view(visitor, "/pricing", country),
    timestamp: noonDaysAgo(1) + 1_000,
    name,
    properties,
  });
  const body = [
    view("ada", "/docs/first", "DE"),
    view("bob", "/docs", "FR"),
    view("cyd", "/pricing", "FR"),
    view("dan", "/pricing", "US"),
    custom("cyd", "FR", "order", { plan: "pro", seats: 5 }),
    custom("dan", "US", "order", { plan: "team" }),
    custom("dan", "US", "signup", { plan: "free" }),
  ];
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body });
  expect(answer).toMatchObject({ status: 200, body: { results: body.map(() => ({ status: "success" })) } });
});

async function openOverview(query = "", width = 1_280, language = "en") {
  const page = await openTab({ width, language, of: website, path: `/dashboard/${website.websiteId}${query}` });
  await page.locator("[data-figure=visitors]").wait();
  return page;
}

const asked = (page: Page) => {
  const { searchParams } = new URL(page.url());
  return ["range", "from", "to"].map((name) => searchParams.get(name)).filter((value) => value !== null);
};
const filters = (page: Page) => new URL(page.url()).searchParams.getAll("filter");
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test("arrows beside the period and on the keyboard lead to the period before and after, and not past now", async () => {
  const page = await openOverview("?range=last_7d");
  const isDisabled = () => page.$eval("[data-step='1']", (button) => button.getAttribute("aria-disabled"));
  expect(await isDisabled()).toBe("true");
  await page.locator("[data-step='-1']").click();
  await expect.poll(() => asked(page)).toEqual([dayAgo(13), dayAgo(7)]);
  expect(await isDisabled()).toBe("false");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => asked(page)).toEqual(["last_7d"]);
  await page.keyboard.press("ArrowRight");
  expect(asked(page)).toEqual(["last_7d"]);
  await page.keyboard.press("d");
  await expect.poll(() => asked(page)).toEqual(["today"]);
  await page.keyboard.press("y");
  await expect.poll(() => asked(page)).toEqual(["this_year"]);
});

test("all time and the last 24 hours show figures, weeks and months have points", async () => {
  const page = await openOverview("?range=all");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(4);
  expect(await page.$("[data-comparison]")).toBeNull();
  for (const query of ["range=last_12m&by=weekly", "range=last_12m", "range=last_24h"]) {
    await page.goto(`${baseUrl}/dashboard/${website.websiteId}?${query}`);
    await page.locator("[data-figure=visitors], .figure-unknown, .figure-value").wait();
  }
  await page.locator(".period .menu-anchor > button").click();
  await page.locator("::-p-text(kept since)").wait();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.each([
  ["eq", "/docs"],
  ["ne", "/docs"],
  ["contains", "docs"],
  ["not_contains", "docs"],
  ["starts_with", "/docs/"],
  ["ends_with", "first"],
  ["matches", "/d*"],
  ["is_not_empty", ""],
])("a filter with %s on pages shows what the API answers", async (op, value) => {
  const page = await openOverview("?range=last_7d");
  await page.locator("[data-add-filter]").click();
  const operator = await page.waitForSelector("dialog[open] .filter-parts > div:last-child select");
  await operator?.select(op);
  if (value !== "") {
    await page.focus("dialog[open] [role=combobox]");
    await page.keyboard.type(value);
  }
  // By the element: known values appear below the field while its button is looked for.
  await page.$eval("dialog[open] button[type=submit]", (button) => (button as HTMLButtonElement).click());
  const query = {
    preset: "last_7d",
    parameters: ["summary_metrics"],
    filters: [{ field: "path", op, ...(value === "" ? {} : { value }) }],
  };
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: query,
  });
  const { data } = body as { data: { data: { unique_visitors: number }[] }[] };
  const visitors = data[0]?.data[0]?.unique_visitors;
  expect(visitors).toBeGreaterThan(0);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(visitors);
  expect(filters(page)).toEqual([`path:${op}:${value}`]);
});

test("several values are found by their names with the keyboard, changed at their chip, and Escape removes them", async () => {
  const page = await openOverview("?range=last_7d");
  await page.keyboard.press("/");
  await page.locator("dialog[open]").wait();
  const field = await page.waitForSelector("dialog[open] .filter-parts > div:first-child select");
  await field?.select("country");
  await page.focus("dialog[open] [role=combobox]");
  for (const name of ["germ", "FRANCE"]) {
    await page.keyboard.type(name);
    await page.locator("dialog[open] [role=option]").wait();
    await expect
      .poll(() => page.$$eval("dialog [role=option]", (all) => all[0]?.textContent))
      .toMatch(/Germany|France/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect.poll(() => filters(page)).toEqual(["country:in:DE,FR"]);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(3);
  await expect
    .poll(() => page.$eval("[data-filter-message]", (element) => element.textContent))
    .toBe("3 visitors with these filters");
  expect(await page.$eval(".filter-text", (chip) => chip.textContent)).toBe("Country is one of Germany, France");
  await page.locator(".filter-text").click();
  await page.locator("dialog[open] .combobox-remove").click();
  await page.locator("dialog[open] button[type=submit]").click();
  await expect.poll(() => filters(page)).toEqual(["country:eq:FR"]);
  // The focus is at the chip that was changed.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Country is France");
  await page.keyboard.press("Escape");
  await expect.poll(() => filters(page)).toEqual([]);
});

test("a property is chosen by its key and values with the keyboard, changed at its chip, saved, and asked of the API", async () => {
  const page = await openOverview("?range=last_7d");
  await page.keyboard.press("/");
  await page.locator("dialog[open]").wait();
  // The dialog begins at the values; the field is before them.
  await page.focus("dialog[open] .filter-parts > div:first-child select");
  await page.keyboard.type("Prop");
  const suggested = (at: number) =>
    page.$$eval(
      "dialog[open] .combobox",
      (all, index) => [...(all[index]?.querySelectorAll("[role=option]") ?? [])].map(({ textContent }) => textContent),
      at,
    );
  const isInField = (at: number) =>
    page.$$eval("dialog[open] [role=combobox]", (all, index) => all[index] === document.activeElement, at);
  await page.keyboard.press("Tab");
  expect(await isInField(0)).toBe(true);
  await expect.poll(() => suggested(0)).toEqual(["plan", "seats"]);
  await page.keyboard.type("pl");
  await expect.poll(async () => (await suggested(0))[0]).toBe("plan");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  expect(await isInField(1)).toBe(true);
  await expect.poll(async () => (await suggested(1)).sort()).toEqual(["free", "pro", "team"]);
  for (const value of ["pro", "team"]) {
    await page.keyboard.type(value);
    await expect.poll(async () => (await suggested(1))[0]).toBe(value);
    await page.keyboard.press("Enter");
  }
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect.poll(() => filters(page)).toEqual(["properties.plan:in:pro,team"]);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  expect(await page.$eval(".filter-text", (chip) => chip.textContent)).toBe("plan is one of pro, team");
  await page.locator("[data-panel=sources] .menu-dots").click();
  await page.locator("[data-panel=sources] .panel-tools .menu-item:last-of-type").click();
  const called = await page
    .locator("dialog[open] pre")
    .map(({ textContent }) => textContent)
    .wait();
  expect(called).toMatch(/"field":\s*"properties\.plan",\s*"op":\s*"in",\s*"value":\s*\[\s*"pro",\s*"team"\s*\]/);
  await page.keyboard.press("Escape");
  await expect.poll(() => page.$("dialog[open]")).toBeNull();
  await page.locator("[data-segments] .menu-anchor > button").click();
  await page.locator(".segment-choices ::-p-text(Save filters as a segment)").click();
  await page.locator("dialog[open] input.input").fill("Paying");
  await page.keyboard.press("Enter");
  const label = () => page.$eval("[data-segments] .menu-button-text", (button) => button.textContent);
  await expect.poll(label).toBe("Paying");
  // The chip leads to the same choice, and its key can be changed.
  await page.locator(".filter-text").click();
  await page.locator("dialog[open] .combobox-remove").wait();
  expect(await page.$eval("dialog[open] select", ({ selectedOptions }) => selectedOptions[0]?.textContent)).toBe(
    "Property",
  );
  expect(
    await page.$$eval("dialog[open] .combobox-chosen > li", (all) => all.map((item) => item.firstChild?.textContent)),
  ).toEqual(["plan", "pro", "team"]);
  await page.$$eval("dialog[open] .combobox-remove", (all) => (all[0] as HTMLElement).click());
  await page.keyboard.type("seats");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("5");
  await page.$eval("dialog[open] button[type=submit]", (button) => (button as HTMLButtonElement).click());
  await expect.poll(() => filters(page)).toEqual(["properties.seats:eq:5"]);
  await expect.poll(label).toBe("Paying (changed)");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(await page.$eval(".filter-text", (chip) => chip.textContent)).toBe("seats is 5");
});

test("goals are chosen by name with the keyboard, and are a filter on their events or pages", async () => {
  const goals = [
    { kind: "event", value: "order" },
    { kind: "event", value: "signup" },
    { kind: "page", value: "/docs*" },
  ];
  const { websiteId, apiKey } = website;
  const body = { id: websiteId, goals: { goals, funnel: [] } };
  expect((await send("POST", "/websites/update", { apiKey, body })).status).toBe(200);
  const page = await openOverview("?range=last_7d");
  await page.keyboard.press("/");
  await page.locator("dialog[open]").wait();
  await page.focus("dialog[open] .filter-parts > div:first-child select");
  await page.keyboard.type("Goal");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  const options = () => page.$$eval("dialog[open] [role=option]", (all) => all.map(({ textContent }) => textContent));
  await expect.poll(options).toEqual(["order", "signup", "/docs*"]);
  // Only goals of the website can be chosen.
  await page.keyboard.type("nothing");
  await expect.poll(options).toEqual([]);
  for (let letter = 0; letter < "nothing".length; letter++) await page.keyboard.press("Backspace");
  await page.keyboard.type("ord");
  await page.keyboard.press("Enter");
  // A page is no event: no filter selects both.
  await expect.poll(options).toEqual(["signup"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await expect.poll(() => filters(page)).toEqual(["event_name:in:order,signup"]);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  await page.locator(".filter-text").click();
  await page.locator("dialog[open] .combobox-remove").click();
  await page.locator("dialog[open] button[type=submit]").click();
  await expect.poll(() => filters(page)).toEqual(["event_name:eq:signup"]);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await page.keyboard.press("Escape");
  await page.locator("[data-add-filter]").click();
  const field = await page.waitForSelector("dialog[open] .filter-parts > div:first-child select");
  await field?.select("goal");
  await page.focus("dialog[open] [role=combobox]");
  await page.keyboard.type("docs");
  await expect.poll(options).toEqual(["/docs*"]);
  await page.keyboard.press("Enter");
  await page.$eval("dialog[open] button[type=submit]", (button) => (button as HTMLButtonElement).click());
  await expect.poll(() => filters(page)).toEqual(["path:starts_with:/docs"]);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
});

test.each([
  ["de", "Eigenschaft"],
  ["fr", "Propriété"],
])("in %s on a phone a property is a field by its name, and nothing is cut", async (language, name) => {
  const page = await openOverview("?filter=properties.plan:contains:e", 360, language);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await page.locator("[data-add-filter]").click();
  await page.locator("dialog[open] .filter-text").click();
  await page.locator("dialog[open] .combobox-remove").wait();
  expect(await page.$eval("dialog[open] .form select", ({ selectedOptions }) => selectedOptions[0]?.textContent)).toBe(
    name,
  );
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
});

test("? shows the keys, which do nothing in fields, with Ctrl, or turned off", async () => {
  const page = await openOverview("?range=last_7d");
  await page.keyboard.press("?");
  await page.locator("dialog[open] kbd").wait();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("d");
  await page.locator("dialog[open] input[type=checkbox]").click();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.$("dialog[open]")).toBeNull();
  await page.keyboard.press("d");
  expect(asked(page)).toEqual(["last_7d"]);
  // Pressed again until it is noticed: the keys have just been set anew.
  await expect
    .poll(async () => {
      await page.keyboard.press("?");
      return await page.$("dialog[open] input[type=checkbox]");
    })
    .not.toBeNull();
  await page.locator("dialog[open] input[type=checkbox]").click();
  await page.keyboard.press("Escape");
  await expect.poll(() => page.$("dialog[open]")).toBeNull();
  await page.locator(".period .menu-anchor > button").click();
  await page.focus(".own-range input");
  await page.keyboard.press("d");
  expect(asked(page)).toEqual(["last_7d"]);
});

test("at 360 px live count, period and filters are one line, and the bar stays on top", async () => {
  const page = await openOverview("?filter=country:eq:FR", 360);
  const tops = await page.$$eval(".live, .filter-add, .period .menu-anchor > button", (all) =>
    all.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return Math.round(top + height / 2);
    }),
  );
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThan(4);
  expect(await page.$eval(".filter-add", (button) => (button as HTMLElement).innerText)).toBe("Filter · 1");
  expect(await page.$eval(".figure", (figure) => figure.getBoundingClientRect().top)).toBeLessThan(200);
  expect(await scrollsSideways(page)).toBe(false);
  await page.locator(".filter-add").click();
  await page.locator("dialog[open] .filter-text").wait();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.evaluate(() => scrollTo(0, 600));
  expect(await page.$eval(".bar", (bar) => Math.round(bar.getBoundingClientRect().top))).toBeGreaterThanOrEqual(0);
});
