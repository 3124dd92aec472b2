/**
 * `npm run bench:app [-- --rounds 7 --events 1000000]`: how long the web app takes to show the first figures of a website with a million
 * events in Chromium with a processor slowed down four times, as JSON, on a stack of its own.
 *
 * `figuresMs` is from the start of the navigation until all key figures are on the page, `paintMs` until something is. Cold is a tab without
 * a cache, warm the next visit. Compared with a page of the same server that has no script: `blankMs`, until its text is painted. The service draws the figures into
 * its first response; `runsMs` is when the app, which has taken over the page, makes its first call. `script` is what the page of a cold visit names, and all that the
 * visit loads, in bytes compressed with gzip as other dashboards are measured, and with brotli as browsers load them. The layout shift is that of a cold visit, until two
 * seconds after its figures.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { fill, press } from "../../test/kit/servers/appPage.ts";
import { launchChromium } from "../../test/kit/servers/launchChromium.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { websiteIdOf, writeEvents } from "./events.ts";
import { openLookout } from "./lookout.ts";

type Credentials = { readonly email: string; readonly password: string };
/** Bytes compressed with gzip; `firstBrotli` with brotli. */
type Scripts = { readonly first: number; readonly all: number; readonly firstBrotli: number };
type Visit = { readonly paintMs: number; readonly figuresMs: number; readonly shownViews: number };

/** How much slower than this machine the browser's processor is. */
const slowdown = 4;
const targetMs = 600;
/** Compressed with brotli. */
const targetScriptBytes = 80_000;
const targetShift = 0.02;
/** What the service serves. */
const built = join(import.meta.dirname, "../../web/app/dist");
const dayMs = 86_400_000;
const days = 28;

export const bench: Bench = {
  name: "app",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

async function measure({ isSmoke, args }: BenchRun, { stack, config, filesFolder }: BenchStack) {
  const { values } = parseArgs({
    args: [...args],
    options: { events: { type: "string", default: "1000000" }, rounds: { type: "string", default: "7" } },
  });
  const rounds = isSmoke ? 0 : Number(values.rounds);
  const events = isSmoke ? 1_000 : Number(values.events);
  // The last day is today, so that the app's usual range shows all events.
  const firstMs = Math.floor(Date.now() / dayMs) * dayMs - (days - 1) * dayMs;
  const files = await writeEvents(filesFolder, { events, websites: 1, firstMs, days, measured: [1] });
  const lookout = await openLookout(stack, 1);
  let browser: Browser | undefined;
  try {
    say("loading the events");
    await lookout.load("events", files.events[0]);
    await lookout.load("outgoing_links", files.links[0]);
    say("making stored sessions");
    await lookout.correct(Math.floor(Date.now() / 3_600_000) * 3_600_000, [1]);
    const { baseUrl } = config.server;
    const credentials: Credentials = JSON.parse(await readFile(join(config.stack.dataDir, "credentials.json"), "utf8"));
    browser = await launchChromium(config.stack.cacheDir);
    const cold: Visit[] = [];
    const warm: Visit[] = [];
    const blank: number[] = [];
    const problems: string[] = [];
    const shifts: number[] = [];
    const runs: number[] = [];
    let script: Scripts = { first: 0, all: 0, firstBrotli: 0 };
    // The first round warms up the service, and is the only one of a smoke run.
    for (let index = 0; index <= rounds; index += 1) {
      say(`round ${index} of ${rounds}`);
      const context = await browser.createBrowserContext();
      await signIn(context, baseUrl, credentials);
      // Another tab has no modules in memory; the cache is emptied below.
      const page = await slowPage(context);
      await withoutCache(page);
      const blankMs = await visitBlank(page, `${baseUrl}/healthz`);
      await withoutCache(page);
      const url = `${baseUrl}/dashboard/${websiteIdOf(1)}`;
      const first = await visit(page, url);
      // What is not needed for the figures follows.
      await pause(2_000);
      script = await scriptBytes(page);
      const shift = await layoutShift(page);
      const runsMs = await firstCall(page);
      const second = await visit(page, url);
      const views = await pageViews(page, dayOf(firstMs), dayOf(Date.now()));
      for (const { shownViews } of [first, second])
        if (shownViews !== views) problems.push(`the app shows ${shownViews} page views, not ${views}`);
      await context.close();
      if (index === 0 && !isSmoke) continue;
      blank.push(blankMs);
      cold.push(first);
      shifts.push(shift);
      runs.push(runsMs);
      warm.push(second);
    }
    const [coldMs, warmMs] = [cold, warm].map((visits) => median(visits.map(({ figuresMs }) => figuresMs)));
    const figures = {
      "figures, cold / empty page": ratio(round((coldMs ?? Number.NaN) / median(blank), 1), "lower"),
      "figures, cold": absolute(round(coldMs ?? Number.NaN, 0), "ms", "lower", targetMs),
      "figures, warm": absolute(round(warmMs ?? Number.NaN, 0), "ms", "lower"),
      "app runs, cold": absolute(round(median(runs), 0), "ms", "lower"),
      "empty page": absolute(round(median(blank), 0), "ms", "lower"),
      "layout shift": absolute(round(median(shifts), 4), "", "lower", targetShift),
      "scripts of the first view": absolute(script.first, "B", "lower"),
      "scripts of the first view, brotli": absolute(script.firstBrotli, "B", "lower", targetScriptBytes),
      "all scripts": absolute(script.all, "B", "lower"),
    };
    const details = { cold: summary(cold), warm: summary(warm) };
    return { settings: { events, slowdown, rounds }, figures, problems, details };
  } finally {
    await browser?.close();
    await lookout.close();
  }
}

/** What the API answers. Events of the last visits that go on after a pause at midnight are not in the range. */
async function pageViews(page: Page, startDate: string, endDate: string): Promise<number> {
  const query = { startDate, endDate, parameters: ["summary_metrics"] };
  const ask = async (websiteId: string, body: string) => {
    const response = await fetch(`/v1/query?website_id=${websiteId}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const { data } = (await response.json()) as { data: { data: { pageviews: number }[] }[] };
    return data[0]?.data[0]?.pageviews;
  };
  return (await page.evaluate(ask, websiteIdOf(1), JSON.stringify(query))) ?? Number.NaN;
}

/** The day (UTC) of an instant. */
function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

async function signIn(context: BrowserContext, baseUrl: string, { email, password }: Credentials): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/sign-in`);
  await fill(page, "E-mail address", email);
  await fill(page, "Password", password);
  await press(page, "Sign in");
  await page.waitForFunction(() => !location.pathname.endsWith("/sign-in"));
  await page.close();
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.setViewport({ width: 1_280, height: 900 });
  await page.emulateCPUThrottling(slowdown);
  return page;
}

async function withoutCache(page: Page): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Network.clearBrowserCache");
  await session.detach();
}

async function visit(page: Page, url: string): Promise<Visit> {
  await page.goto("about:blank");
  // Noted in the page itself, since asking from here would take time of its processor.
  const noted = await page.evaluateOnNewDocument(() => {
    const look = () => {
      const figures = [...document.querySelectorAll(".figures > li")];
      if (figures.length > 0 && figures.every((figure) => figure.querySelector("data") !== null))
        // The frame that shows them.
        requestAnimationFrame(() => setTimeout(() => performance.mark("figures")));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.goto(url, { waitUntil: "domcontentloaded" });
  await page.waitForFunction(() => performance.getEntriesByName("figures").length > 0, { polling: 200 });
  await page.removeScriptToEvaluateOnNewDocument(noted.identifier);
  return await page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    figuresMs: performance.getEntriesByName("figures")[0]?.startTime ?? Number.NaN,
    shownViews: Number(document.querySelector<HTMLDataElement>('.figures data[data-figure="pageviews"]')?.value),
  }));
}

async function visitBlank(page: Page, url: string): Promise<number> {
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, { polling: 50 });
  return await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN);
}

