import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createWebsite } from "../kit/calls/website.ts";
import { startBrowser } from "../kit/servers/chromium.ts";

let browser: Browser;
let page: Page;
const problems: string[] = [];
const addresses: string[] = [];
const { baseUrl } = inject("lookout");

beforeAll(async () => {
  browser = await startBrowser();
  page = await browser.newPage();
  page.on("console", (message) => {
    if (["error", "warn"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(`${baseUrl}/docs`);
  await page.waitForSelector(".opblock");
});
afterAll(() => browser?.close());

/** Waits for an element, then clicks it as a script does: the page scrolls and moves while it opens operations. */
async function click(selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.$eval(selector, (element) => (element as HTMLElement).click());
}

test("the page shows every operation with its summary", async () => {
  const document: { paths: Record<string, object> } = await (await fetch(`${baseUrl}/openapi.json`)).json();
  const count = Object.values(document.paths).flatMap((path) => Object.keys(path)).length;
  expect(await page.$$eval(".opblock", (blocks) => blocks.length)).toBe(count);
  const summaries = await page.$$eval(".opblock-summary-description", (found) => found.map((one) => one.textContent));
  expect(summaries.filter((summary) => !summary)).toEqual([]);
});

test("an operation can be tried with a key, and shows the answer of the service", async () => {
  const { websiteId, apiKey } = await createWebsite();
  await click("button.authorize");
  await page.type('input[aria-label="auth-bearer-value"]', apiKey);
  await click(".auth-btn-wrapper button.authorize");
  await click("button.btn-done");
  const block = "#operations-Website-listWebsites";
  await click(`${block} .opblock-summary-control`);
  await click(`${block} .try-out__btn`);
  await click(`${block} .execute`);
  await page.waitForSelector(`${block} .live-responses-table .response`);
  const answer = await page.$eval(`${block} .live-responses-table .response`, (row) => row.textContent);
  expect(answer).toContain("200");
  expect(answer).toContain(websiteId);
});

test.each([
  ["short link", "/links/create"],
  ["CreateMonitor", "/uptime/monitors/create"],
  ["event", "/batch"],
  ["POST /batch", "/batch"],
  ["goals", "/v1/query/goals"],
  ["createLink", "/links/create"],
])("a search for %s finds %s by words, and few others", async (words, path) => {
  expect(await found(words)).toContain(path);
  expect((await found(words)).length).toBeLessThan(15);
});

test("a search for nothing that there is finds nothing; without a search all is there", async () => {
  expect(await found("no such call")).toEqual([]);
  expect((await found("")).length).toBeGreaterThan(100);
});

test("calls are in the order in which people need them", async () => {
  const tags = await page.$$eval(".opblock-tag", (all) => all.map((tag) => tag.getAttribute("data-tag")));
  expect(tags.slice(0, 5)).toEqual(["Ingest", "Query", "Funnel", "Uptime", "Link"]);
});

/** The paths that the page shows after a search. */
async function found(words: string): Promise<string[]> {
  await page.click("#search", { count: 3 });
  await page.keyboard.press("Backspace");
  await page.type("#search", words);
  await page.waitForFunction(
    (text) => (document.querySelector("#search") as HTMLInputElement).value === text,
    {},
    words,
  );
  return await page.$$eval(".opblock-summary-path", (paths) =>
    paths.map((path) => path.textContent.replaceAll("\u200b", "")),
  );
}

test("nothing else is loaded or called, nothing is blocked by the policy and nothing fails", () => {
  const origin = new URL(baseUrl).origin;
  expect(addresses.filter((address) => !address.startsWith(`${origin}/`) && !address.startsWith("data:"))).toEqual([]);
  expect(problems).toEqual([]);
});

test("the page's policy allows no inline script or style, and its files are sent compressed and once", async () => {
  const answer = await fetch(`${baseUrl}/docs`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:/);
  const script = await fetch(`${baseUrl}/docs/swagger-ui-bundle.js`);
  expect(script.headers.get("content-encoding")).toBe("gzip");
  const etag = script.headers.get("etag") ?? "";
  await script.body?.cancel();
  const again = await fetch(`${baseUrl}/docs/swagger-ui-bundle.js`, { headers: { "if-none-match": etag } });
  expect(again.status).toBe(304);
  expect((await fetch(`${baseUrl}/docs/package.json`)).status).toBe(404);
});
