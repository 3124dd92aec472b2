import type { Browser } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { createOrganization, createPerson } from "../kit/calls/person.ts";
import { fill, openAppPage, press, seeHeading } from "../kit/servers/appPage.ts";
import { startBrowser } from "../kit/servers/chromium.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

const { baseUrl } = inject("lookout");

test("a person signs in, is led back to the page that was asked for, and signs out", async () => {
  const organizationId = await createOrganization();
  const { email, password } = await createPerson({ organizationId });
  const { page, problems } = await openAppPage(browser, baseUrl);
  await page.goto(`${baseUrl}/?from=mail`);
  await seeHeading(page, "Sign in");
  await fill(page, "E-mail address", email);
  await fill(page, "Password", "wrong password");
  await press(page, "Sign in");
  await page.locator("[role=alert]").wait();
  await fill(page, "Password", password);
  await press(page, "Sign in");
  await seeHeading(page, "No website yet");
  expect(await page.evaluate("document.cookie")).toBe("");
  await press(page, "Account: Ada");
  await press(page, "Sign out");
  await seeHeading(page, "Sign in");
  expect((await page.cookies()).map(({ name }) => name)).toEqual([]);
  expect(problems).toEqual([]);
});

test("the page has a policy without exceptions, and files that never change", async () => {
  const answer = await fetch(`${baseUrl}/sign-in`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(answer.headers.get("cache-control")).toBe("no-cache");
  const [, script = ""] = /src="\.\/(assets\/[^"]+\.js)"/.exec(await answer.text()) ?? [];
  const file = await fetch(`${baseUrl}/${script}`, { headers: { "accept-encoding": "br" } });
  expect(file.status).toBe(200);
  expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(file.headers.get("content-encoding")).toBe("br");
  const again = await fetch(`${baseUrl}/${script}`, { headers: { "if-none-match": file.headers.get("etag") ?? "" } });
  expect(again.status).toBe(200);
  expect((await fetch(`${baseUrl}/unknown-page`)).status).toBe(404);
});
