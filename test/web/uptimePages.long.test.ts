import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import type { Role } from "../../src/call/caller.ts";
import { send } from "../kit/calls/request.ts";
import {
  type AppPageOptions,
  accessibilityProblems,
  fill,
  press,
  scrollsSideways,
  seeHeading,
} from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");

let website: MonitoredWebsite;
beforeAll(async () => {
  website = await createMonitoredWebsite();
});

/** A page of the website, for a person of a role. */
async function open(path: string, role: Role, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, role, path: `/uptime/${website.websiteId}${path}` });
  await page.locator("h1").wait();
  return page;
}

/** What the API answers to the website's key. */
async function answerTo(path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await send("POST", path, { apiKey: website.apiKey, body });
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>;
}

/** The values of elements, by an attribute. */
async function values(page: Page, selector: string): Promise<number[]> {
  return await page.evaluate(
    (chosen) => [...document.querySelectorAll<HTMLDataElement>(chosen)].map((element) => Number(element.value)),
    selector,
  );
}

async function buttons(page: Page): Promise<string[]> {
  return await page.evaluate(() =>
    [...document.querySelectorAll("main button, main a.button")].map((b) => b.textContent),
  );
}

test.each([1_280, 360])("no page about uptime breaks a rule of WCAG 2.2 AA or is wider than %i px", async (width) => {
  const language = width === 360 ? "de" : "en";
  const page = await open("", "owner", { width, language });
  const monitor = `/monitor/${website.monitor.id}`;
  for (const path of ["", monitor, "/new", `${monitor}/edit`, "/maintenance", "/channels"]) {
    await page.goto(`${baseUrl}/uptime/${website.websiteId}${path}`);
    await page.locator("h1").wait();
    await expect.poll(() => page.$$(".waiting, .days-waiting")).toEqual([]);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
    });
    expect([path, await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([path, [], false]);
  }
});

test("the list and the page of a monitor show what the API answers, and what was not checked is unknown", async () => {
  const { monitorId, dateFrom, dateTo } = {
    monitorId: website.monitor.id,
    dateFrom: new Date(Date.now() - 29 * 86_400_000).toISOString().slice(0, 10),
    dateTo: new Date().toISOString().slice(0, 10),
  };
  const history = await answerTo("/uptime/history", { monitorId, dateFrom, dateTo, granularity: "1d" });
  const summary = history["summary"] as { uptimePercent: number; coveragePercent: number };
  const days = history["dataPoints"] as { status: string; coveragePercent: number }[];
  const page = await open("", "owner");
  const row = `[data-monitor="${monitorId}"]`;
  await page.locator(`${row} .monitor-uptime`).wait();
  expect(await values(page, `${row} .monitor-figures data`)).toEqual([summary.uptimePercent, summary.coveragePercent]);
  const shown = await page.evaluate(
    (of) => [...document.querySelectorAll<HTMLElement>(`${of} .day`)].map((day) => day.dataset["state"]),
    row,
  );
  expect(shown).toEqual(days.map((day) => (day.coveragePercent > 0 ? day.status : "unknown")));
  // The medians of answered checks, as the API has them.
  const { body } = await send("POST", `/v1/query?schedule_id=${monitorId}`, {
    apiKey: website.apiKey,
    body: { startDate: dateFrom, endDate: dateTo, parameters: ["uptime_overview"] },
  });
  const [overview] = (body as { data: { data: { p50_response_time: number; p95_response_time: number }[] }[] }).data;
  const expected = [overview?.data[0]?.p50_response_time ?? 0, overview?.data[0]?.p95_response_time ?? 0];
  const cellsOf = () =>
    page.$$eval(`${row} :is(.monitor-p50, .monitor-p95)`, (cells) => cells.map((td) => td.textContent));
  await expect.poll(cellsOf).toEqual(expected.map((ms) => `${Math.round(ms)} ms`));
  await page.locator(".monitor:last-child .monitor-uptime").wait();
  expect(await page.$eval(`.monitor:last-child .monitor-uptime`, (figure) => figure.textContent)).toBe("Unknown");

  await press(page, "Shop", "link");
  await seeHeading(page, "Shop");
  const status = await answerTo("/uptime/status", { monitorId });
  await page.locator('[data-figure="coverage-last90d"]').wait();
  const spans = ["24h", "7d", "30d", "90d"];
  const figures = (name: string) => spans.map((span) => (status[name] as Record<string, number>)[span]);
  expect(await values(page, '[data-figure^="uptime-"]')).toEqual(figures("uptime"));
  expect(await values(page, '[data-figure^="coverage-"]')).toEqual(figures("coverage"));
  await page.locator("[data-panel=checks] tbody tr").wait();
  const { checks } = (await answerTo("/uptime/checks/recent", { monitorId, limit: 20 })) as {
    checks: { httpCode: number; totalMs: number }[];
  };
  const cells = await page.evaluate(() =>
    [...document.querySelectorAll("[data-panel=checks] tbody tr")].map((tr) => [
      tr.querySelector("td:nth-child(3)")?.textContent,
      tr.querySelector("td:nth-child(8)")?.textContent,
    ]),
  );
  expect(cells).toEqual(checks.map(({ httpCode, totalMs }) => [String(httpCode), `${totalMs} ms`]));
  await page.locator("[data-panel=times] canvas").wait();
  // Each entry of a legend has its own sign, and none of another chart before it.
  const signs = () =>
    page.$$eval(".legend > li", (all) => all.map((entry) => getComputedStyle(entry, "::before").content));
  await expect.poll(async () => (await signs()).length).toBeGreaterThan(3);
  expect(new Set(await signs())).toEqual(new Set(["none"]));
});

