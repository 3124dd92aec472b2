/**
 * The rows of every panel of the demo's overview: what a click on one leads to keeps the laws, and the screen shows what the API answers.
 * With FULL_SIZE=1 each row, else one of each list.
 */
import pino from "pino";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { readConfig } from "../../src/config.ts";
import { fillDemo } from "../../src/demo/fillDemo.ts";
import { trafficOf } from "../../src/demo/traffic.ts";
import { openStores, type Stores } from "../../src/main/compose.ts";
import { handlers } from "../../src/main/handlers.ts";
import { panels } from "../../web/app/src/pages/dashboard/panels/panels.ts";
import type { AnyRow } from "../../web/app/src/pages/dashboard/panels/panelTypes.ts";
import { fewRows } from "../../web/app/src/pages/dashboard/panels/rowCount.ts";
import { sortedRows } from "../../web/app/src/pages/dashboard/panels/shownRows.ts";
import type { ViewFilter } from "../../web/app/src/pages/dashboard/view/filter.ts";
import { readView } from "../../web/app/src/pages/dashboard/view/view.ts";
import { correctNow } from "../kit/calls/erasureCalls.ts";
import { createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createKey } from "../kit/calls/website.ts";
import { sized } from "../kit/random/sized.ts";
import { spread } from "../kit/random/spread.ts";
import { openAppPage, setSessionCookie } from "../kit/servers/appPage.ts";
import { startBrowser } from "../kit/servers/chromium.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { allLists, askOverview, type OverviewAnswers } from "../kit/web/overviewAnswers.ts";
import { brokenLaws, brokenPromises } from "../kit/web/overviewLaws.ts";
import { openLines } from "../kit/web/overviewLines.ts";
import { comparableScreen, expectedOverview, shownOverview } from "../kit/web/overviewScreen.ts";

const dayMs = 86_400_000;
const nowMs = Date.now();
const todayMs = Math.floor(nowMs / dayMs) * dayMs;
const dayOf = (daysAgo: number) => new Date(todayMs - daysAgo * dayMs).toISOString().slice(0, 10);

/** Whole days, so that neither they nor those before them change while the test runs. */
const days = { startDate: dayOf(30), endDate: dayOf(1) };
const comparedDays = { first: dayOf(60), last: dayOf(31) };
/** All panels are in a window of this height, so they ask without scrolling. */
const windowHeight = 6_000;

type Summary = { readonly data: readonly { readonly data: readonly Record<string, unknown>[] | null }[] };

let browser: Browser;
let server: OwnServer;
let stores: Stores;
let page: Page;
let problems: string[];
let websiteId: string;
let call: (path: string, body: object) => Promise<unknown>;
let unfiltered: OverviewAnswers;

beforeAll(async () => {
  const { databaseUrl, questdbHttp, questdbPg } = inject("lookout");
  const organizationId = await createOrganization();
  const [apiKey, port] = await Promise.all([createKey({ organizationId }), freePort()]);
  const env = { UPTIME_ALLOW_CIDRS: "127.0.0.1/32", BASE_URL: `http://127.0.0.1:${port}` };
  server = await startOwnServer(handlers, { PORT: String(port), ...env });
  const { baseUrl } = server;
  stores = openStores(
    readConfig({ DATABASE_URL: databaseUrl, QUESTDB_HTTP: questdbHttp, QUESTDB_PG: questdbPg, ...env }),
    pino({ level: "silent" }),
  );
  call = async (path, body) => {
    const answer = await send("POST", path, { apiKey, body, baseUrl });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  };
  await fillDemo(stores, apiKey, () => undefined);
  const { websites } = (await call("/websites/list", {})) as { websites: { id: string }[] };
  websiteId = websites[0]?.id ?? "";
  const sent = Array.from({ length: 30 }, (_, index) => trafficOf(todayMs - (index + 1) * dayMs, index + 1, nowMs));
  const views = sent.flatMap(({ events }) => events as { name: string }[]).filter(({ name }) => name === "page_view");
  const shownViews = async () => {
    const question = { ...days, parameters: ["summary_metrics"] };
    const { data } = (await call(`/v1/query?website_id=${websiteId}`, question)) as Summary;
    return data[0]?.data?.[0]?.["pageviews"];
  };
  // expect.poll works within tests only.
  await vi.waitFor(async () => expect(await shownViews()).toBe(views.length), { timeout: 200_000, interval: 200 });
  // Until then each question computes sixty days of visits.
  await correctNow();
  unfiltered = await askOverview(call, websiteId, days, []);
  browser = await startBrowser();
  ({ page, problems } = await openAppPage(browser, baseUrl));
  await page.setViewport({ width: 1_280, height: windowHeight });
  const session = await signedIn(await createPerson({ organizationId, role: "owner" }), baseUrl);
  await setSessionCookie(page, session.cookie());
  await page.goto(`${baseUrl}/dashboard/${websiteId}?from=${days.startDate}&to=${days.endDate}&compare=previous`);
  await openLines(page);
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await server?.close();
  await Promise.all([stores?.postgres.end(), stores?.questdb.close()]);
});

