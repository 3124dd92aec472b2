/**
 * `npm run generate:pictures`: takes the pictures of the web app in docs/pictures, from the demo data of a product that runs with
 * `npm start -- --demo` on the same DATA_DIR.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "puppeteer-core";
import { readConfig } from "../../src/config.ts";
import { demoDomain } from "../../src/demo/demoWebsite.ts";
import { fill, press } from "../kit/servers/appPage.ts";
import { launchChromium } from "../kit/servers/launchChromium.ts";

type Credentials = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly email: string;
  readonly password: string;
};
type Theme = "light" | "dark";

type Picture = {
  readonly name: string;
  readonly path: string;
  readonly theme: Theme;
  readonly size: keyof typeof sizes;
};

/** Panels of the overview load when they come into view, so a taller window shows more of them. */
const sizes = { desktop: { width: 1_280, height: 1_120 }, phone: { width: 360, height: 780 } } as const;
/** Streams never end, so no page is ever quiet for long. */
const settledMs = 3_000;

const { stack } = readConfig(process.env);
const credentials: Credentials = JSON.parse(await readFile(join(stack.dataDir, "credentials.json"), "utf8"));
const folder = join(import.meta.dirname, "../../docs/pictures");
const browser = await launchChromium(stack.cacheDir);
try {
  const pictures = await listPictures();
  for (const theme of ["light", "dark"] as const)
    for (const size of ["desktop", "phone"] as const) {
      const context = await signedIn(browser, theme);
      for (const picture of pictures.filter((each) => each.theme === theme && each.size === size))
        await take(context, picture);
      await context.close();
    }
} finally {
  await browser.close();
}

async function listPictures(): Promise<Picture[]> {
  const { websites } = await call<{ websites: { id: string; domain: string }[] }>("/websites/list");
  const website = websites.find(({ domain }) => domain === demoDomain);
  if (website === undefined)
    throw new Error("there is no demo website: run npm start -- --demo on this DATA_DIR first");
  const { monitors } = await call<{ monitors: { id: string }[] }>("/uptime/monitors/list", { websiteId: website.id });
  const { pages } = await call<{ pages: { slug: string }[] }>("/uptime/status-pages/list", { websiteId: website.id });
  const [dateFrom, dateTo] = [89, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10));
  const incidents = await Promise.all(
    monitors.map(({ id }) =>
      call<{ incidents: { id: string }[] }>("/uptime/incidents", { monitorId: id, dateFrom, dateTo }),
    ),
  );
  // In both themes and sizes, since the documentation shows them.
  const shown = {
    overview: `/dashboard/${website.id}`,
    uptime: `/uptime/${website.id}`,
    monitor: `/uptime/${website.id}/monitor/${monitors[0]?.id}`,
    links: `/links/${website.id}`,
    settings: `/settings/${website.id}`,
    status: `/status/${pages[0]?.slug}`,
  };
  const others = {
    home: "/",
    realtime: `/realtime/${website.id}`,
    incident: `/uptime/${website.id}/incident/${incidents.flatMap((each) => each.incidents)[0]?.id}`,
    goals: `/settings/${website.id}/goals`,
    install: `/settings/${website.id}/install`,
    people: "/organization/people",
    account: "/account",
    "sign-in": "/sign-in",
  };
  return [
    ...Object.entries(shown).flatMap(([name, path]) =>
      (["light", "dark"] as const).flatMap((theme) =>
        (["desktop", "phone"] as const).map((size) => picture(name, path, theme, size)),
      ),
    ),
    ...Object.entries(others).flatMap(([name, path]) => [
      picture(name, path, "light", "desktop"),
      picture(name, path, "dark", "phone"),
    ]),
  ];
}

function picture(name: string, path: string, theme: Theme, size: Picture["size"]): Picture {
  return { name: `app-${name}-${theme}-${size}`, path, theme, size };
}

async function call<T>(path: string, body: object = {}): Promise<T> {
  const response = await fetch(credentials.baseUrl + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": credentials.apiKey },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} answers ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function signedIn(chromium: Browser, theme: Theme): Promise<BrowserContext> {
  const context = await chromium.createBrowserContext();
  const page = await openPage(context, theme, "desktop");
  await page.goto(`${credentials.baseUrl}/sign-in`);
  await fill(page, "E-mail address", credentials.email);
  await fill(page, "Password", credentials.password);
  await press(page, "Sign in");
  await page.waitForFunction(() => !location.pathname.endsWith("/sign-in"));
  await page.close();
  return context;
}

async function openPage(context: BrowserContext, theme: Theme, size: keyof typeof sizes): Promise<Page> {
  const page = await context.newPage();
  await page.setViewport({ ...sizes[size], deviceScaleFactor: 1 });
  await page.emulateMediaFeatures([
    { name: "prefers-color-scheme", value: theme },
    { name: "prefers-reduced-motion", value: "reduce" },
  ]);
  await page.evaluateOnNewDocument(() => {
    Object.defineProperty(navigator, "languages", { get: () => ["en"] });
    Object.defineProperty(navigator, "language", { get: () => "en" });
  });
  return page;
}

/** The sign-in is seen without a session. */
async function take(signedInContext: BrowserContext, { name, path, theme, size }: Picture): Promise<void> {
  const context = path === "/sign-in" ? await browser.createBrowserContext() : signedInContext;
  const page = await openPage(context, theme, size);
  await page.goto(credentials.baseUrl + path);
  await page.locator("h1").wait();
  // Parts below the window load when they are scrolled into view.
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll("main :is(.waiting, .waiting-rows, .days-waiting)")].every(
        (part) => part.getBoundingClientRect().top >= innerHeight,
      ),
    { timeout: 60_000 },
  );
  await new Promise((resolve) => setTimeout(resolve, settledMs));
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file as `${string}.png` });
  console.error(file);
  await page.close();
  if (context !== signedInContext) await context.close();
}
