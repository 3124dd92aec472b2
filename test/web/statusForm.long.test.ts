import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ElementHandle, Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { pngOf } from "../kit/calls/png.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, fill, press, scrollsSideways, seeHeading } from "../kit/servers/appPage.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");
const shots = process.env["SCREENSHOTS"];

async function picture(page: Page, name: string): Promise<void> {
  if (shots !== undefined) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

/** The website's only status page as the API answers it. */
async function stored({ websiteId, apiKey }: TestWebsite): Promise<Record<string, unknown>> {
  const { body } = await send("POST", "/uptime/status-pages/list", { apiKey, body: { websiteId } });
  return (body as { pages: Record<string, unknown>[] }).pages[0] ?? {};
}

/** The monitors as the form has them, group by group. */
const order = (page: Page) =>
  page.$$eval(".edited-group", (groups) =>
    groups.map((group) => [...group.querySelectorAll(".edited-name")].map((name) => name.textContent)),
  );

test("an owner orders groups by keyboard, gives a logo and a colour, looks at a preview and copies a badge", async ({
  problems,
}) => {
  const website = await createWebsite();
  const ids: string[] = [];
  for (const name of ["Shop", "Checkout", "Search"]) ids.push((await insertMonitor(website, { name })).id);
  const [shop, checkout, search] = ids;
  const page = await openTab({ of: website, path: `/status-pages/${website.websiteId}` });
  await seeHeading(page, "Status pages");
  const slug = `form-${randomUUID().slice(0, 8)}`;
  await fill(page, "Title", "Made in the form");
  await fill(page, "Address: /status/", slug);
  for (const name of ["Shop", "Checkout", "Search"]) await press(page, `+ ${name}`);
  await fill(page, "Name of group 1", "Customers");
  await press(page, "Add a group");
  await fill(page, "Name of group 2", "Partners");
  expect(await order(page)).toEqual([["Shop", "Checkout", "Search"], []]);

  // By keyboard alone: Alt and an arrow on the row keep the focus in it, also in the next group.
  await page.locator('::-p-aria([name="Search: drag, or Alt and an arrow key"])').wait();
  const grip = await page.$(`[data-row="${search}"] .grip`);
  await grip?.focus();
  const alt = async (key: "ArrowUp" | "ArrowDown") => {
    await page.keyboard.down("Alt");
    await page.keyboard.press(key);
    await page.keyboard.up("Alt");
  };
  await alt("ArrowDown");
  await expect.poll(() => order(page)).toEqual([["Shop", "Checkout"], ["Search"]]);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest("[data-row]")?.getAttribute("data-row")))
    .toBe(search);
  await page.locator("::-p-text(Search: 1 of 1 in Partners)").wait();
  await alt("ArrowUp");
  await expect.poll(() => order(page)).toEqual([["Shop", "Checkout", "Search"], []]);
  await alt("ArrowDown");
  await press(page, "Move Checkout up");
  await expect.poll(() => order(page)).toEqual([["Checkout", "Shop"], ["Search"]]);
  await press(page, "Move Partners up");
  await expect.poll(() => order(page)).toEqual([["Search"], ["Checkout", "Shop"]]);

  // What is looked at is not kept.
  await press(page, "Preview");
  const frame = async () => await (await page.waitForSelector(".preview-box iframe"))?.contentFrame();
  await expect
    .poll(async () => await (await frame())?.$eval("h1", (heading) => heading.textContent))
    .toBe("Made in the form");
  expect(await stored(website)).toEqual({});

  await press(page, "Create the page");
  await page.locator("[data-status-page]").wait();
  expect(await stored(website)).toMatchObject({
    published: false,
    groups: [
      { name: "Partners", monitorIds: [search] },
      { name: "Customers", monitorIds: [checkout, shop] },
    ],
  });

  await (await page.waitForSelector("[data-status-page] summary ::-p-text(Settings)"))?.click();
  const file = join(tmpdir(), `${slug}.png`);
  await writeFile(file, pngOf(300, 150));
  await ((await page.$("input[type=file]")) as ElementHandle<HTMLInputElement>).uploadFile(file);
  await page.waitForSelector("[data-status-page] .logo-field img");
  expect(await stored(website)).toMatchObject({ logoUrl: expect.stringContaining("/status/logo-") });
  await writeFile(file, "<svg/>");
  await ((await page.$("input[type=file]")) as ElementHandle<HTMLInputElement>).uploadFile(file);
  await page.locator("::-p-text(must not be SVG)").wait();
  await page.$eval("[data-status-page] input[type=color]", (input) => {
    input.value = "#c75000";
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.locator("[data-status-page] input[name=published]").click();
  await page.locator("[data-status-page] form:has(input[name=published]) .button-main").click();
  await expect.poll(() => stored(website)).toMatchObject({ published: true, accentColor: "#c75000" });
  const shown = await (await fetch(`${baseUrl}/status/${slug}`)).text();
  expect(shown).toContain('class="picture"');
  expect(shown).toContain("accent-c75000.css");

  await (await page.waitForSelector("[data-status-page] summary ::-p-text(Badge and frame)"))?.click();
  await page.locator("::-p-text([![Made in the form])").wait();
  const badge = await page.waitForSelector("[data-status-page] img[src*='badge.svg']");
  await expect.poll(() => badge?.evaluate((image) => image.naturalWidth)).toBeGreaterThan(20);
  const embed = await (await page.waitForSelector(".embed-frame"))?.contentFrame();
  await expect.poll(async () => await embed?.$eval("main a", (link) => link.getAttribute("href"))).toBe(`../${slug}`);

  // axe writes to the frames, which have no origin that it knows, so what the page says is read before.
  expect(problems).toEqual([]);
  for (const [width, theme] of [
    [1_280, "light"],
    [1_280, "dark"],
    [360, "light"],
    [360, "dark"],
  ] as const) {
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    expect(await scrollsSideways(page)).toBe(false);
    await picture(page, `status-form-${theme}-${width}`);
    expect(await accessibilityProblems(page)).toEqual([]);
  }
});
