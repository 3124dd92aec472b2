/** The line and the panel of what was left out: the screen shows what the API answers. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type AppPageOptions, accessibilityProblems, scrollsSideways, shownRows } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { shownFacts } from "../kit/web/overviewLines.ts";

const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const agents = {
  google: "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  gpt: "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot",
  claudeUser:
    "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)",
};
const view = { name: "screen_view", path: "/prices" };

type Row = { readonly reason: string; readonly name: string; readonly count: number };

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
  const batch = async (count: number, headers: Record<string, string>) => {
    const body = Array.from({ length: count }, () => view);
    expect((await send("POST", `/batch?website_id=${website.websiteId}`, { body, headers })).status).toBe(200);
  };
  await batch(5, { "user-agent": agents.google });
  await batch(3, { "user-agent": agents.gpt });
  await batch(2, { "user-agent": agents.claudeUser });
  await batch(4, { "user-agent": chrome, dnt: "1" });
  await batch(1, { "user-agent": chrome });
  const sum = async () => (await answered<Row>("excluded_traffic")).reduce((all, { count }) => all + count, 0);
  await vi.waitFor(async () => expect(await sum()).toBe(14), { timeout: 200_000 });
});

/** The rows that the API answers. */
async function answered<R>(type: string, preset = "last_7d"): Promise<R[]> {
  const { websiteId, apiKey } = website;
  const body = { preset, parameters: [type], granularity: "daily" };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  return (answer.body as { data: { data: R[] }[] }).data[0]?.data ?? [];
}

async function openOverview(query: string, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/dashboard/${website.websiteId}?${query}` });
  await page.locator("[data-line=excluded]").wait();
  const waiting = async () => {
    await page.$eval("[data-line=excluded]", (line) => line.scrollIntoView());
    return (await page.$$("[data-line=excluded] .line-waiting")).length;
  };
  await expect.poll(waiting).toBe(0);
  return page;
}

async function openLine(page: Page): Promise<void> {
  await page.locator("[data-line=excluded] .line-open").click();
  await page.locator("[data-panel=excluded] .excluded-bars").wait();
}

const bars = (page: Page) =>
  page.$$eval(".excluded-bars > li", (all) =>
    all.map((bar) => {
      const { bucket, value, unknown } = (bar as HTMLElement).dataset;
      return [bucket, unknown === "true" ? null : Number(value)];
    }),
  );

test("the line and its panel have the API's figures, by reason, by bot, by AI system and by day", async () => {
  const page = await openOverview("range=last_7d");
  const rows = await answered<Row>("excluded_traffic");
  const countOf = (reason: string) =>
    rows.filter((row) => row.reason === reason).reduce((sum, { count }) => sum + count, 0);
  expect(await shownFacts(page, "excluded")).toEqual([
    "14 events left out",
    `Bots ${countOf("bot")}`,
    `Do Not Track or Global Privacy Control ${countOf("do_not_track")}`,
  ]);
  await openLine(page);
  expect(await shownRows(page, "excluded")).toEqual([
    ["Bots", "10", "71%"],
    ["Do Not Track or Global Privacy Control", "4", "29%"],
  ]);
  // The website was not there before today.
  const days = await answered<{ date: string; count: number | null }>("excluded_traffic_by_day");
  expect(days.map(({ count }) => count)).toContain(null);
  expect(await bars(page)).toEqual(days.map(({ date, count }) => [date, count]));
  expect(await page.$eval(".excluded-note", (note) => note.textContent)).toContain("is not known");
  await page.locator("[data-panel=excluded] [data-tab=bots]").click();
  expect(await shownRows(page, "excluded")).toEqual([
    ["Googlebot (Search engine, Google)", "5", "50%"],
    ["GPTBot (AI crawler, OpenAI)", "3", "30%"],
    ["Claude-User (AI agent, Anthropic)", "2", "20%"],
  ]);
  await page.locator("[data-panel=excluded] [data-ask=ai]").click();
  const systems = await answered<Row>("ai_systems");
  expect((await shownRows(page, "excluded")).map(([name = "", count]) => `${name.split(" ")[0]} ${count}`)).toEqual(
    systems.map(({ name, count }) => `${name} ${count}`),
  );
  expect(await page.$eval(".excluded-foot", (foot) => foot.textContent)).toContain("run no script");
});

test("an address opens the list of AI systems", async () => {
  const page = await openOverview("range=today&open=ai_systems");
  await page.locator("[data-panel=excluded] table").wait();
  expect((await shownRows(page, "excluded")).map(([name]) => name)).toEqual([
    "GPTBot (AI crawler, OpenAI)",
    "Claude-User (AI agent, Anthropic)",
  ]);
});

test("days before anything was counted are not known", async () => {
  const page = await openOverview("from=2025-01-01&to=2025-01-07");
  expect(await shownFacts(page, "excluded")).toEqual(["Not counted yet in this time."]);
});

test.each([
  [1_280, "light", "en"],
  [1_280, "dark", "fr"],
  [360, "light", "de"],
  [360, "dark", "de"],
] as const)("the open panel breaks no rule of WCAG 2.2 AA, %i px, %s, %s", async (width, theme, language) => {
  const page = await openOverview("range=last_90d", { width, theme, language });
  await openLine(page);
  await page.locator("[data-panel=excluded] [data-tab=bots]").click();
  await page.evaluate(() => scrollTo(0, 0));
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.$eval("[data-panel=excluded]", (panel) => panel.scrollIntoView({ block: "center" }));
  const { PICTURES } = process.env;
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/excluded-${width}-${theme}.png` });
});
