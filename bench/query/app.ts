/**
 * `npm run bench:app [-- --rounds 7 --events 1000000]`: how long the web app takes to show the first figures of a website with a million
 * events in Chromium with a processor slowed down four times, as JSON, on a stack of its own.
 *
 * `figuresMs` is from the start of the navigation until all key figures are on the page, `paintMs` until something is. Cold is a tab without
 * a cache, warm the next visit. Compared with a page of the same server that has no script: `blankMs`, until its text is painted. `script` is what
 * a cold visit loads before the service answers its first query, and all that it loads, in bytes compressed with gzip.
 */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import type { QuestdbReader } from "../../src/store/questdb/questdbReader.ts";
import { absolute, type Bench, type BenchRun, ratio } from "../../test/kit/bench/bench.ts";
import { runAsScript } from "../../test/kit/bench/runAsScript.ts";
import { median, round } from "../../test/kit/load/figures.ts";
import { fill, press } from "../../test/kit/servers/appPage.ts";
import { launchChromium } from "../../test/kit/servers/launchChromium.ts";
import { type BenchStack, withoutTemporal } from "../../test/kit/stack/benchStacks.ts";
import { websiteIdOf, writeEvents } from "./events.ts";
import { openLookout } from "./lookout.ts";

type Credentials = { readonly email: string; readonly password: string };
/** Bytes. */
type Scripts = { readonly first: number; readonly all: number };
type Visit = { readonly paintMs: number; readonly figuresMs: number; readonly shownViews: number };

/** How much slower than this machine the browser's processor is. */
const slowdown = 4;
const targetMs = 1_000;
const targetScriptBytes = 80_000;
/** What the service serves. */
const built = join(import.meta.dirname, "../../web/app/dist");
const dayMs = 86_400_000;
const days = 28;

export const bench: Bench = {
  name: "app",
  measure: (run) => run.stacks.use({ parts: withoutTemporal }, (stack) => measure(run, stack)),
};

async function measure({ isSmoke, args }: BenchRun, { stack, config, filesFolder, questdb }: BenchStack) {
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
    let script: Scripts = { first: 0, all: 0 };
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
      script = await scriptBytes(page);
      const second = await visit(page, url);
      const views = await pageViews(questdb);
      for (const { shownViews } of [first, second])
        if (shownViews !== views) problems.push(`the app shows ${shownViews} page views, not ${views}`);
      await context.close();
      if (index === 0 && !isSmoke) continue;
      blank.push(blankMs);
      cold.push(first);
      warm.push(second);
    }
    const [coldMs, warmMs] = [cold, warm].map((visits) => median(visits.map(({ figuresMs }) => figuresMs)));
    const figures = {
      "figures, cold / empty page": ratio(round((coldMs ?? Number.NaN) / median(blank), 1), "lower"),
      "figures, cold": absolute(round(coldMs ?? Number.NaN, 0), "ms", "lower", targetMs),
      "figures, warm": absolute(round(warmMs ?? Number.NaN, 0), "ms", "lower"),
      "empty page": absolute(round(median(blank), 0), "ms", "lower"),
      "scripts before the first answer": absolute(script.first, "B", "lower", targetScriptBytes),
      "all scripts": absolute(script.all, "B", "lower"),
    };
    const details = { cold: summary(cold), warm: summary(warm) };
    return { settings: { events, slowdown, rounds }, figures, problems, details };
  } finally {
    await browser?.close();
    await lookout.close();
  }
}

async function pageViews(questdb: QuestdbReader): Promise<number> {
  const sql = "SELECT count() AS n FROM events WHERE website_id = $1 AND event_type = 'page_view'";
  return Number((await questdb.read(sql, [websiteIdOf(1)]))[0]?.["n"]);
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

/** Bytes of the scripts of a visit, compressed with gzip. */
async function scriptBytes(page: Page): Promise<Scripts> {
  // What is not needed for the figures follows.
  await pause(2_000);
  const loaded = await page.evaluate(() => {
    const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const queries = entries.filter(({ name }) => name.includes("QueryService"));
    const answeredMs = Math.min(...queries.map(({ responseEnd }) => responseEnd));
    return entries
      .map(({ name, startTime }) => ({ path: new URL(name).pathname, isFirst: startTime < answeredMs }))
      .filter(({ path }) => path.endsWith(".js"));
  });
  const sizes = await Promise.all(
    loaded.map(async ({ path, isFirst }) => ({ isFirst, bytes: (await stat(join(built, `${path}.gz`))).size })),
  );
  const sum = (some: typeof sizes) => some.reduce((bytes, each) => bytes + each.bytes, 0);
  return { first: sum(sizes.filter(({ isFirst }) => isFirst)), all: sum(sizes) };
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
