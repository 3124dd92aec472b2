import type { Browser, Page } from "puppeteer-core";
import { inject } from "vitest";
import type { Role } from "../../../src/call/caller.ts";
import { createPerson, signedIn } from "../calls/person.ts";
import { type AppPage, openAppPage, setSessionCookie } from "../servers/appPage.ts";

export type CountedTab = AppPage & {
  /** Presses of buttons, links, folds and boxes so far. Typing and choosing in a field are none. */
  readonly clicks: () => number;
};

/** A tab of somebody of an organization, which counts what is pressed in it, on a page of the app. */
export async function openCountedTab(
  browser: Browser,
  organizationId: string,
  path: string,
  role: Role = "owner",
): Promise<CountedTab> {
  const { baseUrl } = inject("lookout");
  const opened = await openAppPage(browser, baseUrl);
  const { page } = opened;
  await setSessionCookie(page, (await signedIn(await createPerson({ organizationId, role }))).cookie());
  const clicks = await countPresses(page);
  await page.goto(`${baseUrl}${path}`, { waitUntil: "load" });
  return { ...opened, clicks };
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
