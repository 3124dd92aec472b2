import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject, vi } from "vitest";
import type { Role } from "../../src/call/caller.ts";
import { chrome, create, follow, post, type ShownLink, safariOnIphone } from "../kit/calls/linkCalls.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import {
  type AppPageOptions,
  accessibilityProblems,
  fill,
  press,
  scrollsSideways,
  seeHeading,
  shownRows,
} from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

let website: TestWebsite;
let link: ShownLink;
beforeAll(async () => {
  website = await createWebsite();
  const { websiteId } = website;
  link = await create({ websiteId, name: "Spring sale", utm: { source: "newsletter" } }, website);
  await create({ websiteId, name: "Old", expiresAt: "2020-01-01", password: "open sesame" }, website);
  await follow(link.slug, { headers: { "user-agent": safariOnIphone, referer: "https://news.example/" } });
  await follow(link.slug, { headers: { "user-agent": chrome, referer: "https://news.example/" } });
  await follow(link.slug, { headers: { "user-agent": chrome } });
  await vi.waitFor(async () => expect((await shown()).clicks).toBe(3), { timeout: 200_000, interval: 200 });
});

async function shown(id = link.id): Promise<ShownLink> {
  return (await post("get", { id }, website)).body as ShownLink;
}

/** A page of the website's links, for a person of a role. */
async function open(path: string, role: Role, options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, role, path: `/links/${website.websiteId}${path}` });
  await page.locator("h1").wait();
  return page;
}

async function names(page: Page): Promise<string[]> {
  return await page.evaluate(() => [...document.querySelectorAll(".link-names a")].map((name) => name.textContent));
}

test.each([1_280, 360])("no page about links breaks a rule of WCAG 2.2 AA or is wider than %i px", async (width) => {
  const language = width === 360 ? "de" : "en";
  const page = await open("", "owner", { width, language });
  for (const path of ["", `/${link.id}`, `/${link.id}/edit`]) {
    await page.goto(`${baseUrl}/links/${website.websiteId}${path}`);
    await page.locator("h1").wait();
    await expect.poll(() => page.$$(".waiting, .waiting-rows")).toEqual([]);
    await page.evaluate(() => {
      for (const fold of document.querySelectorAll("details")) fold.open = true;
    });
    expect([path, await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([path, [], false]);
  }
});

test("links are found, and one shows its clicks by time, country, device and source, and its QR code", async () => {
  const page = await open("", "owner");
  await expect.poll(() => names(page)).toEqual(["Old", "Spring sale"]);
  await page.locator("input[type=search]").fill("spring");
  // The header has a button of the same name.
  await page.locator("main search button").click();
  await expect.poll(() => names(page)).toEqual(["Spring sale"]);
  // Its clicks of the last 30 days, beside all there ever were.
  await expect
    .poll(() => page.$$eval(".links data", (all) => all.map((data) => (data as HTMLDataElement).value)))
    .toEqual(["3", "3"]);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(["Old", "Spring sale"]);
  await press(page, "Spring sale", "link");
  await seeHeading(page, "Spring sale");
  await page.locator('[data-figure="clicks-in-range"]').wait();
  const figure = (name: string) =>
    page.$eval(`[data-figure="${name}"]`, (data) => Number((data as HTMLDataElement).value));
  expect([await figure("clicks"), await figure("clicks-in-range")]).toEqual([3, 3]);
  await expect
    .poll(() => shownRows(page, "link_top_referrers"))
    .toEqual([
      ["news.example", "67%", "2", "2"],
      ["Direct", "33%", "1", "1"],
    ]);
  await expect
    .poll(() => shownRows(page, "link_top_devices"))
    .toEqual([
      ["Desktop", "67%", "2", "1"],
      ["Phone", "33%", "1", "1"],
    ]);
  await expect
    .poll(async () => (await shownRows(page, "link_top_countries")).map((row) => row.slice(1)))
    .toEqual([["100%", "3", "2"]]);
  await page.locator("[data-panel=clicks] canvas").wait();
  await expect.poll(() => page.$eval(".qr img", (image) => (image as HTMLImageElement).naturalWidth)).toBe(160);
  // Without a reload.
  await follow(link.slug, { headers: { "user-agent": chrome } });
  await expect.poll(async () => [await figure("clicks"), await figure("clicks-in-range")]).toEqual([4, 4]);
});

test("a link is created with its options, changed and deleted, and a viewer may do none of it", async () => {
  const page = await open("/new", "owner");
  await fill(page, "Target", "https://target.example/autumn");
  await fill(page, "Name", "Autumn");
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
  await fill(page, "utm_source", "poster");
  await fill(page, "Target on Android", "https://target.example/android");
  await press(page, "Create the link");
  await seeHeading(page, "Autumn");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  expect(await shown(id)).toMatchObject({
    targetUrl: "https://target.example/autumn",
    androidUrl: "https://target.example/android",
    utm: { source: "poster" },
    expiresAt: null,
    clickLimit: null,
  });
  await press(page, "Edit", "link");
  await seeHeading(page, "Edit Autumn");
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll("details")) fold.open = true;
  });
  await fill(page, "Target on Android", "");
  await page.locator("input[name=expiresAt]").fill("2099-01-31T12:00");
  await page.locator("input[name=clickLimit]").fill("10");
  await press(page, "Save");
  await seeHeading(page, "Autumn");
  expect(await shown(id)).toMatchObject({ androidUrl: null, clickLimit: 10, expiresAt: "2099-01-31T12:00:00.000Z" });
  await press(page, "Delete");
  await page.locator("dialog[open] .button-bad").click();
  await seeHeading(page, "Short links");
  await expect.poll(() => names(page)).toEqual(["Old", "Spring sale"]);
  const seen = await open(`/${link.id}`, "viewer");
  await seen.locator("[data-panel=clicks]").wait();
  expect(await seen.$$("main .button-bad, main a[href$='/edit']")).toEqual([]);
  await seen.goto(`${baseUrl}/links/${website.websiteId}/new`);
  await seen.locator("::-p-text(Your role does not allow this)").wait();
});
