import type { Page } from "puppeteer-core";
import { vi } from "vitest";

/** Opens every line below the panels, once they are there. */
export async function openLines(page: Page): Promise<void> {
  await page.locator("[data-line]").wait();
  // Set-ups open them too, where expect.poll does not work.
  await vi.waitUntil(
    () =>
      page.$$eval("[data-line] .line-open[aria-expanded=false]", (buttons) => {
        for (const button of buttons) (button as HTMLButtonElement).click();
        return buttons.length === 0;
      }),
    { timeout: 200_000, interval: 200 },
  );
}

/** What a line says while it is closed, its facts one by one; what it says instead of them as one text. */
export async function shownFacts(page: Page, line: string): Promise<string[]> {
  return await page.$eval(`[data-line="${line}"] .line-facts`, (said) => {
    const facts = [...said.querySelectorAll(".line-fact")];
    return (facts.length === 0 ? [said] : facts).map((fact) => fact.textContent.trim());
  });
}

/** The goals in their row: name, of how many visitors with what it was worth, rate, and the change of the rate. */
export async function shownGoals(page: Page): Promise<string[][]> {
  return await page.$$eval("[data-goal]", (tiles) =>
    tiles.map((tile) =>
      [".goal-name", ".goal-of", ".goal-rate", ".goal-change"].map(
        (part) => tile.querySelector(part)?.textContent.trim() ?? "",
      ),
    ),
  );
}
