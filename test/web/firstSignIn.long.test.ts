/** The link with which `npm start` begins: one press signs in and replaces the generated password, and nothing happens without it. */
import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import { firstSignInLink } from "../../stack/firstSignIn.ts";
import { createPerson, openBrowser, type Person, signedIn } from "../kit/calls/person.ts";
import { totpCode } from "../kit/calls/totp.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { accessibilityProblems, fill, press, scrollsSideways, seeHeading } from "../kit/servers/appPage.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { openTab, browserTest as test } from "../kit/web/browserTest.ts";
import { countPresses } from "../kit/web/countedTab.ts";

const { baseUrl } = inject("lookout");
let site: TestWebsite;
beforeAll(async () => {
  site = await createWebsite({ domain: "wombat.example" });
});

/** An owner, by default with a password that the service made, and the link for it. */
async function newOwner(hasGeneratedPassword = true): Promise<{ owner: Person; link: string }> {
  const owner = await createPerson({ organizationId: site.organizationId, role: "owner" });
  await inDatabase((database) =>
    database.query("UPDATE users SET has_generated_password = $2 WHERE id = $1", [owner.userId, hasGeneratedPassword]),
  );
  const link = firstSignInLink(baseUrl, owner, { isTerminal: true, isJournal: false });
  if (link === undefined) throw new Error("there is no link");
  return { owner, link };
}

async function open(link: string, options: { language?: string; width?: number } = {}) {
  const page = await openTab(options);
  const clicks = await countPresses(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto(link, { waitUntil: "load" });
  return { page, clicks, requests };
}

const focused = "document.activeElement?.getAttribute('name')";
const cookies = async (page: Page) => await page.browserContext().cookies();
const set = "Set the password and sign in";

test("the first sign-in takes one press, which chooses a password; the generated one is in no request before, nor in the address", async () => {
  const { owner, link } = await newOwner();
  const { page, clicks, requests } = await open(link);
  await seeHeading(page, "Choose your password");
  expect(await page.$eval("main", (main) => main.textContent)).toContain(owner.email);
  expect(page.url()).toBe(`${baseUrl}/first-sign-in`);
  expect(await page.evaluate(() => history.length)).toBe(2);
  await expect.poll(() => page.evaluate(focused)).toBe("new");
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(await cookies(page)).toEqual([]);
  expect(requests.filter((sent) => sent.includes(owner.password) || /SignIn(\s|$)/.test(sent))).toEqual([]);
  await fill(page, "New password", "a password of mine");
  await press(page, set);
  await page.waitForFunction(() => location.pathname.startsWith("/dashboard/"));
  expect(clicks()).toBe(1);
  const answer = await openBrowser().call("/auth/sign-in", { email: owner.email, password: "a password of mine" });
  expect(answer).toMatchObject({ status: 200, body: { hasGeneratedPassword: false } });
});

test("a link whose password was changed says so, and the normal sign-in has the address and the focus on the password", async () => {
  const { owner, link } = await newOwner();
  const body = { currentPassword: owner.password, newPassword: "a password of mine" };
  expect((await (await signedIn(owner)).call("/auth/change-password", body)).status).toBe(200);
  const { page } = await open(link);
  await fill(page, "New password", "another of mine");
  await press(page, set);
  await page.locator("::-p-text(This link is outdated)").wait();
  await seeHeading(page, "Sign in");
  await expect.poll(() => page.evaluate(focused)).toBe("password");
  expect(await page.$eval("input[name=email]", (input) => (input as HTMLInputElement).value)).toBe(owner.email);
  expect(await accessibilityProblems(page)).toEqual([]);
  await fill(page, "Password", "a password of mine");
  await press(page, "Sign in");
  await page.waitForFunction(() => location.pathname.startsWith("/dashboard/"));
});

test("a link made for an account whose password was not generated signs nobody in, and changes no password", async () => {
  const { owner, link } = await newOwner(false);
  const { page } = await open(link);
  await fill(page, "New password", "typed by a victim");
  await press(page, set);
  await page.locator("::-p-text(This link is outdated)").wait();
  expect(await cookies(page)).toEqual([]);
  expect((await openBrowser().call("/auth/sign-in", { ...owner, userId: undefined })).status).toBe(200);
  await page.goto(`${baseUrl}/account`);
  await seeHeading(page, "Sign in");
});

test("the link of somebody who is signed in with an own password leads to the start page", async () => {
  const { owner, link } = await newOwner(false);
  const page = await openTab({ session: await signedIn(owner) });
  await page.goto(link);
  await page.waitForFunction(() => location.pathname.startsWith("/dashboard/"));
});

test("an account with a second factor is asked for its code, and then has the new password", async () => {
  const { owner, link } = await newOwner();
  const session = await signedIn(owner);
  const { body } = await session.call("/auth/second-factor/enable", { password: owner.password });
  const { totpUri } = body as { totpUri: string };
  await session.call("/auth/second-factor/verify", { code: totpCode(totpUri, Date.now() - 30_000) });
  const { page } = await open(link);
  await fill(page, "New password", "a password of mine");
  await press(page, set);
  await seeHeading(page, "Second factor");
  await expect.poll(() => page.evaluate(focused)).toBe("code");
  await fill(page, "Code of your authenticator, or a backup code", "000000");
  await press(page, "Confirm");
  await page.locator("::-p-text(the password or the code is wrong)").wait();
  await fill(page, "Code of your authenticator, or a backup code", totpCode(totpUri));
  await press(page, "Confirm");
  await page.waitForFunction(() => location.pathname.startsWith("/dashboard/"));
  const answer = await openBrowser().call("/auth/sign-in", { email: owner.email, password: "a password of mine" });
  expect(answer).toMatchObject({ status: 401, body: { details: [{ field: "code" }] } });
});

test.each([
  ["de", "Wählen Sie Ihr Passwort", 360],
  ["fr", "Choisissez votre mot de passe", 360],
] as const)(
  "the page of the link in %s has no problems of accessibility and fits a phone",
  async (language, title, width) => {
    const { page } = await open((await newOwner()).link, { language, width });
    await seeHeading(page, title);
    expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  },
);

test("without a password in the address the page is the normal sign-in, whose first field has the focus", async () => {
  const { page } = await open(`${baseUrl}/first-sign-in`);
  await seeHeading(page, "Sign in");
  await expect.poll(() => page.evaluate(focused)).toBe("email");
});
