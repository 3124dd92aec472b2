import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "puppeteer-core";

export type AppPage = {
  readonly page: Page;
  /** What a page must not do: errors in the console, and requests to other origins. */
  readonly problems: string[];
};

export type AppPageOptions = {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly language?: string;
};

/** A tab with cookies of its own, which adds what is wrong in it to `problems`. */
export async function openAppPage(
  browser: Browser,
  origin: string,
  { theme = "light", width = 1_280, language = "en" }: AppPageOptions = {},
  problems: string[] = [],
): Promise<AppPage> {
  const page = await (await browser.createBrowserContext()).newPage();
  // A busy machine is slow, not wrong.
  page.setDefaultTimeout(100_000);
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
  await page.evaluateOnNewDocument((tag) => {
    Object.defineProperty(navigator, "languages", { get: () => [tag] });
    // The headless shell says en-US@posix, which is no language.
    Object.defineProperty(navigator, "language", { get: () => tag });
  }, language);
  page.on("console", (message) => {
    // An answer that refuses a call is no mistake of the page, but Chromium logs it.
    if (["error", "warn"].includes(message.type()) && !message.text().startsWith("Failed to load resource"))
      problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith("data:")) problems.push(`request to ${url}`);
  });
  return { page, problems };
}

/** Gives a tab the cookie of a session, as `name=value`. */
export async function setSessionCookie(page: Page, cookie = ""): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  await page.browserContext().setCookie({ name, value: decodeURIComponent(value), domain: "127.0.0.1", path: "/" });
}

/**
 * Takes from the tab's pages what the service has put into them, so that they ask for it and draw it (src/gateway/http/pageStart.ts): all of it, or what it has
 * drawn and the answer to the first question.
 */
export async function withoutStart(page: Page, what: "all" | "answer" = "all"): Promise<void> {
  await page.evaluateOnNewDocument((all) => {
    // The page is read then, and no script has run.
    document.addEventListener("readystatechange", () => {
      const start = document.getElementById("start");
      if (document.readyState !== "interactive" || start === null) return;
      document.getElementById("app")?.replaceChildren();
      const { question: _, answer: __, ...others } = JSON.parse(start.textContent);
      // The policy of the page lets no text into a script.
      const rest = Object.assign(document.createElement("p"), { id: "start", hidden: true });
      rest.textContent = JSON.stringify(others);
      if (all) start.remove();
      else start.replaceWith(rest);
    });
  }, what === "all");
}

/** Fills the field with this label. */
export async function fill(page: Page, label: string, value: string): Promise<void> {
  await page.locator(`::-p-aria([name="${label}"][role="textbox"])`).fill(value);
}

/** Clicks the button or link with this name. */
export async function press(page: Page, name: string, role: "button" | "link" = "button"): Promise<void> {
  await page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click();
}

/** The number that a key figure of the dashboard shows; undefined while it shows none. */
export async function shownFigure(page: Page, metric: string): Promise<number | undefined> {
  return await page.evaluate((name) => {
    const element = document.querySelector<HTMLDataElement>(`data[data-figure="${name}"]`);
    return element === null ? undefined : Number(element.value);
  }, metric);
}

/** The rows of a panel of the dashboard as they are written: label and numbers. */
export async function shownRows(page: Page, panel: string): Promise<string[][]> {
  return await page.evaluate(
    (id) =>
      [...document.querySelectorAll(`[data-panel="${id}"] tbody tr`)].map((row) =>
        [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim()),
      ),
    panel,
  );
}

/** Resolves when the page shows this heading. */
export async function seeHeading(page: Page, name: string): Promise<void> {
  await page.locator(`::-p-aria([name="${name}"][role="heading"])`).wait();
}

/**
 * What axe-core finds against WCAG 2.2 AA: the theme, the rule and the elements. The page is examined in both themes, in the dark one for
 * its colours, and is in the dark one afterwards. `seeTheme` waits until a page that changes its theme by script has done so.
 */
export async function accessibilityProblems(
  page: Page,
  seeTheme: (theme: "light" | "dark") => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  // A page that is examined again, in another size for example, has it already.
  if (!(await page.evaluate(() => "axe" in globalThis)))
    await page.evaluate(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const rules = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };
  const colours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
  const found: string[] = [];
  for (const [theme, chosen] of [
    ["light", rules],
    ["dark", colours],
  ] as const) {
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
    await seeTheme(theme);
    found.push(...(await brokenRules(page, theme, chosen)));
  }
  return found;
}

async function brokenRules(page: Page, theme: "light" | "dark", runOnly: object): Promise<string[]> {
  const found = await page.evaluate(async (chosen) => {
    type Violation = { id: string; nodes: { html: string; failureSummary?: string }[] };
    const { axe } = globalThis as unknown as {
      axe: { run(context: Document, options: object): Promise<{ violations: Violation[] }> };
    };
    const { violations } = await axe.run(document, { runOnly: chosen, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
    );
  }, runOnly);
  return found.map((problem) => `${theme} ${problem}`);
}

/** Whether the page is wider than its window. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
}
