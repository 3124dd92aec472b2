import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { accessibilityProblems } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

async function click(page: Page, selector: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.$eval(selector, (element) => (element as HTMLElement).click());
}

const seeTheme = (page: Page) => (theme: "light" | "dark") =>
  page.waitForSelector(theme === "dark" ? "html.dark-mode" : "html:not(.dark-mode)");

test("part 8: the API reference has no findings of axe in both themes: the list, calls that are tried, and the keys", async () => {
  const page = await openTab({ path: "/docs" });
  await page.waitForSelector(".opblock");
  expect(await accessibilityProblems(page, seeTheme(page))).toEqual([]);
  for (const [search, id] of [
    ["POST /batch", "Ingest-batch"],
    ["listQueryTypes", "Query-listQueryTypes"],
    // A short answer: each word of one is an element that axe looks at.
    ["listQueryWebsites", "Query-listQueryWebsites"],
    ["deleteData", "Data-deleteData"],
  ] as const) {
    await page.locator("#search").fill(search);
    const block = `#operations-${id}`;
    await click(page, `${block} .opblock-summary-control`);
    await click(page, `${block} .try-out__btn`);
    await page.waitForSelector(`${block} .execute`);
    if (id === "Query-listQueryWebsites") {
      await click(page, `${block} .execute`);
      await page.waitForSelector(`${block} .live-responses-table .response`);
    }
    expect(await accessibilityProblems(page, seeTheme(page)), id).toEqual([]);
  }
  await click(page, "button.authorize");
  await page.waitForSelector(".auth-container input");
  expect(await accessibilityProblems(page, seeTheme(page)), "keys").toEqual([]);
});

test("part 8: opening the API reference takes 500 kB over the wire, and again next to nothing", async ({ browser }) => {
  const context = await browser.createBrowserContext();
  const sizes: number[] = [];
  for (let visit = 0; visit < 2; visit += 1) {
    const page = await context.newPage();
    const network = await page.createCDPSession();
    await network.send("Network.enable");
    let bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(`${baseUrl}/docs`);
    await page.waitForSelector(".opblock");
    sizes.push(bytes);
    await page.close();
  }
  expect(sizes[0]).toBeLessThan(500_000);
  expect(sizes[1]).toBeLessThan(10_000);
});
