import type { Page } from "puppeteer-core";
import { beforeAll, expect, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type AppPageOptions, accessibilityProblems, fill, press, scrollsSideways } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01" });
  const { websiteId, apiKey } = website;
  let atMs = Date.now() - 60_000;
  const did = (visitor: string, country: string, name: string, path: string, properties?: object) => ({
    name,
    path,
    country,
    anonymousId: visitor,
    sessionId: visitor,
    timestamp: ++atMs,
    ...(properties === undefined ? {} : { properties }),
  });
  const body = [
    did("ada", "DE", "page_view", "/pricing"),
    did("ada", "DE", "signed_up", "/pricing", { plan: "pro" }),
    did("bob", "FR", "page_view", "/pricing"),
    did("bob", "FR", "signed_up", "/pricing", { plan: "free" }),
    did("eve", "FR", "page_view", "/pricing"),
  ];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  await vi.waitFor(async () => expect(await funnel({})).toMatchObject({ visitors: 3, converted: 1 }), {
    timeout: 200_000,
  });
});

type Figures = {
  visitors: number;
  converted: number;
  splits: { value: string; visitors: number; converted: number }[];
};

/** What the API answers for the funnel that is made on the page. */
async function funnel(more: object): Promise<Figures> {
  const { websiteId, apiKey } = website;
  const filters = [{ field: "properties.plan", op: "eq", value: "pro" }];
  const body = { preset: "last_30d", steps: [{ page: "/pricing" }, { event: "signed_up", filters }], ...more };
  return (await send("POST", `/v1/query/funnel?website_id=${websiteId}`, { apiKey, body })).body as Figures;
}

async function stored(): Promise<unknown> {
  const { websiteId: id, apiKey } = website;
  return ((await send("POST", "/websites/get", { apiKey, body: { id } })).body as { goals: unknown }).goals;
}

async function openGoals(options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/settings/${website.websiteId}/goals` });
  await page.locator('[data-section="funnels"]').wait();
  await page
    .locator("datalist option")
    .wait()
    .catch(() => undefined);
  return page;
}

async function rowsOf(page: Page, selector: string): Promise<string[][]> {
  return await page.$$eval(`${selector} tbody tr`, (rows) =>
    rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim())),
  );
}

async function warnings(page: Page): Promise<string[]> {
  return await page.$$eval(".step-warning", (lines) =>
    lines.map((line) => line.textContent).filter((text) => text !== ""),
  );
}

test("8 a goal whose event was never sent is warned about with the one that was meant, and saved", async () => {
  const page = await openGoals();
  await page.select('[aria-label="Kind 1"]', "event");
  await page.locator('input[aria-label="Path or event 1"]').fill("signd_up");
  await expect
    .poll(() => warnings(page))
    .toEqual(["signd_up was not sent in the last 30 days.Did you mean signed_up?"]);
  await press(page, "Did you mean signed_up?");
  await expect.poll(() => warnings(page)).toEqual([]);
  await press(page, "Save");
  await expect.poll(stored).toMatchObject({ goals: [{ kind: "event", value: "signed_up" }] });
});

test("8 a funnel is made by keyboard alone, shows what the API answers, also by country, and another one is moved and deleted", async () => {
  const page = await openGoals();
  await page.focus('[data-section="funnels"] button');
  await page.keyboard.press("Enter");
  await page.focus('[data-section="funnels"] input');
  await page.keyboard.type("Sign-up");
  // Kind, then path of the first step.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("/pricing");
  // Down, remove, then the second step.
  for (const _ of ["down", "remove", "kind"]) await page.keyboard.press("Tab");
  await page.keyboard.type("Event");
  await page.keyboard.press("Tab");
  await page.keyboard.type("signed_up");
  for (const _ of ["up", "remove", "property"]) await page.keyboard.press("Tab");
  await page.keyboard.type("plan");
  await page.keyboard.press("Tab");
  await page.keyboard.type("pro");
  await page.keyboard.press("Enter");
  const own = '[data-funnel="Sign-up"]';
  await page.locator(own).wait();
  const steps = [
    { kind: "page", value: "/pricing" },
    { kind: "event", value: "signed_up", property: { name: "plan", value: "pro" } },
  ];
  expect(await stored()).toMatchObject({ funnel: steps, funnels: [{ name: "Sign-up", steps }] });
  await expect
    .poll(() => page.$$eval(".funnel-losses li", (lines) => lines.map((line) => line.textContent)))
    .toEqual([
      expect.stringMatching(/^signed_up \(plan: pro\): 1 went on, after .* at the median; 2 did not \(66\.7%\)\.$/),
    ]);
  await page.select(`${own} .funnel-split select`, "country");
  await page.locator(`${own} [data-split="country"]`).wait();
  const { splits } = await funnel({ splitBy: "country" });
  const names: Record<string, string> = { DE: "Germany", FR: "France" };
  await expect
    .poll(async () => (await rowsOf(page, `${own} [data-split="country"]`)).map((row) => row.slice(0, 3)))
    .toEqual(splits.map(({ value, visitors, converted }) => [names[value], String(visitors), String(converted)]));
  // A second one, which is moved before the first and deleted.
  await press(page, "Add a funnel");
  await fill(page, "Name of the funnel", "Visit");
  const inputs = '[data-section="funnels"] form .step-row > input';
  for (const [index, input] of (await page.$$(inputs)).entries())
    await input.type(["/pricing", "/thanks"][index] ?? "");
  await page.$eval('[data-section="funnels"] form .button-main', (button) => (button as HTMLButtonElement).click());
  await page.locator('[data-funnel="Visit"]').wait();
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  await press(page, "Move up Visit");
  await expect.poll(stored).toMatchObject({ funnels: [{ name: "Visit" }, { name: "Sign-up" }] });
  // At the top nothing is left to move up, so the focus is on the way back.
  await expect.poll(focused).toBe("Move down Visit");
  await page.keyboard.press("Enter");
  await expect.poll(stored).toMatchObject({ funnels: [{ name: "Sign-up" }, { name: "Visit" }] });
  await expect.poll(focused).toBe("Move up Visit");
  await page.locator('[data-funnel="Visit"] .button-bad').click();
  await page.locator('[data-funnel="Visit"] dialog[open] .button-bad').click();
  await expect.poll(stored).toMatchObject({ funnel: steps, funnels: [{ name: "Sign-up", steps }] });
  // What is left has the focus, not the top of the page.
  await expect.poll(focused).toBe("Sign-up");
});

test("8 somebody who changes nothing finds goals and funnels in the navigation, and no button there", async () => {
  const { websiteId } = website;
  const page = await openTab({ of: website, role: "viewer", path: `/dashboard/${websiteId}` });
  await press(page, "Goals and funnels", "link");
  await page.locator('[data-funnel="Sign-up"]').wait();
  expect(new URL(page.url()).pathname).toBe(`/settings/${websiteId}/goals`);
  expect(await page.$$(".funnel .page-tools, [data-add-funnel], form")).toEqual([]);
});

test.each([1_280, 360])(
  "8 goals and funnels break no rule of WCAG 2.2 AA and are not wider than %i px",
  async (width) => {
    const page = await openGoals({ width, language: width === 360 ? "de" : "en" });
    await expect.poll(() => page.$$(".waiting, .waiting-rows")).toEqual([]);
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
    await page.$$eval('[data-section="funnels"] > .section-body > .stack > div:last-child > button', ([button]) =>
      (button as HTMLButtonElement).click(),
    );
    await page.locator('[data-section="funnels"] form').wait();
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  },
);
