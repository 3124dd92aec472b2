/** A website that measures its audience only: the switch, and what the pages show in place of what is switched off. */
import type { Page } from "puppeteer-core";
import { expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, press, scrollsSideways, shownRows } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

/** Yesterday 24 visitors from Germany, 11 from France and two from Iceland, each with one page view. */
async function visited(): Promise<TestWebsite> {
  const website = await createWebsite();
  const countries = [...Array(24).fill("DE"), ...Array(11).fill("FR"), ...Array(2).fill("IS")];
  const body = countries.map((country, index) => ({
    name: "page_view",
    path: index < 30 ? "/" : "/secret",
    anonymousId: `visitor ${index}`,
    sessionId: `visit ${index}`,
    country,
    timestamp: noonDaysAgo(1) + index,
  }));
  const { websiteId, apiKey } = website;
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  await storedRows("events", websiteId, body.length);
  return website;
}

/** Parts of a page ask for their rows when they are near. */
async function scrollTo(page: Page, panel: string): Promise<void> {
  await page.locator(`[data-panel=${panel}]`).wait();
  await page.$eval(`[data-panel=${panel}]`, (element) => element.scrollIntoView());
}

const textOf = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");

test.each([
  {
    language: "en",
    width: 1280,
    label: "Audience measurement only",
    save: "Save",
    sentence: "This website measures its audience only",
    other: "Other, small groups",
    line: "Off: this website measures its audience only.",
  },
  {
    language: "de",
    width: 360,
    label: "Nur das Publikum messen",
    save: "Speichern",
    sentence: "Diese Website misst nur ihr Publikum",
    other: "Andere, kleine Gruppen",
    line: "Aus: Diese Website misst nur ihr Publikum.",
  },
])(
  "in $language: it is switched on in the settings, and pages say what is off",
  async ({ language, width, save, sentence, other, line }) => {
    const website = await visited();
    const { websiteId, apiKey } = website;
    const page = await openTab({ language, width, of: website, path: `/settings/${websiteId}/privacy` });
    await page.locator("input[name=audienceOnly]").click();
    await press(page, save);
    const stored = async () =>
      ((await send("POST", "/websites/get", { apiKey, body: { id: websiteId } })).body as { privacy: object }).privacy;
    await expect
      .poll(stored, { timeout: 30_000 })
      .toEqual({ place: "country", ids: "day", audienceOnly: true, smallestGroup: 10 });
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.goto(`${baseUrl}/dashboard/${websiteId}?range=last_7d`);
    // The smallest of the large groups joins the two from Iceland, who would be alone.
    await scrollTo(page, "places");
    await expect.poll(() => shownRows(page, "places").catch(() => []), { timeout: 60_000 }).toHaveLength(2);
    const places = await shownRows(page, "places");
    expect(places.map(([name]) => name?.trim()).at(-1)).toBe(other);
    expect(await page.$$eval("[data-panel=places] tbody a", (links) => links.length)).toBe(0);
    expect(await page.$("[data-add-filter]")).toBeNull();
    expect(await page.$eval("[data-figure=visitors]", (figure) => (figure as HTMLDataElement).value)).toBe("37");
    await scrollTo(page, "sources");
    // Groups of sources are among what divides others.
    await page.waitForFunction(
      (text) => document.querySelector("[data-panel=sources]")?.textContent?.includes(text),
      {},
      sentence,
    );
    expect(await textOf(page, "[data-panel=sources]")).not.toContain("Request");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
    await page.$eval("[data-line=vitals]", (line) => line.scrollIntoView());
    await expect.poll(() => textOf(page, "#facts-vitals"), { timeout: 30_000 }).toBe(line);
    if (process.env["PICTURES"] !== undefined)
      await page.screenshot({ path: `${process.env["PICTURES"]}/audience-${language}.png`, fullPage: true });

    await page.goto(`${baseUrl}/realtime/${websiteId}`);
    await page.locator(".notice").wait();
    expect(await textOf(page, ".notice")).toContain(sentence);
    expect(await accessibilityProblems(page)).toEqual([]);
    if (process.env["PICTURES"] !== undefined)
      await page.screenshot({ path: `${process.env["PICTURES"]}/audience-realtime-${language}.png`, fullPage: true });

    await page.goto(`${baseUrl}/settings/${websiteId}/privacy`);
    await page.locator("[data-section=policy]").wait();
    expect(await page.$eval("input[name=audienceOnly]", (box) => (box as HTMLInputElement).checked)).toBe(true);
    await page.$$eval("details", (all) => {
      for (const each of all) each.setAttribute("open", "");
    });
    expect(await textOf(page, "[data-section=privacy]")).toContain("privacy.audienceOnly");
    if (process.env["PICTURES"] !== undefined)
      await page.screenshot({ path: `${process.env["PICTURES"]}/audience-settings-${language}.png`, fullPage: true });

    await page.goto(`${baseUrl}/settings/${websiteId}/data`);
    await press(page, language === "en" ? "Start the export" : "Export starten");
    await page.waitForFunction((text) => document.body.textContent?.includes(text), {}, sentence);
  },
);
