/** What people do with their own account, and how many presses it takes: none more than it took once. */
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createPerson, type Person, signedIn } from "../kit/calls/person.ts";
import { totpCode } from "../kit/calls/totp.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, fill, press, scrollsSideways, seeHeading } from "../kit/servers/appPage.ts";
import { type MailServer, startMailServer } from "../kit/servers/mailServer.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { browserTest as test } from "../kit/web/browserTest.ts";
import { openCountedTab } from "../kit/web/countedTab.ts";

let mail: MailServer;
let own: OwnServer;
let site: TestWebsite;
beforeAll(async () => {
  [mail, site] = await Promise.all([startMailServer(), createWebsite()]);
  const port = await freePort();
  own = await startOwnServer(handlers, {
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    SMTP_URL: mail.url,
    SMTP_FROM: "lookout@example.com",
  });
});
afterAll(async () => {
  await own?.close();
  await mail?.close();
});

const newPerson = () => createPerson({ organizationId: site.organizationId });

/** A tab that counts presses, at a path of the app. */
async function begin(path: string, person?: Person) {
  return await openCountedTab({ baseUrl: own.baseUrl, path, ...(person && { session: await signedIn(person) }) });
}

/** The name of the field that takes what is typed. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("name"));

async function seeNoFaults(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await scrollsSideways(page)).toBe(false);
}

const seeOverview = (page: Page) => page.waitForFunction(() => location.pathname.startsWith("/dashboard/"));

test("a forgotten password is replaced in at most three presses, and the next one signs in; each first empty field has the focus", async () => {
  const { email } = await newPerson();
  const { page, clicks } = await begin("/sign-in");
  await expect.poll(() => focused(page)).toBe("email");
  await page.keyboard.type(email);
  await press(page, "Forgotten your password?", "link");
  await seeHeading(page, "Forgotten password");
  await expect.poll(() => focused(page)).toBe("email");
  await fill(page, "E-mail address", email);
  await press(page, "Send the link");
  await seeHeading(page, "Look into your mail");
  await seeNoFaults(page);
  const link = () => /http\S+#token=\S+/.exec(mail.mails.findLast(({ to }) => to.includes(email))?.text ?? "")?.[0];
  await expect.poll(link).toBeDefined();
  await page.goto(link() ?? "");
  await expect.poll(() => focused(page)).toBe("password");
  await page.keyboard.type("a password of mine");
  await press(page, "Set the password");
  await page.locator("::-p-text(The password is set)").wait();
  expect(clicks()).toBeLessThanOrEqual(3);
  await seeNoFaults(page);
  await seeHeading(page, "Sign in");
  await expect.poll(() => focused(page)).toBe("email");
  await fill(page, "E-mail address", email);
  await fill(page, "Password", "a password of mine");
  await press(page, "Sign in");
  await seeOverview(page);
  expect(clicks()).toBeLessThanOrEqual(4);
});

test("a second factor is set up in at most three presses and removed in two", async () => {
  const person = await newPerson();
  const { page, clicks } = await begin("/account", person);
  await press(page, "Set up a second factor");
  await expect.poll(() => focused(page)).toBe("password");
  await page.keyboard.type(person.password);
  await press(page, "Continue");
  const secret = await page
    .waitForSelector("[data-totp-secret]")
    .then((code) => code?.evaluate((el) => el.textContent));
  await seeNoFaults(page);
  await fill(page, "Code", totpCode(`otpauth://totp/x?secret=${secret?.trim()}`));
  await press(page, "Confirm");
  await page.locator("[data-backup-codes]").wait();
  await page.locator("[data-second-factor=on]").wait();
  expect(clicks()).toBeLessThanOrEqual(3);
  await seeNoFaults(page);
  await press(page, "I have stored them");
  const before = clicks();
  await press(page, "Remove the second factor");
  await expect.poll(() => focused(page)).toBe("password");
  await page.keyboard.type(person.password);
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator("[data-second-factor=off]").wait();
  expect(clicks() - before).toBeLessThanOrEqual(2);
});

test.each(["authenticator", "backup code"] as const)(
  "with a second factor the sign-in takes two presses, by %s",
  async (by) => {
    const person = await newPerson();
    const session = await signedIn(person);
    const { body } = await session.call("/auth/second-factor/enable", { password: person.password });
    const { totpUri, backupCodes } = body as { totpUri: string; backupCodes: string[] };
    await session.call("/auth/second-factor/verify", { code: totpCode(totpUri, Date.now() - 30_000) });
    const { page, clicks } = await begin("/sign-in");
    await expect.poll(() => focused(page)).toBe("email");
    await page.keyboard.type(person.email);
    await fill(page, "Password", person.password);
    await press(page, "Sign in");
    await seeHeading(page, "Second factor");
    await expect.poll(() => focused(page)).toBe("code");
    await seeNoFaults(page);
    await page.keyboard.type(by === "authenticator" ? totpCode(totpUri) : (backupCodes[0] ?? ""));
    await press(page, "Confirm");
    await seeOverview(page);
    expect(clicks()).toBeLessThanOrEqual(2);
  },
);