/** How much of the page has moved since it was opened (Cumulative Layout Shift). */
async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const observer = new PerformanceObserver((list) => {
          const shifts = list.getEntries() as unknown as readonly { readonly value: number }[];
          resolve(shifts.reduce((sum, { value }) => sum + value, 0));
        });
        observer.observe({ type: "layout-shift", buffered: true });
        // Without any shift it is never called.
        setTimeout(() => resolve(0), 500);
      }),
  );
}

/** When the app makes its first call: it runs then. */
async function firstCall(page: Page): Promise<number> {
  return await page.evaluate(() => {
    const calls = performance.getEntriesByType("resource").filter(({ name }) => /\/lookout\.v1\./.test(name));
    return Math.min(...calls.map(({ startTime }) => startTime));
  });
}

/** Bytes of the scripts of a visit. */
async function scriptBytes(page: Page): Promise<Scripts> {
  const loaded = await page.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    // Those that the app names later have an "as" of their own.
    const named = document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>(
      'script[src], link[rel="modulepreload"]:not([as])',
    );
    const first = new Set([...named].map(({ src, href }) => src || href));
    return entries
      .map(({ name }) => ({ path: new URL(name).pathname, isFirst: first.has(name) }))
      .filter(({ path }) => path.endsWith(".js"));
  });
  const sum = async (files: typeof loaded, ending: "gz" | "br") => {
    const sizes = await Promise.all(files.map(async ({ path }) => (await stat(join(built, `${path}.${ending}`))).size));
    return sizes.reduce((bytes, size) => bytes + size, 0);
  };
  const first = loaded.filter(({ isFirst }) => isFirst);
  return { first: await sum(first, "gz"), all: await sum(loaded, "gz"), firstBrotli: await sum(first, "br") };
}

function summary(visits: readonly Visit[]) {
  const figures = visits.map(({ figuresMs }) => figuresMs);
  return {
    paintMs: round(median(visits.map(({ paintMs }) => paintMs)), 0),
    figuresMs: round(median(figures), 0),
    figuresMsMax: round(Math.max(...figures), 0),
  };
}

function say(line: string): void {
  console.error(line);
}

if (import.meta.main) await runAsScript(bench);
