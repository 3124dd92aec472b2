/** What owners do besides reading figures, and how many presses it takes from where they begin: none more than it took once. */
import { randomUUID } from "node:crypto";
import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { create, sendEvents } from "../kit/calls/websiteCalls.ts";
import { fill, press, seeHeading } from "../kit/servers/appPage.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { browserTest as test } from "../kit/web/browserTest.ts";
import { type CountedTab, openCountedTab } from "../kit/web/countedTab.ts";
import { createMonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");

type Task = CountedTab & { readonly website: TestWebsite };

/** A website with a visit on each of the last five days, and its owner on a page of it. */
async function begin(pathOf: (websiteId: string) => string): Promise<Task> {
  const website = await createWebsite({ domain: "wombat.example" });
  const views = Array.from({ length: 5 }, (_, day) => ({
    name: "page_view",
    path: "/",
    timestamp: noonDaysAgo(day + 1),
    anonymousId: `visitor ${day}`,
    sessionId: `visit ${day}`,
  }));
  expect((await sendEvents(website.websiteId, views)).status).toBe(200);
  const path = pathOf(website.websiteId);
  return { ...(await openCountedTab({ of: website, path })), website };
}

const overview = (websiteId: string) => `/dashboard/${websiteId}`;
const settings = (websiteId: string) => `/settings/${websiteId}`;

const textOf = (page: Page, selector: string) =>
  page.$eval(selector, (element) => element.textContent.replaceAll(/\s+/g, " ").trim());

test("a monitor with a condition and a webhook takes at most ten presses, and its page shows both", async () => {
  const { page, clicks, website } = await begin(overview);
  await press(page, "Uptime", "link");
  await press(page, "New monitor", "link");
  await fill(page, "Address", "https://draft.invalid/health");
  await press(page, "New channel");
  await page.locator("dialog[open] input[name=name]").fill("Ops");
  await page.locator("dialog[open] input[name=target]").fill("https://hooks.example.com/x");
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator("dialog[open] .secret").wait();
  await page.locator("dialog[open] .button-main").click();
  await page.locator(".step input[type=checkbox]:checked").wait();
  await page.locator("summary ::-p-text(What is a good answer)").click();
  await fill(page, "Text in the answer", "healthy");
  await press(page, "Create the monitor");
  await seeHeading(page, "draft.invalid");
  expect(clicks()).toBeLessThanOrEqual(10);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const made = await send("POST", "/uptime/monitors/get", { apiKey: website.apiKey, body: { id } });
  expect(made.body).toMatchObject({
    keyword: "healthy",
    escalation: [{ afterMinutes: 0, channelIds: [expect.any(String)] }],
  });
  await send("POST", "/uptime/monitors/delete", { apiKey: website.apiKey, body: { id } });
});

test("an incident is acknowledged from the start page in one press, and customers are told in at most five more", async () => {
  const website = await createMonitoredWebsite();
  await create({ name: "Quiet shop" }, website);
  const slug = `task-${website.websiteId.slice(0, 12)}`;
  const body = { websiteId: website.websiteId, slug, title: "Status of the shop", published: true };
  expect((await send("POST", "/uptime/status-pages/create", { apiKey: website.apiKey, body })).status).toBe(200);
  const { page, clicks } = await openCountedTab({ of: website, path: "/" });
  const alarm = `[data-incident="${website.incidentId}"]`;
  await page.locator(`${alarm} button`).click();
  await expect.poll(() => textOf(page, alarm)).toContain("acknowledged by");
  expect(clicks()).toBeLessThanOrEqual(1);
  await page.locator(`${alarm} .alarm-link`).click();
  await page.locator("[data-panel=customers] textarea").wait();
  await fill(page, "Title", "Orders fail");
  await press(page, "Publish “Investigating”");
  await page.locator(".happened-entry[data-kind=reported]").wait();
  expect(clicks()).toBeLessThanOrEqual(6);
  const html = String((await send("GET", `/status/${slug}`, { headers: { accept: "text/html" } })).body);
  expect(html).toContain("Orders fail");
});

test("a status page with a group is published and its badge seen in at most six presses", async () => {
  const { page, clicks, website } = await begin(overview);
  await insertMonitor(website, { name: "Shop" });
  await press(page, "Status pages", "link");
  const slug = `task-${randomUUID().slice(0, 8)}`;
  await fill(page, "Title", "Wombat status");
  await fill(page, "Address: /status/", slug);
  await press(page, "+ Shop");
  await fill(page, "Name of group 1", "Customers");
  await page.locator("input[name=published]").click();
  await press(page, "Create the page");
  await page.locator("[data-status-page] summary ::-p-text(Badge and frame)").click();
  await page.locator("::-p-text([![Wombat status])").wait();
  expect(clicks()).toBeLessThanOrEqual(6);
  expect(await (await fetch(`${baseUrl}/status/${slug}`)).text()).toContain("<h2>Customers</h2>");
});

test("a short link is made in at most three presses, shows its QR code, and counts a click without another one", async () => {
  const { page, clicks } = await begin(overview);
  await press(page, "Links", "link");
  await press(page, "New link", "link");
  await fill(page, "Target", "https://target.example/autumn");
  await fill(page, "Name", "Autumn");
  await press(page, "Create the link");
  await seeHeading(page, "Autumn");
  await expect.poll(() => page.$eval(".qr img", (image) => (image as HTMLImageElement).naturalWidth)).toBe(160);
  // Each of its buttons has one line of text.
  const lines = await page.$$eval(".qr-tools .button", (buttons) =>
    buttons.map((button) => {
      const range = document.createRange();
      range.selectNodeContents(button);
      return range.getClientRects().length;
    }),
  );
  expect(lines).toEqual([1, 1]);
  const address = await page.$eval("main a[href*='/l/']", (link) => (link as HTMLAnchorElement).href);
  const chrome =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/149.0 Safari/537.36";
  const answer = await fetch(address, { redirect: "manual", headers: { "user-agent": chrome } });
  expect(answer.headers.get("location")).toBe("https://target.example/autumn");
  await expect
    .poll(() => page.$eval('[data-figure="clicks"]', (data) => Number((data as HTMLDataElement).value)))
    .toBe(1);
  expect(clicks()).toBeLessThanOrEqual(3);
});

test("in the settings an export is made in at most two presses and can be downloaded", async () => {
  const { page, clicks } = await begin(settings);
  await press(page, "Export and erase", "link");
  await press(page, "Start the export");
  await page.locator("[data-export=completed] a[download]").wait();
  expect(await textOf(page, "[data-export=completed]")).toMatch(/\d+ rows/);
  expect(clicks()).toBeLessThanOrEqual(2);
});

test("in the settings a day is erased in at most three presses and a typed name", async () => {
  const { page, clicks } = await begin(settings);
  const day = new Date(noonDaysAgo(3)).toISOString().slice(0, 10);
  await press(page, "Export and erase", "link");
  const erasure = "[data-section=newErasure]";
  await page.locator(`${erasure} input[name=from]`).fill(day);
  await page.locator(`${erasure} input[name=to]`).fill(day);
  await press(page, "Count what would go");
  await page.locator("dialog[open]").wait();
  await fill(page, "Type “Test” to confirm", "Test");
  await press(page, "Erase for good");
  await page.locator("[data-erasure=completed]").wait();
  expect(clicks()).toBeLessThanOrEqual(3);
});

test("in the settings shorter retention is set after a preview in at most three presses, and cancelled in one", async () => {
  const { page, clicks } = await begin(settings);
  await press(page, "Retention", "link");
  await page.locator("input[name=rawEventsDays]").fill("2");
  await press(page, "See what changes");
  await press(page, "Set the periods");
  await page.locator("[data-section=pending]").wait();
  expect(clicks()).toBeLessThanOrEqual(3);
  await press(page, "Cancel the shorter periods");
  await page.waitForSelector("[data-section=pending]", { hidden: true });
  expect(clicks()).toBeLessThanOrEqual(4);
});

test("in the settings a website is deleted in at most three presses and a typed name, and restored in two", async () => {
  const { page, clicks, website } = await begin(settings);
  await press(page, "Delete the website");
  await page.locator("dialog[open]").wait();
  await fill(page, "Type “Test” to confirm", "Test");
  await page.locator("dialog[open] .button-bad").click();
  await seeHeading(page, "Deleted websites");
  const deletedWith = clicks();
  expect(deletedWith).toBeLessThanOrEqual(3);
  await page.locator(`[data-section=deletedWebsites] [data-website="${website.websiteId}"] button`).click();
  await page.locator(`[data-section=websites] [data-website="${website.websiteId}"]`).wait();
  expect(clicks() - deletedWith).toBeLessThanOrEqual(2);
});
