/** What people ask of the overview, and how many clicks from its usual view the answer takes. */
import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, press, shownFigure, shownRows } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { openLines, shownGoals } from "../kit/web/overviewLines.ts";

const { baseUrl } = inject("lookout");

/** The start of a month, 0 for this one and -1 for the last one: the first moments of this month are always over. */
function monthMs(offset: number): number {
  const now = new Date();
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1);
}

/** A visit with these pages and custom events, each 10 ms after the one before. */
function visit(visitor: string, startMs: number, campaign: string, steps: readonly string[]): object[] {
  return steps.map((step, index) => ({
    timestamp: startMs + index * 10,
    anonymousId: visitor,
    sessionId: visitor,
    ...(step.startsWith("/") ? { name: "page_view", path: step } : { name: step, path: steps[index - 1] }),
    ...(index === 0 && campaign !== "" ? { utm_campaign: campaign } : {}),
  }));
}

type Overview = { readonly page: Page; readonly clicks: () => number; readonly apiKey: string };

/** The overview of a website with these events and two goals, as it opens without parameters, in a tab that counts its clicks. */
async function openOverview(events: readonly object[]): Promise<Overview> {
  const { websiteId, organizationId, apiKey } = await createWebsite();
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: events });
  expect(answer).toMatchObject({ status: 200, body: { results: events.map(() => ({ status: "success" })) } });
  const goals = { goals: ["signup", "order"].map((value) => ({ kind: "event", value })), funnel: [] };
  const changed = await send("POST", "/websites/update", { apiKey, body: { id: websiteId, goals } });
  expect(changed.status).toBe(200);
  const page = await openTab({ of: { organizationId } });
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  await page.evaluateOnNewDocument(() =>
    addEventListener("click", () => (globalThis as unknown as { countClick(): void }).countClick(), true),
  );
  await page.goto(`${baseUrl}/dashboard/${websiteId}`);
  await page.locator("[data-panel=goals]").wait();
  return { page, clicks: () => clicks, apiKey };
}

/** Two clicks. */
async function chooseRange(page: Page, name: string): Promise<void> {
  await page.locator(".period .menu-anchor > button").click();
  await page.locator(`.period-choices ::-p-text(${name})`).click();
}

/** A click on a tab or a row of a panel. */
async function clickIn(page: Page, panel: string, kind: "button" | "a", name: string): Promise<void> {
  await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView({ block: "center" }));
  await page.locator(`[data-panel=${panel}] ${kind}::-p-text(${name})`).click();
}

/** The rows of a panel, which is brought into the window. */
async function rowsIn(page: Page, panel: string): Promise<string[][]> {
  await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView({ block: "center" }));
  return await shownRows(page, panel);
}