/** Answers by their filters: several rows have the same one. */
const asked = new Map<string, Promise<OverviewAnswers>>();

function answersOf(filters: readonly ViewFilter[]): Promise<OverviewAnswers> {
  const key = JSON.stringify(filters);
  const answers = asked.get(key) ?? askOverview(call, websiteId, days, filters);
  asked.set(key, answers);
  return answers;
}

/** Waits until the screen shows what the API answers to the filters in the address. */
async function seeAnswers(lists: readonly string[]): Promise<void> {
  const { filters } = readView(new URL(page.url()).searchParams);
  const expected = expectedOverview(await answersOf(filters), comparedDays, lists);
  await expect
    .poll(async () => comparableScreen(await shownOverview(page), expected), { timeout: 200_000 })
    .toEqual(expected);
}

/** Follows an address within the app, as the back button does. */
async function goTo(href: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState(null, "", address);
    dispatchEvent(new PopStateEvent("popstate"));
  }, href);
}

/** Chooses a list by its tab, or in the menu of further ones. */
async function choose(panel: string, type: string): Promise<void> {
  const tab = `[data-panel=${panel}] [data-tab=${type}]`;
  if ((await page.$(tab)) === null) await page.locator(`[data-panel=${panel}] .panel-further button`).click();
  await page.locator(tab).click();
}

test("without filters the figures keep the laws", () => {
  expect(brokenLaws(unfiltered)).toEqual([]);
});

test.each(allLists.map(({ panel, list }) => [panel, list.type, list] as const))(
  "%s: what each row of %s filters by keeps the laws and the row's figures",
  async (_, type, list) => {
    const rows = spread(unfiltered.lists.get(type)?.rows ?? [], sized(1, 1_000));
    const broken: string[] = [];
    for (const row of rows) {
      const filters = list.filters?.(row as never) ?? [];
      if (filters.length === 0) continue;
      const answers = await answersOf(filters);
      broken.push(...brokenLaws(answers).map((law) => `${JSON.stringify(filters)}: ${law}`));
      broken.push(...brokenPromises(list, row, answers));
    }
    expect(broken).toEqual([]);
  },
  600_000,
);

test.each(panels.map(({ id, lists }) => [id, lists] as const))(
  "%s: each list shows the API's rows, a click on the first one filters, and so do the others",
  async (panel, lists) => {
    const start = page.url();
    for (const list of lists) {
      await choose(panel, list.type);
      await seeAnswers([list.type]);
      const links = await page.$$eval(`[data-panel=${panel}] tbody a`, (found) => found.map(({ href }) => href));
      const rows = sortedRows(list, (unfiltered.lists.get(list.type)?.rows ?? []) as unknown as AnyRow[], undefined);
      const filters = rows
        .slice(0, fewRows)
        .map(({ row }) => list.filters?.(row as never) ?? [])
        .filter(({ length }) => length > 0);
      expect(links.map((href) => readView(new URL(href).searchParams).filters)).toEqual(filters);
      if (links.length === 0) continue;
      await page.locator(`[data-panel=${panel}] tbody a`).click();
      expect(page.url()).toBe(links[0]);
      await seeAnswers([list.type]);
      for (const href of spread(links.slice(1), sized(0, fewRows))) {
        await goTo(href);
        await seeAnswers([list.type]);
      }
      await goTo(start);
    }
    await choose(panel, lists[0]?.type ?? "");
    await seeAnswers([]);
    expect(problems).toEqual([]);
  },
  900_000,
);

test("the map has the visitors of the API's countries, and a click on one filters by it", async () => {
  await choose("places", "map");
  await page.locator(".map-country[data-country=DE]:not([data-visitors='0'])").wait();
  const shown = await page.$$eval(".map-country:not([data-visitors='0'])", (countries) =>
    countries.map((country) => [country.getAttribute("data-country"), Number(country.getAttribute("data-visitors"))]),
  );
  const rows = (unfiltered.lists.get("countries")?.rows ?? []).filter(({ name }) => name !== "Unknown");
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(rows.map(({ name, visitors }) => [name, visitors])));
  const most = Math.max(...rows.map(({ visitors }) => Number(visitors)));
  expect(await page.$eval(".map-legend data:last-of-type", ({ value }) => Number(value))).toBe(most);
  await page.locator(".map-country[data-country=DE]").click();
  expect(readView(new URL(page.url()).searchParams).filters).toEqual([{ field: "country", op: "eq", value: "DE" }]);
  expect(problems).toEqual([]);
}, 600_000);
