import type { Browser } from "puppeteer-core";
import { inject } from "vitest";
import { launchChromium } from "./launchChromium.ts";

/** The Chromium of tests. */
export async function startBrowser(): Promise<Browser> {
  return await launchChromium(inject("lookout").cacheDir);
}

/** Closes the tabs that a test opened: they would go on asking and drawing beside the next tests. */
export async function closeTabs(browser: Browser | undefined): Promise<void> {
  const [, ...opened] = browser?.browserContexts() ?? [];
  await Promise.all(opened.map((context) => context.close()));
}
