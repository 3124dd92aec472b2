/** Dashboards that are shared by a link, in a browser: the card in the settings, the page of the link, and frames. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createPerson, type Browser as Session, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { share } from "../kit/calls/sharedAccess.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { sendEvents } from "../kit/calls/websiteCalls.ts";
import { accessibilityProblems, fill, press, scrollsSideways, shownFigure } from "../kit/servers/appPage.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";

const figures = ["summary_metrics", "active_stats", "events_by_date", "page_views"];

let site: TestWebsite;
let owner: Session;
let embedder: Server;
/** The address that the embedder's page frames. */
let framed = "";

beforeAll(async () => {
  site = await createWebsite();
  owner = await signedIn(await createPerson({ organizationId: site.organizationId }));
  const view = (path: string, visitor: string) => ({
    name: "page_view",
    path,
    anonymousId: visitor,
    sessionId: visitor,
  });
  const events = [view("/shop", "a"), view("/shop", "b"), view("/blog", "c")];
  expect((await sendEvents(site.websiteId, events)).status).toBe(200);
  embedder = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><title>x</title><iframe src="${framed}" width="900" height="700"></iframe>`);
  });
  await new Promise<void>((resolve) => embedder.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void embedder?.close());

const embedderOrigin = () => `http://127.0.0.1:${(embedder.address() as AddressInfo).port}`;

const openLink = (url: string, options: TabOptions = {}) =>
  openTab({ ...options, path: url.slice(new URL(url).origin.length) });

const panelsOf = (page: Page) => page.$$eval("[data-panel]", (all) => all.map((one) => one.getAttribute("data-panel")));

test("an owner shares a dashboard, hands its link over, changes and revokes it", async () => {
  const page = await openTab({ session: owner, path: `/settings/${site.websiteId}/sharing` });
  await press(page, "Share a dashboard");
  await fill(page, "Name", "Customer");
  for (const panel of ["places", "devices"]) await page.locator(`dialog[open] input[value="${panel}"]`).click();
  await page.locator('dialog[open] textarea[name="origins"]').fill("https://a.example");
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.setViewport({ width: 360, height: 900 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.setViewport({ width: 1_280, height: 900 });
  await page.locator("dialog[open] .button-main").click();
  await page.locator("[data-share-url]").wait();
  const url = await page.$eval("[data-share-url]", (element) => element.textContent.trim());
  expect(await page.$eval("[data-share-snippet]", (element) => element.textContent)).toContain(`<iframe src="${url}"`);
  await press(page, "Done");
  const row = '[data-share="Customer"]';
  await page.locator(row).wait();
  expect(await page.$eval(row, (element) => element.textContent)).toContain("Key figures, Sources, Pages");
  expect(await page.content()).not.toContain(new URL(url).hash.slice(1));

  const reader = await openLink(url, { wrongStatuses: [401, 403] });
  await expect.poll(() => shownFigure(reader, "visitors"), { timeout: 30_000 }).toBe(3);
  await reader.locator('[data-panel="pages"]').wait();
  expect(await panelsOf(reader)).toEqual(["sources", "pages"]);
  expect(await reader.$$eval("header, [data-segments]", (all) => all.length)).toBe(0);
  expect(await accessibilityProblems(reader)).toEqual([]);
  await reader.setViewport({ width: 360, height: 900 });
  expect(await scrollsSideways(reader)).toBe(false);
  // The link stays in the address when the period changes, so that a reload opens it again.
  await reader.evaluate(() => scrollTo(0, 0));
  expect(new URL(reader.url()).hash).toBe(new URL(url).hash);
  await reader.reload();
  await expect.poll(() => shownFigure(reader, "visitors"), { timeout: 30_000 }).toBe(3);
  expect(await reader.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual([
    "",
    0,
    0,
  ]);
  await reader.close();

  await press(page, "Change Customer");
  await fill(page, "Password (optional)", "open sesame");
  await page.locator("dialog[open] .button-main").click();
  await page.waitForSelector("dialog[open]", { hidden: true });
  const locked = await openLink(url);
  await locked.locator("input[type=password]").fill("not sesame");
  await press(locked, "Open");
  await expect.poll(() => locked.$eval("main", (main) => main.textContent)).toContain("This is not the password");
  await locked.locator("input[type=password]").fill("open sesame");
  await press(locked, "Open");
  await expect.poll(() => shownFigure(locked, "visitors"), { timeout: 30_000 }).toBe(3);

  await press(page, "Revoke Customer");
  await page.locator(`${row} dialog[open] .button-bad`).click();
  await page.waitForSelector(row, { hidden: true });
  const ended = await openLink(url);
  await expect.poll(() => ended.$eval("main", (main) => main.textContent)).toContain("This link does not work");
  expect(await accessibilityProblems(ended)).toEqual([]);
});

test("a page of an allowed origin frames it without cookies, and no other does", async () => {
  const types = [...figures, "top_pages"];
  const filters = [{ field: "path", op: "eq", value: "/shop" }];
  const { url } = await share(site, types, { filters, origins: [embedderOrigin()] });
  framed = url;
  const page = await openTab({ isUnchecked: true });
  await page.goto(embedderOrigin());
  const frame = await (await page.waitForSelector("iframe"))?.contentFrame();
  await frame?.waitForSelector('data[data-figure="visitors"]', { timeout: 60_000 });
  await expect
    .poll(() => frame?.$eval('data[data-figure="visitors"]', (data) => Number((data as HTMLDataElement).value)), {
      timeout: 30_000,
    })
    .toBe(2);
  expect(await page.browserContext().cookies()).toEqual([]);
  const refused = await share(site, types, { origins: ["https://a.example"] });
  framed = refused.url;
  await page.goto(embedderOrigin());
  const blocked = await (await page.waitForSelector("iframe"))?.contentFrame();
  await expect.poll(() => blocked?.url() ?? "").toContain("chrome-error");
});

test("who is signed in sees in a link what everybody sees", async () => {
  const { url } = await share(site, [...figures, "top_pages"], {
    filters: [{ field: "path", op: "eq", value: "/blog" }],
  });
  const page = await openLink(url, { session: owner });
  await expect.poll(() => shownFigure(page, "visitors"), { timeout: 30_000 }).toBe(1);
  expect(await page.$$("header")).toEqual([]);
  const { body } = await send("GET", `/shared/${site.websiteId}/${new URL(url).pathname.split("/").at(-1)}`, {
    headers: { cookie: owner.cookie() ?? "" },
  });
  expect(String(body)).toContain('{"session":null}');
});
