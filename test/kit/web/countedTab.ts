import type { Page } from "puppeteer-core";
import { inject } from "vitest";
import { openTab, type TabOptions } from "./browserTest.ts";

export type CountedTab = {
  readonly page: Page;
  /** Presses of buttons, links, folds and boxes so far. Typing and choosing in a field are none. */
  readonly clicks: () => number;
};

/** A tab which counts what is pressed in it, on a page of the app. */
export async function openCountedTab({
  path,
  ...options
}: TabOptions & { readonly path: string }): Promise<CountedTab> {
  const page = await openTab(options);
  const clicks = await countPresses(page);
  await page.goto((options.baseUrl ?? inject("lookout").baseUrl) + path);
  return { page, clicks };
}

/** Counts what is pressed in a tab from its next page on. */
export async function countPresses(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  // The page tells of each press itself, so that none is left out of the count.
  await page.evaluateOnNewDocument(() => {
    const pressed = "a, button, summary, [role=button], input[type=checkbox], input[type=radio]";
    const count = ({ target }: Event) => {
      if (target instanceof Element && target.closest(pressed) !== null)
        (globalThis as unknown as { countClick(): void }).countClick();
    };
    addEventListener("click", count, true);
  });
  return () => clicks;
}