test("in forced colours bars and signs keep their colours, and no two landmarks have the same name", async () => {
  const page = await open(`/monitor/${website.monitor.id}`, "owner");
  await page.locator("[data-panel=checks] tbody tr").wait();
  await page.locator(".day").wait();
  const names = await page.$$eval(
    "main :is(section, [role=region])[aria-label], main section[aria-labelledby]",
    (all) =>
      all.map((one) => {
        const id = one.getAttribute("aria-labelledby");
        return one.getAttribute("aria-label") ?? document.getElementById(id ?? "")?.textContent ?? "";
      }),
  );
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  const features = [{ name: "forced-colors", value: "active" }];
  await (await page.createCDPSession()).send("Emulation.setEmulatedMedia", { features });
  const looks = (selector: string, property: "backgroundImage" | "backgroundColor") =>
    page.$eval(selector, (element, of) => getComputedStyle(element)[of], property);
  expect(await looks(".day[data-state=up]", "backgroundImage")).toMatch(/gradient/);
  const [up, down] = [
    await looks('.legend [data-state="up"] .state-sign', "backgroundColor"),
    await looks('.legend [data-state="down"] .state-sign', "backgroundColor"),
  ];
  expect(up).not.toBe(down);
  // A day that was down for three hours is not one of slow answers.
  const partly = await page.$$eval(".day[data-partly-down]", (days) =>
    days.map((day) => day.getAttribute("title") ?? ""),
  );
  expect(partly.length).toBeGreaterThan(0);
  for (const title of partly) expect(title).toMatch(/Down for a part of the day, [\d.]+% available/);
});

test("an incident is acknowledged, a monitor created, changed, paused and deleted, and each role sees its buttons only", async () => {
  const page = await open(`/monitor/${website.monitor.id}`, "owner");
  await press(page, "Acknowledge");
  await page.locator("::-p-text(acknowledged by)").wait();
  await page.goto(`${baseUrl}/uptime/${website.websiteId}/new`);
  await press(page, "Create the monitor");
  await page.locator("::-p-text(Fill this in.)").wait();
  await fill(page, "Address", "https://example.com/health");
  await fill(page, "Name", "Health");
  await press(page, "Create the monitor");
  await seeHeading(page, "Health");
  await press(page, "Edit", "link");
  await seeHeading(page, "Edit Health");
  await page.locator("::-p-text(What is a good answer)").click();
  await fill(page, "Text in the answer", "healthy");
  await press(page, "Add a condition");
  await fill(page, "Path 1", "$.ok");
  await press(page, "Save");
  await seeHeading(page, "Health");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const changed = await answerTo("/uptime/monitors/get", { id });
  expect(changed).toMatchObject({
    url: "https://example.com/health",
    keyword: "healthy",
    jsonParsingConfig: { enabled: true, assertions: [{ path: "$.ok", operator: "exists" }] },
  });
  await answerTo("/uptime/monitors/update", { id, headers: { "X-Token": "s3cret" } });
  await press(page, "Edit", "link");
  await seeHeading(page, "Edit Health");
  await page.locator("details.fold summary").click();
  await page.locator("::-p-text(Send no headers of your own any more)").click();
  await press(page, "Save");
  await seeHeading(page, "Health");
  expect(await answerTo("/uptime/monitors/get", { id })).toMatchObject({ headerNames: [], keyword: "healthy" });
  await press(page, "Pause");
  await page.locator('::-p-aria([name="Resume"][role="button"])').wait();
  expect((await answerTo("/uptime/monitors/get", { id }))["status"]).toBe("paused");
  await press(page, "Delete");
  await page.locator("dialog[open] .button-bad").click();
  await seeHeading(page, "Uptime");
  await expect
    .poll(async () => (await page.$$(".monitor")).length)
    .toBe((await answerTo("/uptime/monitors/list", { websiteId: website.websiteId }))["total"]);
  const seen = await open(`/monitor/${website.monitor.id}`, "viewer");
  await seen.locator("[data-panel=incidents] .entry").wait();
  // Whether there are more checks depends on how many were made by now.
  expect((await buttons(seen)).filter((name) => name !== "Show more")).toEqual(["As a table"]);
  await seen.goto(`${baseUrl}/uptime/${website.websiteId}/new`);
  await seen.locator("::-p-text(Your role does not allow this)").wait();
});

