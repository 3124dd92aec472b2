/** Every page of the app, walked by a script: accessibility in both themes, widths, 200 %, forced colours and print. */
import { fileURLToPath } from "node:url";
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import { send } from "../kit/calls/request.ts";
import { create, post, sendEvents } from "../kit/calls/websiteCalls.ts";
import { accessibilityProblems, scrollsSideways } from "../kit/servers/appPage.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { createMonitoredWebsite, type MonitoredWebsite } from "../kit/web/monitoredWebsite.ts";

const { baseUrl } = inject("lookout");

/** Loaded at run time: the app is a project of its own for the compiler. */
const file: string = fileURLToPath(new URL("../../web/app/src/pages/pages.ts", import.meta.url));
const { pages }: { pages: object } = await import(file);

let website: MonitoredWebsite;
let linkId: string;
beforeAll(async () => {
  website = await createMonitoredWebsite();
  const { websiteId, apiKey } = website;
  const made = async (path: string, body: object): Promise<{ readonly id: string }> => {
    const answer = await send("POST", path, { apiKey, body });
    expect(answer.status, path).toBe(200);
    return answer.body as { id: string };
  };
  // With a second website the start page has something to show.
  await create({ name: "Second", domain: "second.example" }, website);
  await post("update", { id: websiteId, publicAccess: true }, website);
  linkId = (await made("/links/create", { websiteId, targetUrl: "https://example.com/" })).id;
  await made("/uptime/status-pages/create", { websiteId, slug: `all-${websiteId.slice(0, 12)}`, title: "Status" });
  await made("/uptime/incidents/notes/create", { incidentId: website.incidentId, text: "A disk is full." });
  const events = Array.from({ length: 20 }, (_, day) => ({
    name: "page_view",
    path: "/a/very/long/path/of/a/page/that/does/not/fit/into/a/narrow/window",
    timestamp: noonDaysAgo(day + 1),
    anonymousId: `visitor ${day}`,
    sessionId: `visit ${day}`,
  }));
  expect((await sendEvents(websiteId, events)).status).toBe(200);
});

/** The paths of each page, with those of its parts. */
const pathsOf = (): Readonly<Record<string, readonly string[]>> => {
  const { websiteId: id, monitor, incidentId } = website;
  const parts = (path: string, names: readonly string[]) => names.map((name) => path + name);
  return {
    "": ["/"],
    "sign-in": ["/sign-in"],
    "forgotten-password": ["/forgotten-password"],
    "reset-password": ["/reset-password#token=x"],
    "first-sign-in": ["/first-sign-in#email=owner@localhost&password=x"],
    "choose-password": ["/choose-password"],
    invitation: ["/invitation#token=x"],
    dashboard: [`/dashboard/${id}`, `/dashboard/${id}?range=last_90d`],
    realtime: [`/realtime/${id}`],
    uptime: parts(`/uptime/${id}`, [
      "",
      "/new",
      `/monitor/${monitor.id}`,
      `/monitor/${monitor.id}/edit`,
      `/incident/${incidentId}`,
      "/maintenance",
      "/channels",
    ]),
    "status-pages": [`/status-pages/${id}`],
    shared: [`/shared/${id}`],
    links: parts(`/links/${id}`, ["", "/new", `/${linkId}`, `/${linkId}/edit`]),
    settings: parts(`/settings/${id}`, [
      "",
      "/goals",
      "/install",
      "/rules",
      "/sharing",
      "/retention",
      "/privacy",
      "/data",
    ]),
    "new-website": ["/new-website"],
    organization: parts("/organization", ["", "/websites", "/people", "/keys", "/audit"]),
    account: ["/account"],
  };
};

/** Pages for people who are not signed in. */
const signedOut: ReadonlySet<string> = new Set([
  "sign-in",
  "forgotten-password",
  "reset-password",
  "first-sign-in",
  "invitation",
]);

const walked = (isIn: boolean): string[] => [
  ...Object.entries(pathsOf()).flatMap(([name, paths]) => (signedOut.has(name) === isIn ? [] : paths)),
  "/nothing-here",
];