test("which campaign brought sign-ups last month? Three clicks", async () => {
  const atMs = monthMs(-1);
  const { page, clicks } = await openOverview([
    ...visit("ada", atMs, "spring", ["/", "/pricing", "signup"]),
    ...visit("bob", atMs, "spring", ["/", "signup"]),
    ...visit("cyd", atMs, "newsletter", ["/"]),
    ...visit("dan", atMs, "newsletter", ["/", "signup"]),
    ...visit("eve", atMs, "", ["/", "signup"]),
    ...visit("fay", monthMs(0), "autumn", ["/", "signup"]),
  ]);
  await chooseRange(page, "Last month");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(5);
  await clickIn(page, "goals", "a", "signup");
  // Nothing is compared: of the month before nothing is known.
  await expect
    .poll(() => rowsIn(page, "sources"))
    .toEqual([
      ["spring", "40%", "2", "2", "100%"],
      ["newsletter", "40%", "2", "1", "50%"],
    ]);
  expect(clicks()).toBe(3);
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("which pages lead to orders? One click for all pages and events, two for the first pages of visits", async () => {
  const atMs = noonDaysAgo(1);
  const { page, clicks } = await openOverview([
    ...visit("ada", atMs, "", ["/", "/pricing", "signup", "order"]),
    ...visit("bob", atMs, "", ["/blog", "/pricing"]),
    ...visit("cyd", atMs, "", ["/blog", "/docs", "order", "order"]),
    ...visit("dan", atMs, "", ["/", "/pricing", "signup"]),
    ...visit("eve", atMs, "", ["/"]),
    // An order in another visit counts for that visit's pages.
    ...visit("fay", atMs, "", ["/docs"]),
    ...visit("fay", atMs + 3_600_000, "", ["/blog", "order"]),
  ]);
  await clickIn(page, "goals", "a", "order");
  await expect
    .poll(() => rowsIn(page, "pages"))
    .toEqual([
      ["/", "50%", "3", "1", "33.3%"],
      ["/blog", "50%", "3", "2", "66.7%"],
      ["/pricing", "50%", "3", "1", "33.3%"],
      ["/docs", "33%", "2", "1", "50%"],
    ]);
  expect(clicks()).toBe(1);
  await clickIn(page, "pages", "button", "Entry");
  await expect
    .poll(() => rowsIn(page, "pages"))
    .toEqual([
      ["/", "50%", "3", "1", "33.3%"],
      ["/blog", "50%", "3", "2", "66.7%"],
      ["/docs", "17%", "1", "0", "0%"],
    ]);
  expect(clicks()).toBe(2);
  // The line of events opens with one click more.
  await openLines(page);
  await expect
    .poll(() => rowsIn(page, "events"))
    .toEqual([
      ["order", "50%", "4", "3", "3", "100%"],
      ["signup", "33%", "2", "2", "1", "50%"],
    ]);
  await clickIn(page, "pages", "button", "All");
  // A filter on events selects visits, in all of which the goal is looked for.
  await clickIn(page, "pages", "a", "/docs");
  await expect.poll(() => rowsIn(page, "pages")).toEqual([["/docs", "100%", "2", "1", "50%"]]);
});

test("how did the newsletter do against last month? Three clicks, and a fourth for what it brought", async () => {
  const [now, before] = [monthMs(0), monthMs(-1)];
  const { page, clicks, apiKey } = await openOverview([
    ...visit("ada", before, "newsletter", ["/", "/docs"]),
    ...visit("bob", before, "newsletter", ["/", "order"]),
    ...visit("cyd", before, "spring", ["/", "order"]),
    ...visit("dan", now, "newsletter", ["/", "/docs", "order"]),
    ...visit("eve", now, "newsletter", ["/", "order"]),
    ...visit("fay", now, "newsletter", ["/", "order"]),
    ...visit("gus", now, "autumn", ["/"]),
    ...visit("hal", now, "spring", ["/", "order"]),
    ...visit("ian", now, "spring", ["/", "order"]),
    ...visit("jan", now, "spring", ["/"]),
  ]);
  await chooseRange(page, "This month");
  await clickIn(page, "sources", "button", "Campaigns");
  await page.locator("[data-panel=sources] .change").wait();
  const explanation = await page.$eval("[data-panel=sources] .change", (change) => change.getAttribute("title") ?? "");
  // The month is not over, so it is compared with as much of the one before.
  const time = /^2 ((in|on) .*, \d{4} until )\d\d:\d\d$/.exec(explanation)?.[1] ?? "no time";
  // The minutes go on.
  const rows = async (panel: string) =>
    (await rowsIn(page, panel)).map((row) => row.map((cell) => cell.replace(/(until )\d\d:\d\d/, "$1")));
  await expect
    .poll(() => rows("sources"))
    .toEqual([
      ["newsletter", "43%", "3", `↑ up 50% 2 ${time}`],
      ["spring", "43%", "3", `↑ up 200% 1 ${time}`],
      ["autumn", "14%", "1", `new 0 ${time}`],
    ]);
  const points = (before: string) => `${before} ${time}; pp are percentage points`;
  const bounceRate = await page.$$eval(".figure-change", (changes) => changes[4]?.textContent.replace(/\d\d:\d\d/, ""));
  expect(bounceRate).toBe(`↑ up 28.6 pp ${points("0%")}`);
  expect(clicks()).toBe(3);
  await clickIn(page, "goals", "a", "order");
  expect(clicks()).toBe(4);
  await expect
    .poll(() => rows("sources"))
    .toEqual([
      ["newsletter", "43%", "3", `↑ up 50% 2 ${time}`, "3", "100%"],
      ["spring", "43%", "3", `↑ up 200% 1 ${time}`, "2", "66.7%"],
      ["autumn", "14%", "1", `new 0 ${time}`, "0", "0%"],
    ]);
  const isGood = await page.$$eval("[data-panel=sources] .change", (changes) =>
    changes.map((change) => change.getAttribute("data-good")),
  );
  expect(isGood).toEqual(["true", "true", null]);
  await expect
    .poll(async () => (await shownGoals(page)).map((row) => row.map((cell) => cell.replace(/(until )\d\d:\d\d/, "$1"))))
    .toEqual([
      ["signup", "0 of 7", "0%", `unchanged 0 pp ${points("0%")}`],
      ["order", "5 of 7", "71.4%", `↑ up 4.8 pp ${points("66.7%")}`],
    ]);
  await expect
    .poll(() => rows("pages"))
    .toEqual([
      ["/", "100%", "7", `↑ up 133% 3 ${time}`, "5", "71.4%"],
      ["/docs", "14%", "1", `unchanged 0% 1 ${time}`, "1", "100%"],
    ]);
  // Each panel that asks a query gives it away, also with a goal.
  for (const [panel, openers, row] of [
    ["sources", [".menu-dots", ".panel-tools .menu-item:last-of-type"], { name: "spring", conversions: 2 }],
    ["goals", [".menu-dots", ".panel-tools .menu-item:last-of-type"], { goal: "order", conversions: 5 }],
  ] as const) {
    await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView({ block: "center" }));
    for (const opener of openers) await page.locator(`[data-panel=${panel}] ${opener}`).click();
    const code = () => page.$$eval("dialog[open] .code", (found) => found[0]?.textContent ?? "");
    await expect.poll(code).toMatch(/^curl /);
    const [, path = "", body = ""] = /^curl 'https?:\/\/[^/]+([^']+)'.* -d '(.*)'$/s.exec(await code()) ?? [];
    const answer = (await send("POST", path, { apiKey, body: JSON.parse(body) })).body as {
      data: { data: object[] }[];
    };
    expect(answer.data[0]?.data).toContainEqual(expect.objectContaining(row));
    await page.keyboard.press("Escape");
  }
  // Where the other period is not known, nothing is compared.
  await page.locator("[data-comparison] .menu-anchor > button").click();
  await page.locator(".controls ::-p-text(A year ago)").click();
  await expect
    .poll(() => rows("sources"))
    .toEqual([
      ["newsletter", "43%", "3", "3", "100%"],
      ["spring", "43%", "3", "2", "66.7%"],
      ["autumn", "14%", "1", "0", "0%"],
    ]);
  expect(await page.$$(".change")).toEqual([]);
});

