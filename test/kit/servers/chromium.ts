import type { Browser } from "puppeteer-core";
import { inject } from "vitest";
import { launchChromium } from "./launchChromium.ts";

/** The Chromium of tests. */
export async function startBrowser(): Promise<Browser> {
  return await launchChromium(inject("lookout").cacheDir);
}