/** Opens a path and waits until everything on screen has arrived. */
async function show(page: Page, path: string): Promise<void> {
  await page.goto("about:blank");
  await page.goto(baseUrl + path);
  await page.locator("h1").wait();
  await expect.poll(() => page.$$(".waiting, .days-waiting, .site-waiting[aria-busy=true]")).toEqual([]);
}

/** Whether a page is wider than its window, also after its charts have seen that the window has another size. */
async function staysWide(page: Page): Promise<boolean> {
  for (let tries = 0; tries < 50; tries += 1) {
    if (!(await scrollsSideways(page))) return false;
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
  }
  return true;
}

test("every page is walked", () => {
  expect(Object.keys(pathsOf()).toSorted()).toEqual(Object.keys(pages).toSorted());
});

test.each([
  { pages: "signed in", isIn: true, language: "de", widths: [1_280, 360] },
  { pages: "signed out", isIn: false, language: "de", widths: [1_280, 360] },
  { pages: "signed in", isIn: true, language: "fr", widths: [360] },
  { pages: "signed out", isIn: false, language: "fr", widths: [360] },
  { pages: "signed in", isIn: true, language: "en", widths: [1_280] },
  { pages: "signed out", isIn: false, language: "en", widths: [1_280] },
])(
  "9 no page breaks a rule of WCAG 2.2 AA in either theme, and none is wider than its window, $pages, in $language",
  async ({ isIn, language, widths }) => {
    const page = await openTab({ of: isIn ? website : undefined, language });
    const found: unknown[] = [];
    for (const path of walked(isIn)) {
      for (const width of widths) {
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
        await page.setViewport({ width, height: 900 });
        await show(page, path);
        expect(await page.$eval("html", ({ lang }) => lang), path).toBe(language);
        const broken = await accessibilityProblems(page);
        if (broken.length > 0 || (await scrollsSideways(page))) found.push([path, width, broken]);
      }
      // A tablet, and a window of 1,280 by 1,024 px at 200 % and at 400 % (WCAG 2.2, 1.4.10).
      for (const [width, height] of [
        [820, 600],
        [640, 512],
        [320, 256],
      ] as const) {
        await page.setViewport({ width, height });
        if (await staysWide(page)) found.push([path, width, "is wider than its window"]);
      }
    }
    expect(found).toEqual([]);
  },
);

test("every page prints on A4 without being cut off, and in forced colours it is known which part is shown", async () => {
  const page = await openTab({ of: website });
  const session = await page.createCDPSession();
  const found: unknown[] = [];
  for (const path of walked(true)) {
    await page.setViewport({ width: 1_280, height: 900 });
    await show(page, path);
    await session.send("Emulation.setEmulatedMedia", {
      features: [{ name: "forced-colors", value: "active" }],
    });
    const looksAlike = await page.$$eval("main nav", (navs) =>
      navs.some((nav) => {
        const look = (link: Element | null) => {
          if (link === null) return undefined;
          const { borderBottomColor, fontWeight, backgroundColor } = getComputedStyle(link);
          return `${borderBottomColor} ${fontWeight} ${backgroundColor}`;
        };
        const current = look(nav.querySelector("[aria-current=page]"));
        return current !== undefined && current === look(nav.querySelector("a:not([aria-current])"));
      }),
    );
    if (looksAlike) found.push([path, "forced colours"]);
    await session.send("Emulation.setEmulatedMedia", { media: "print", features: [] });
    await page.setViewport({ width: 794, height: 1_123 });
    if (await scrollsSideways(page)) found.push([path, "print"]);
    await session.send("Emulation.setEmulatedMedia", { media: "", features: [] });
  }
  expect(found).toEqual([]);
});

test("figures that are no longer of now have enough contrast", async () => {
  const page = await openTab({ of: website });
  for (const [path, frame] of [
    [`/dashboard/${website.websiteId}`, ".dashboard"],
    [`/realtime/${website.websiteId}`, ".realtime"],
  ] as const) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }]);
    await show(page, path);
    await page.$eval(frame, (element) => element.setAttribute("data-live", "lost"));
    const contrast = (await accessibilityProblems(page)).filter((problem) => problem.includes("color-contrast"));
    expect([path, contrast]).toEqual([path, []]);
  }
});