test("what are orders worth? The goal says which property has the amount, and the panel sums each currency by itself", async () => {
  const atMs = noonDaysAgo(1);
  const order = (visitor: string, properties: object) => [
    ...visit(visitor, atMs, "", ["/"]),
    { timestamp: atMs + 20, anonymousId: visitor, sessionId: visitor, name: "order", path: "/", properties },
  ];
  const { page } = await openOverview([
    ...order("ada", { total: 1_200.5, money: "EUR" }),
    ...order("bob", { total: 99.5, money: "EUR" }),
    ...order("cyd", { total: 20, money: "usd" }),
    ...order("dan", { total: 3, money: "points" }),
    ...order("eve", {}),
    ...visit("fay", atMs, "", ["/", "signup"]),
  ]);
  await expect
    .poll(() => shownGoals(page))
    .toEqual([
      ["signup", "1 of 6", "16.7%", ""],
      ["order", "5 of 6", "83.3%", ""],
    ]);
  await press(page, "Set goals", "link");
  const extras = '[data-section="goals"] .step-rows > li:nth-child(2) .step-extra label';
  await page.locator(`${extras}:nth-child(1) input`).fill("total");
  await page.locator(`${extras}:nth-child(2) input`).fill("money");
  expect(new URL(page.url()).pathname).toMatch(/^\/settings\/[^/]+\/goals$/);
  await page.locator('[data-section="goals"] button[type=submit]').click();
  await page.locator('[data-section="goals"] ::-p-text(Saved)').wait();
  await page.goBack();
  await expect
    .poll(() => shownGoals(page))
    .toEqual([
      ["signup", "1 of 6", "16.7%", ""],
      ["order", "5 of 6€1,300$20.003 POINTS", "83.3%", ""],
    ]);
  await page.goto(`${page.url()}?filter=path:eq:/nowhere`);
  await expect
    .poll(() => shownGoals(page))
    .toEqual([
      ["signup", "0 of 0", "–no value", ""],
      ["order", "0 of 0", "–no value", ""],
    ]);
});
