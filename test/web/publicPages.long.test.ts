import { randomUUID } from "node:crypto";
import type { Page } from "puppeteer-core";
import { beforeAll, describe, expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import {
  accessibilityProblems,
  fill,
  press,
  scrollsSideways,
  seeHeading,
  shownFigure,
  shownRows,
} from "../kit/servers/appPage.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../kit/stores/monitorFixture.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
/** Where screenshots are written, for looking at them. */
const shots = process.env["SCREENSHOTS"];

/** Takes a picture of the whole page if asked for. */
async function picture(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

/** A page with two groups, a bad day, a gap, reports and maintenance; resolves to its slug. */
async function makeStatusPage(website: TestWebsite): Promise<string> {
  const { websiteId, apiKey } = website;
  const call = async (path: string, body: object) => {
    const answer = await send("POST", path, { apiKey, body });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body as { id: string };
  };
  const monitors = [];
  for (const [index, name] of ["Shop", "Payments of all our customers in Europe", "API"].entries()) {
    const schedules = [{ fromMs: todayMs - 60 * dayMs, untilMs: null }];
    const monitor = await insertMonitor(website, {
      name,
      status: "active",
      intervalMs: 6 * hourMs,
      phaseMs: 0,
      schedules,
    });
    const checks = [];
    for (let dueMs = todayMs - 60 * dayMs; dueMs <= Date.now() - (index === 2 ? 12 * hourMs : 0); dueMs += 6 * hourMs) {
      const day = Math.floor((todayMs - dueMs) / dayMs);
      if (day === 20 && dueMs % dayMs !== 0) continue;
      checks.push({ dueMs, region: "local", status: day === 11 + index ? ("down" as const) : ("up" as const) });
    }
    await writeChecks(monitor, checks);
    monitors.push(monitor.id);
  }
  const slug = `look-${randomUUID().slice(0, 8)}`;
  const { id } = await call("/uptime/status-pages/create", {
    websiteId,
    slug,
    title: "Status of the shop",
    logoText: "Example & Sons",
    description: "What our customers may expect of us.",
    groups: [
      { name: "Customers", monitorIds: monitors.slice(0, 2) },
      { name: "Partners", monitorIds: monitors.slice(2) },
    ],
    published: true,
  });
  const report = { pageId: id, monitorIds: [monitors[1]], status: "investigating" };
  await call("/uptime/status-reports/create", { ...report, title: "Slow payments", text: "We look into it.\nSorry!" });
  const past = await call("/uptime/status-reports/create", { ...report, title: "No invoices", text: "None are made." });
  await call("/uptime/status-reports/update", { id: past.id, status: "resolved", text: "All invoices are made." });
  await call("/uptime/maintenance/create", {
    websiteId,
    title: "New disks",
    monitorIds: [monitors[0]],
    startsAt: new Date(Date.now() + dayMs).toISOString(),
    endsAt: new Date(Date.now() + dayMs + hourMs).toISOString(),
  });
  return slug;
}

describe("status pages", () => {
  let slug = "";
  beforeAll(async () => {
    slug = await makeStatusPage(await createWebsite());
  });

  test.each([1_280, 360])(
    "without script: no rule of WCAG 2.2 AA is broken, nothing is wider than %i px",
    async (width) => {
      const page = await openTab({ width });
      await page.setExtraHTTPHeaders({ "accept-language": width === 360 ? "de" : "en" });
      await page.goto(`${baseUrl}/status/${slug}`);
      expect(await page.evaluate(() => document.scripts.length)).toBe(0);
      expect(await page.evaluate(() => document.querySelectorAll("[style], style").length)).toBe(0);
      for (const theme of ["light", "dark"]) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
        await picture(page, `status-${theme}-${width}`);
      }
      // The policy lets no script run, not even that of the test, so it is lifted for what comes next.
      await page.setBypassCSP(true);
      await page.reload();
      for (const summary of await page.$$("summary")) await summary.click();
      expect(await accessibilityProblems(page)).toEqual([]);
      expect(await scrollsSideways(page)).toBe(false);
      await page.goto(`${baseUrl}/status/no-such-page`);
      expect(await accessibilityProblems(page)).toEqual([]);
    },
  );

  test("figures on the page equal the answers of the API", async () => {
    const page = await openTab();
    await page.setJavaScriptEnabled(false);
    await page.goto(`${baseUrl}/status/${slug}`);
    await page.setJavaScriptEnabled(true);
    const shown = await page.evaluate(() =>
      [...document.querySelectorAll("[data-monitor]")].map((row) => ({
        name: row.querySelector("h3")?.textContent,
        status: row.getAttribute("data-status"),
        uptimePercent: Number(row.querySelector("data")?.value),
      })),
    );
    const state = (await (await fetch(`${baseUrl}/status/${slug}/status.json`)).json()) as {
      groups: { monitors: { name: string; status: string; uptimePercent: number }[] }[];
    };
    const answered = state.groups.flatMap(({ monitors }) =>
      monitors.map(({ name, status, uptimePercent }) => ({ name, status, uptimePercent })),
    );
    expect(shown).toEqual(answered);
    expect(shown.map(({ status }) => status)).toEqual(["up", "up", "unknown"]);
  });
});

test("anyone looks at the overview of a public website; a private one looks like one that does not exist", async () => {
  const [open, closed] = await Promise.all([createWebsite({ publicAccess: true }), createWebsite()]);
  for (const [visitor, path] of [
    ["ada", "/"],
    ["ada", "/pricing"],
    ["bob", "/"],
  ]) {
    const event = { name: "page_view", path, anonymousId: visitor, sessionId: visitor };
    const body = [event, { name: "signed_up", path, anonymousId: visitor, sessionId: visitor }];
    await send("POST", `/batch?website_id=${open.websiteId}`, { apiKey: open.apiKey, body });
  }
  const page = await openTab();
  const refusals: string[] = [];
  page.on("response", (response) => {
    // The page asks for its session, and there is none.
    if ([401, 403, 429].includes(response.status()) && !response.url().endsWith("GetSession"))
      refusals.push(`${response.status()} ${response.url()}`);
  });
  await page.goto(`${baseUrl}/shared/${open.websiteId}?range=today`);
  await seeHeading(page, "Test");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  await expect.poll(() => shownFigure(page, "pageviews")).toBe(3);
  await press(page, "/pricing", "link");
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(page.url()).toContain(`/shared/${open.websiteId}?`);
  await page.goBack();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(2);
  // Every list of every panel is asked for.
  for (const tab of await page.$$('[role="tab"]')) await tab.click();
  await expect.poll(() => shownRows(page, "pages")).not.toEqual([]);
  await page.waitForNetworkIdle({ concurrency: 1 });
  expect(refusals).toEqual([]);
  expect(await page.evaluate(() => document.body.textContent)).not.toContain("signed_up");
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, "shared-light-1280");

  const seen = [];
  for (const websiteId of [closed.websiteId, randomUUID()]) {
    await page.goto(`${baseUrl}/shared/${websiteId}`);
    await seeHeading(page, "There is nothing here");
    const { status, body } = await send("GET", `/v1/public-website?website_id=${websiteId}`);
    const { requestId: _, ...answer } = body as { requestId: string };
    seen.push({ text: await page.evaluate(() => document.body.textContent), status, answer });
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.status).toBe(401);
});

