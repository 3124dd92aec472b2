import type { Browser, Page } from "puppeteer-core";
import { inject } from "vitest";
import { createWebsite, type TestWebsite } from "../calls/website.ts";
import { startBrowser } from "../servers/chromium.ts";
import { startTestSites } from "../servers/testSites.ts";

export type Visitor = { website: TestWebsite; page: Page; url: (path: string) => string };

/** Websites with the tracker, each on its own host, and people who visit them with a real browser. */
export type TrackedVisits = {
  readonly browser: Browser;
  /** A website and a visitor with a new browser profile, on no page yet. */
  visit(attributes?: string, script?: string): Promise<Visitor>;
  /** The same with a script tag of a test's own. */
  visitWith(scriptTag: (websiteId: string, baseUrl: string) => string): Promise<Visitor>;
  /** A page of a new browser profile. */
  openPage(): Promise<Page>;
  close(): Promise<void>;
};

export async function startTrackedVisits(): Promise<TrackedVisits> {
  const { baseUrl } = inject("lookout");
  const scriptTags = new Map<string, string>();
  const sites = await startTestSites((host) => scriptTags.get(host) ?? "", {
    "/stats/script.js": `${baseUrl}/tracker.js`,
    "/stats/events": `${baseUrl}/batch`,
  });
  const browser = await startBrowser();
  const openPage = async () => await (await browser.createBrowserContext()).newPage();
  let hosts = 0;
  const visitWith: TrackedVisits["visitWith"] = async (scriptTag) => {
    const host = `shop${++hosts}.example`;
    const website = await createWebsite({ domain: host });
    scriptTags.set(host, scriptTag(website.websiteId, baseUrl));
    return { website, page: await openPage(), url: (path) => sites.pageUrl(host, path) };
  };
  return {
    browser,
    openPage,
    visitWith,
    visit: (attributes = "", script = "tracker.js") =>
      visitWith((id, base) => `<script defer src="${base}/${script}" data-website-id="${id}" ${attributes}></script>`),
    close: async () => {
      await browser.close();
      await sites.close();
    },
  };
}
