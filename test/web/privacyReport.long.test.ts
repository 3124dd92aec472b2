import { expect } from "vitest";
import { createWebsite } from "../kit/calls/website.ts";
import { post, sendEvents } from "../kit/calls/websiteCalls.ts";
import { accessibilityProblems, press, scrollsSideways } from "../kit/servers/appPage.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

test.each([
  ["en", "Broken by", "publicAccess", "no legal advice"],
  ["de", "Verletzt durch", "publicAccess", "keine Rechtsberatung"],
])(
  "the settings show the points in %s, and lead to the report as a page",
  async (language, brokenBy, setting, advice) => {
    const website = await createWebsite();
    await post("update", { id: website.websiteId, publicAccess: true }, website);
    await sendEvents(website.websiteId, [{ name: "page_view", path: "/", anonymousId: "ada", sessionId: "a visit" }]);
    await storedRows("events", website.websiteId, 1);
    const { websiteId } = website;
    const path = `/settings/${websiteId}/privacy`;
    const page = await openTab({ language, width: 360, of: website, role: "viewer", path });
    await page.locator("[data-section=policy]").wait();
    expect(await page.$$eval("[data-section=privacy] .rows > li", (points) => points.length)).toBe(18);
    await page.$$eval("details", (all) => {
      for (const each of all) each.setAttribute("open", "");
    });
    const points = await page.$eval("[data-section=privacy]", (section) => section.textContent ?? "");
    expect(points).toContain(advice);
    expect(points).toContain(brokenBy);
    expect(points).toContain(setting);
    expect(points).toContain("data-visitor");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);

    await press(page, language === "en" ? "As a page" : "Als Seite", "link");
    await page.waitForFunction(() => document.querySelectorAll("section").length > 18);
    expect(new URL(page.url()).pathname).toBe(`/v1/websites/${websiteId}/privacy-report`);
    expect(await page.$eval("html", (root) => root.lang)).toBe(language);
    expect(await page.$eval("main", (main) => main.textContent ?? "")).toContain(advice);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(await scrollsSideways(page)).toBe(false);
  },
);