test("a person makes a status page, writes a report and an update; a viewer sees no way to", async () => {
  const website = await createWebsite({ domain: "demo-shop.invalid" });
  const monitor = await insertMonitor(website, { name: "Shop" });
  const incidentId = `${monitor.id}/1`;
  await inDatabase((database) =>
    database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, first_error, checks_affected, regions)
       VALUES ($1, $2, now() - interval '1 hour', 'HTTP status 503, expected 200-299', 3, '{local}')`,
      [incidentId, monitor.id],
    ),
  );
  const page = await openTab({ of: website, path: `/status-pages/${website.websiteId}` });
  await seeHeading(page, "Status pages");
  const slug = `made-${randomUUID().slice(0, 8)}`;
  await fill(page, "Title", "Made by hand");
  await fill(page, "Address: /status/", slug);
  await press(page, "+ Shop");
  await fill(page, "Name of group 1", "Customers");
  await page.locator('::-p-aria([name="Published: anyone may see it"][role="checkbox"])').click();
  await press(page, "Create the page");
  await page.locator("[data-status-page]").wait();
  const read = async () => await (await fetch(`${baseUrl}/status/${slug}`)).text();
  expect(await read()).toContain("<h2>Customers</h2>");
  await page.locator("[data-status-page] summary").click();
  await fill(page, "What happened", "Slow payments");
  await fill(page, "What is known and done", "We look into it.");
  await page.locator("select[name=incident]").wait();
  await page.select("select[name=incident]", incidentId);
  await press(page, "Publish the report");
  await page.locator("::-p-text(Post an update)").click();
  const pageId = await page.$eval("[data-status-page]", (entry) => entry.getAttribute("data-status-page"));
  const { body } = await send("POST", "/uptime/status-reports/list", { apiKey: website.apiKey, body: { pageId } });
  expect(body).toMatchObject({ reports: [{ title: "Slow payments", incidentId, monitorIds: [monitor.id] }] });
  await page.select(".entries .entries select", "resolved");
  await page.locator(".entries .entries textarea").fill("All is well.");
  await press(page, "Post the update");
  await expect.poll(read).toContain("All is well.");
  expect(await accessibilityProblems(page)).toEqual([]);
  await picture(page, "manage-light-1280");
  await page.setViewport({ width: 360, height: 900 });
  expect(await scrollsSideways(page)).toBe(false);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "dark" }]);
  await picture(page, "manage-dark-360");
  expect(await accessibilityProblems(page)).toEqual([]);

  const viewer = await openTab({ of: website, role: "viewer", path: `/status-pages/${website.websiteId}` });
  await viewer.locator("[data-status-page]").wait();
  expect(await viewer.$$eval("main form, main .button", (found) => found.length)).toBe(0);

  // The website has the domain of demo data, so every page says so and an owner removes it with one button.
  await page.locator("::-p-text(visitors, checks and clicks of this website are made up)").wait();
  await press(page, "Remove the demo data");
  await page.locator("dialog[open] .button-bad").click();
  await seeHeading(page, "No website yet");
});
