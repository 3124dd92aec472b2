import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import type { Role } from "../../src/call/caller.ts";
import { send } from "../kit/calls/request.ts";
import { sendEvents } from "../kit/calls/websiteCalls.ts";
import {
  type AppPageOptions,
  accessibilityProblems,
  fill,
  press,
  scrollsSideways,
  seeHeading,
} from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");

let website: MonitoredWebsite;
beforeAll(async () => {
  website = await createMonitoredWebsite();
});

async function open(path: string, role: Role, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, role, path: `/uptime/${website.websiteId}${path}` });
  await page.locator("h1").wait();
  return page;
}

async function answerTo<T>(path: string, body: object): Promise<T> {
  const answer = await send("POST", path, { apiKey: website.apiKey, body });
  expect(answer.status).toBe(200);
  return answer.body as T;
}

const texts = (page: Page, selector: string) =>
  page.$$eval(selector, (found) => found.map(({ textContent }) => textContent.trim()));

test.each([1_280, 360])(
  "an incident's page breaks no rule of WCAG 2.2 AA and is not wider than %i px",
  async (width) => {
    const language = width === 360 ? "de" : "en";
    const page = await open(`/incident/${website.incidentId}`, "owner", { width, language });
    await page.locator("[data-panel=customers] p").wait();
    await expect.poll(() => page.$$(".waiting")).toEqual([]);
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  },
);

test("an incident is reached from its monitor, says what is known, and is acknowledged", async () => {
  const page = await open("", "owner");
  const banner = `.open-incident[data-incident="${website.incidentId}"]`;
  await page.locator(`${banner} a`).click();
  await seeHeading(page, "Shop answered 503");
  expect(new URL(page.url()).pathname).toBe(`/uptime/${website.websiteId}/incident/${website.incidentId}`);
  const facts = await texts(page, ".incident-facts dt");
  expect(facts).toEqual(["Down", "Noticed after", "Acknowledged after", "Visitors meanwhile", "Customers told after"]);
  // No event was ever sent, so what is usual cannot be told, and no figure is made up.
  await page.locator("::-p-text(The usual cannot be told)").wait();
  // Five slots before it began were good, the three since then were not.
  const squares = await page.$$eval(".square", (found) => found.map((square) => square.getAttribute("data-state")));
  expect(squares.slice(0, 5)).toEqual(Array(5).fill("up"));
  expect(squares.slice(5, 8)).toEqual(Array(3).fill("down"));
  expect((await texts(page, ".happened-entry p"))[0]).toBe("First failed check, from local");
  await press(page, "Acknowledge");
  await page.locator(".happened-entry[data-kind=acknowledged]").wait();
  const kinds = await page.$$eval(".happened-entry", (found) => found.map((entry) => entry.getAttribute("data-kind")));
  expect(kinds).toEqual(["failed", "acknowledged", "lasts"]);
  const { incident } = await answerTo<{ incident: { acknowledgedAt: string } }>("/uptime/incidents/get", {
    id: website.incidentId,
  });
  expect(incident.acknowledgedAt).not.toBeNull();
  await press(page, "Shop", "link");
  await seeHeading(page, "Shop");
  await expect.poll(() => page.$$("[data-incident] a").then(({ length }) => length)).toBe(2);
  const seen = await open(`/incident/${website.incidentId}`, "viewer");
  await seen.locator(".happened-entry").wait();
  expect(await seen.$$("[data-panel=customers]")).toEqual([]);
});

test("a note is written on an incident, is shown in its timeline as it was typed, and is deleted; viewers only read it", async () => {
  const page = await open(`/incident/${website.incidentId}`, "owner");
  await page.locator("textarea[name=note]").fill("<b>A disk</b> is full.\nA new one is ordered.");
  await press(page, "Add the note");
  const note = ".happened-entry[data-kind=note]";
  await page.locator(`${note} .note-text`).wait();
  expect(await texts(page, `${note} > div > p, ${note} .note-text`)).toEqual([
    expect.stringMatching(/^Note by .+@.+$/),
    "<b>A disk</b> is full.\nA new one is ordered.",
  ]);
  expect(await page.$eval("textarea[name=note]", ({ value }) => value)).toBe("");
  expect(await accessibilityProblems(page)).toEqual([]);
  const seen = await open(`/incident/${website.incidentId}`, "viewer");
  await seen.locator(note).wait();
  expect(await seen.$$(`${note} button, textarea[name=note]`)).toEqual([]);
  await page.locator(`${note} button`).click();
  await page.locator("dialog[open] .button-bad").click();
  await expect.poll(() => page.$$(note)).toEqual([]);
  expect(await answerTo("/uptime/incidents/get", { id: website.incidentId })).toMatchObject({ notes: [] });
});