test("maintenance is planned and deleted, and a channel is added, changed, tested and deleted", async () => {
  const page = await open("/maintenance", "owner");
  await fill(page, "Title", "New disks");
  await press(page, "Plan it");
  await page.locator("[data-window]").wait();
  const { windows } = (await answerTo("/uptime/maintenance/list", { websiteId: website.websiteId })) as {
    windows: { title: string; monitorIds: string[] }[];
  };
  expect(windows).toMatchObject([{ title: "New disks", monitorIds: [] }]);
  await press(page, "Delete New disks");
  await page.locator("dialog[open] .button-bad").click();
  await page.locator("::-p-text(No maintenance is planned)").wait();
  await press(page, "Notifications", "link");
  await seeHeading(page, "Notifications");
  await fill(page, "Name", "Ops");
  await fill(page, "Address", "https://hooks.example.com/secret-path");
  await press(page, "Add the channel");
  await page.locator("[data-channel]").wait();
  expect(await page.$eval("[data-panel=channels]", (panel) => panel.textContent)).not.toContain("secret-path");
  expect(await page.$eval(".secret code", (code) => code.textContent)).toMatch(/^whsec_/);
  await press(page, "Edit Ops");
  await page.locator("dialog[open] input[name=name]").fill("On call");
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator("[data-channel] ::-p-text(On call)").wait();
  await press(page, "Send a test On call");
  await page.locator("[data-panel=deliveries] tbody tr").wait();
  await press(page, "Delete On call");
  await page.locator("dialog[open] .button-bad").click();
  await page.locator("::-p-text(No channel yet)").wait();
});

test("several monitors are paused by keyboard with one confirmation, what failed is named, and they are resumed", async () => {
  const { websiteId } = website;
  const made: string[] = [];
  for (const name of ["Blog", "Pay", "Search"]) {
    const options = { websiteId, url: `https://${name}.invalid/`, interval: "24h", name };
    made.push(String((await answerTo("/uptime/monitors/create", options))["id"]));
  }
  const [blog, pay, search] = made;
  const statusOf = async (id = ""): Promise<unknown> => (await answerTo("/uptime/monitors/get", { id }))["status"];
  const page = await open("", "owner", { width: 360 });
  for (const id of [blog, pay, search]) {
    await page.locator(`[data-monitor="${id}"] .monitor-choice input`).wait();
    await page.focus(`[data-monitor="${id}"] .monitor-choice input`);
    await page.keyboard.press("Space");
  }
  await page.locator("::-p-text(3 chosen)").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.focus(".chosen-bar > .button");
  await page.keyboard.press("Enter");
  await seeHeading(page, "Pause 3 monitors?");
  for (const name of ["Blog", "Pay", "Search"])
    expect(await page.$eval("dialog[open] p", ({ textContent }) => textContent)).toContain(name);
  // Somebody else deletes one meanwhile.
  await answerTo("/uptime/monitors/delete", { id: search });
  await page.locator("dialog[open] .button-bad").click();
  await page.locator(".chosen-bar [role=alert] ::-p-text(2 of 3 monitors were changed)").wait();
  expect(await page.$$eval(".notice-list li", (all) => all.map(({ textContent }) => textContent))).toEqual([
    "Search: It no longer exists.",
  ]);
  expect(await Promise.all([statusOf(blog), statusOf(pay)])).toEqual(["paused", "paused"]);
  const wide = await open("", "owner");
  await wide.locator("thead .monitor-choice input").click();
  await wide.locator("::-p-text(4 chosen)").wait();
  // The monitors of other tests stay paused.
  for (const box of await wide.$$(".monitor-choice input:checked")) {
    const id = await box.evaluate((input) => input.closest("tr")?.dataset["monitor"]);
    if (id !== undefined && id !== blog && id !== pay) await box.click();
  }
  await press(wide, "Resume 2 monitors");
  await wide.locator("dialog[open] .button-bad").click();
  await expect.poll(() => Promise.all([statusOf(blog), statusOf(pay)])).toEqual(["active", "active"]);
  await expect.poll(() => wide.$(".chosen-bar[data-chosen='0']")).not.toBeNull();
  for (const id of [blog, pay]) await answerTo("/uptime/monitors/delete", { id });
  const seen = await open("", "viewer");
  await seen.locator(".monitor").wait();
  expect(await seen.$$(".monitor-choice")).toEqual([]);
});
