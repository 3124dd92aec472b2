/**
 * `npm run bench:app [-- --rounds 7 --events 1000000]`: how long the web app takes to show the first figures of a website with a million
 * events in Chromium with a processor slowed down four times, as JSON, on a stack of its own.
 *
 * `figuresMs` is from the start of the navigation until all key figures are on the page, `paintMs` until something is. Cold is a tab without
 * a cache, warm the next visit. Compared with a page of the same server that has no script: `blankMs`, until its text is painted. `script` is what
 * a cold visit loads before the service answers its first query, and all that it loads, in bytes compressed with gzip.
 */
import { chmod, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { readConfig } from "../../src/config.ts";
import { startStack } from "../../stack/stack.ts";
import { round } from "../../test/kit/load/figures.ts";
import { fill, press } from "../../test/kit/servers/appPage.ts";
import { launchChromium } from "../../test/kit/servers/launchChromium.ts";
import { websiteIdOf, writeEvents } from "./events.ts";
import { openLookout } from "./lookout.ts";

type Credentials = { readonly email: string; readonly password: string };
/** Bytes. */
type Scripts = { readonly first: number; readonly all: number };
type Visit = { readonly paintMs: number; readonly figuresMs: number };

const { values: options } = parseArgs({
  options: { events: { type: "string", default: "1000000" }, rounds: { type: "string", default: "7" } },
});
const rounds = Number(options.rounds);
/** How much slower than this machine the browser's processor is. */
const slowdown = 4;
const targetMs = 1_000;
const targetScriptBytes = 80_000;
/** What the service serves. */
const built = join(import.meta.dirname, "../../web/app/dist");
const dayMs = 86_400_000;
const days = 30;
/** The last day is today, so that the app's usual range shows all events. */
const firstMs = Math.floor(Date.now() / dayMs) * dayMs - (days - 1) * dayMs;

const folder = await mkdtemp(join(tmpdir(), "lookout-bench-"));
// PostgreSQL may run as another user, who has to pass.
await chmod(folder, 0o711);
const rows = join(folder, "rows");
const config = readConfig({
  ...process.env,
  DATA_DIR: join(folder, "data"),
  PORT: "0",
  BASE_URL: undefined,
  LOG_LEVEL: "warn",
  QDB_CAIRO_SQL_COPY_ROOT: rows,
});
const files = await writeEvents(rows, { events: Number(options.events), websites: 1, firstMs, days, measured: [1] });
const stack = await startStack({ config, log: say, parts: ["questdb", "postgres", "api"], preferUsualPorts: false });
let browser: Browser | undefined;
try {
  const lookout = await openLookout(stack, 1);
  say("loading the events");
  await lookout.load("events", files.events[0]);
  await lookout.load("outgoing_links", files.links[0]);
  say("making stored sessions");
  await lookout.correct(Math.floor(Date.now() / 3_600_000) * 3_600_000);
  const { baseUrl } = stack.config.server;
  const credentials: Credentials = JSON.parse(await readFile(join(config.stack.dataDir, "credentials.json"), "utf8"));
  browser = await launchChromium(config.stack.cacheDir);
  const cold: Visit[] = [];
  const warm: Visit[] = [];
  const blank: number[] = [];
  let script: Scripts = { first: 0, all: 0 };
  // The first round warms up the service.
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
    await context.close();
    if (index === 0) continue;
    blank.push(blankMs);
    cold.push(first);
    warm.push(second);
  }
  await lookout.close();
  const coldFigures = middle(cold.map(({ figuresMs }) => figuresMs));
  const result = {
    benchmark: "app",
    node: process.version,
    cores: cpus().length,
    load: loadavg().map((value) => round(value, 1)),
    events: Number(options.events),
    slowdown,
    rounds,
    cold: summary(cold),
    warm: summary(warm),
    blankMs: round(middle(blank), 0),
    ratio: round(coldFigures / middle(blank), 1),
    target: targetMs,
    met: coldFigures <= targetMs,
    script: { ...script, target: targetScriptBytes, met: script.first <= targetScriptBytes },
  };
  console.log(JSON.stringify(result, null, 2));
} finally {
  await browser?.close();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
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
    paintMs: round(middle(visits.map(({ paintMs }) => paintMs)), 0),
    figuresMs: round(middle(figures), 0),
    figuresMsMax: round(Math.max(...figures), 0),
  };
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function say(line: string): void {
  console.error(line);
}