test("customers are told from the incident, and the public page shows both as one", async () => {
  const slug = `inc-${website.websiteId.slice(0, 12)}`;
  const { id: pageId } = await answerTo<{ id: string }>("/uptime/status-pages/create", {
    websiteId: website.websiteId,
    slug,
    title: "Status of the shop",
    published: true,
  });
  const page = await open(`/incident/${website.incidentId}`, "owner");
  await page.locator("[data-panel=customers] textarea").wait();
  expect(await page.$eval("[data-panel=customers] textarea", ({ value }) => value)).toMatch(
    /^Shop has not answered as it should since \d\d:\d\d UTC\./,
  );
  await fill(page, "Title", "Orders fail");
  await press(page, "Preview");
  await page.locator(".report-preview ::-p-text(Orders fail)").wait();
  await press(page, "Publish “Investigating”");
  await page.locator(".happened-entry[data-kind=reported]").wait();
  // The next update continues the same report.
  await page.locator("::-p-aria([name='Publish “Identified”'][role='button'])").wait();
  await fill(page, "Update", "A disk is full.");
  await press(page, "Publish “Identified”");
  await expect.poll(() => page.$$(".happened-entry[data-kind=reported]").then(({ length }) => length)).toBe(2);
  const { reports } = await answerTo<{
    reports: { title: string; incidentId: string; pageId: string; updates: unknown[] }[];
  }>("/uptime/incidents/get", { id: website.incidentId });
  expect(reports).toMatchObject([{ title: "Orders fail", incidentId: website.incidentId, pageId, updates: [{}, {}] }]);
  const shown = await send("GET", `/status/${slug}/status.json`);
  const { incidents } = shown.body as { incidents: { title?: string; resolvedAt?: string | null }[] };
  const now = incidents.filter(({ resolvedAt }) => resolvedAt === undefined || resolvedAt === null);
  expect(now.length).toBe(1);
  const html = String((await send("GET", `/status/${slug}`, { headers: { accept: "text/html" } })).body);
  expect(html).toContain("Orders fail");
});

test("a monitor is checked at once, and so is one that is not saved, and a channel is made without losing the form", async () => {
  const page = await open(`/monitor/${website.monitor.id}`, "owner");
  await press(page, "Check now");
  await page.locator("[data-panel=result] ::-p-text(the host name is unknown)").wait();
  await page.goto(`${baseUrl}/uptime/${website.websiteId}/new`);
  await fill(page, "Address", "https://draft.invalid/health");
  await page.locator("::-p-text(nobody is told when this monitor is down)").wait();
  await press(page, "Test this");
  await page.locator("[data-panel=result] ::-p-text(the host name is unknown)").wait();
  await press(page, "New channel");
  await page.locator("dialog[open] input[name=name]").fill("Ops");
  await page.locator("dialog[open] input[name=target]").fill("https://hooks.example.com/x");
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator("dialog[open] .secret").wait();
  await page.locator("dialog[open] .button-main").click();
  await page.locator(".step input[type=checkbox]:checked").wait();
  expect(await page.$eval("input[name=url]", (input) => (input as HTMLInputElement).value)).toBe(
    "https://draft.invalid/health",
  );
  await press(page, "Create the monitor");
  await seeHeading(page, "draft.invalid");
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const made = await answerTo<{ escalation: { channelIds: string[]; afterMinutes: number }[] }>(
    "/uptime/monitors/get",
    { id },
  );
  expect(made.escalation).toMatchObject([{ afterMinutes: 0, channelIds: [expect.any(String)] }]);
  // The next monitor tells the channel from the beginning.
  await page.goto(`${baseUrl}/uptime/${website.websiteId}/new`);
  await page.locator(".step input[type=checkbox]:checked").wait();
  await answerTo("/uptime/monitors/delete", { id });
});

test("incidents on the overview's chart lead to their pages, by pointer, by keyboard and from its table", async () => {
  const events = Array.from({ length: 10 }, (_, day) => ({
    name: "page_view",
    path: "/",
    timestamp: noonDaysAgo(day + 1),
    anonymousId: `visitor ${day}`,
    sessionId: `visit ${day}`,
  }));
  expect((await sendEvents(website.websiteId, events)).status).toBe(200);
  const page = await open("", "owner");
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=last_30d`);
  const links = () => page.$$eval(".mark-links a", (all) => all.map(({ textContent }) => textContent));
  await expect
    .poll(links)
    .toEqual([
      expect.stringMatching(/^Incident: Shop, .+ \d\d:\d\d$/),
      expect.stringMatching(/^Incident: Shop, .+ \d\d:\d\d$/),
    ]);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.focus(".mark-links li:last-child a");
  await page.keyboard.press("Enter");
  await seeHeading(page, "Shop answered 503");
  const incidentPath = `/uptime/${website.websiteId}/incident/${website.incidentId}`;
  expect(new URL(page.url()).pathname).toBe(incidentPath);
  await page.goBack();
  await page.locator(".mark-links li:first-child a").click();
  await seeHeading(page, "Shop answered 503");
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=last_30d`);
  await page.locator(".mark-links a").wait();
  await page.locator(".chart .menu-dots").click();
  await page.locator(".chart .panel-tools .menu-item").click();
  const rows = () => page.$$eval(".chart-table a", (all) => all.map(({ pathname }) => pathname));
  await expect.poll(rows).toContain(incidentPath);
  // Of ninety days, marks on a phone lie upon each other.
  await page.setViewport({ width: 360, height: 900 });
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=last_90d`);
  await page.locator(".mark-links button").click();
  await page.locator(".mark-links .menu-item").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.locator(".mark-links .menu-item").click();
  await page.locator("::-p-text(What happened)").wait();
  expect(new URL(page.url()).pathname).toBe(incidentPath);
});
