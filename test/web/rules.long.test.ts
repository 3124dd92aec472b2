/** The rules of a website in its settings: what is saved, and what the preview shows. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, vi } from "vitest";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type AppPageOptions, accessibilityProblems, press, scrollsSideways } from "../kit/servers/appPage.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";

let website: TestWebsite;
beforeAll(async () => {
  website = await createWebsite();
  const { websiteId, apiKey } = website;
  const view = (path: string, country: string) => ({ name: "page_view", path, country });
  const body = [view("/admin", "DE"), view("/admin/users", "FR"), view("/", "FR")];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
  await vi.waitFor(async () => expect((await preview({})).events).toBe(3), { timeout: 200_000 });
});

type Preview = { readonly events: number; readonly excluded: number; readonly kinds: readonly object[] };

async function preview(rules: object): Promise<Preview> {
  const { websiteId: id, apiKey } = website;
  return (await send("POST", "/websites/rules/preview", { apiKey, body: { id, rules } })).body as Preview;
}

async function openRules(options: AppPageOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, of: website, path: `/settings/${website.websiteId}/rules` });
  await page.locator("textarea[name=networks]").wait();
  return page;
}

const type = (page: Page, list: string, text: string) => page.locator(`textarea[name=${list}]`).fill(text);

const shown = (page: Page) =>
  page.$$eval("[data-section=preview] tbody tr", (rows) =>
    rows.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent.trim())),
  );

test("a preview shows what the API counts, what is not known is said, and saved rules stay", async () => {
  const page = await openRules();
  await type(page, "networks", "203.0.113.0/24\n2001:db8::/32\n");
  await type(page, "paths", "/admin*");
  await type(page, "countries", "de");
  await press(page, "See what they would exclude");
  await page.locator("[data-section=preview] table").wait();
  const rules = { networks: ["203.0.113.0/24"], paths: ["/admin*"], countries: ["DE"] };
  const { excluded, events } = await preview(rules);
  expect(await page.$eval("[data-section=preview] [role=status]", (status) => status.textContent)).toContain(
    `${excluded} of ${events} stored events`,
  );
  expect(await shown(page)).toEqual([
    ["Network", "Not known: addresses are not stored"],
    ["Country", "1"],
    ["Path", "2"],
  ]);
  await press(page, "Save");
  await page.locator("::-p-text(Saved.)").wait();
  await page.reload();
  await page.locator("textarea[name=networks]").wait();
  const textOf = (list: string) => page.$eval(`textarea[name=${list}]`, (area) => (area as HTMLTextAreaElement).value);
  expect(await Promise.all(["networks", "paths", "countries", "hosts"].map(textOf))).toEqual([
    "203.0.113.0/24\n2001:db8::/32",
    "/admin*",
    "DE",
    "",
  ]);
});

test("a value that makes no sense is named with its field, and nothing is saved", async () => {
  const page = await openRules();
  await type(page, "networks", "10.0.0.0/99");
  await press(page, "Save");
  await page.locator("::-p-text(rules.networks[0])").wait();
  const { websiteId: id, apiKey } = website;
  const answer = await send("POST", "/websites/get", { apiKey, body: { id } });
  expect(JSON.stringify(answer.body)).not.toContain("10.0.0.0");
});

test.each([
  [1_280, "fr"],
  [360, "de"],
] as const)(
  "the page with its preview breaks no rule of WCAG 2.2 AA in either theme, %i px, %s",
  async (width, language) => {
    const page = await openRules({ width, language });
    await type(page, "networks", "203.0.113.0/24");
    await type(page, "hosts", "*.preview.example");
    await page.locator("[data-section=rules] .form-foot button[type=button]").click();
    await page.locator("[data-section=preview] table").wait();
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
    const { PICTURES } = process.env;
    if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/rules-${width}.png`, fullPage: true });
  },
);
