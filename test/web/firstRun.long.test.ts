import type { Page } from "puppeteer-core";
import { beforeAll, expect, inject } from "vitest";
import { createPerson, openBrowser, type Person, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import {
  accessibilityProblems,
  fill,
  press,
  scrollsSideways,
  seeHeading,
  shownFigure,
  withoutStart,
} from "../kit/servers/appPage.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");
let site: TestWebsite;
beforeAll(async () => {
  site = await createWebsite({ domain: "127.0.0.1" });
});

/** A person whose password the service made. */
async function newPerson(): Promise<Person> {
  const person = await createPerson({ organizationId: site.organizationId });
  await inDatabase((database) =>
    database.query("UPDATE users SET has_generated_password = true WHERE id = $1", [person.userId]),
  );
  return person;
}

async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${baseUrl}/sign-in?next=account`, { waitUntil: "load" });
  await fill(page, "E-mail address", email);
  await fill(page, "Password", password);
  await press(page, "Sign in");
}

async function openSignedIn(person: Person, path: string, options: TabOptions = {}) {
  return await openTab({ ...options, session: await signedIn(person), path });
}

test("after the first sign-in another password is asked for; on this machine it may wait", async () => {
  const person = await newPerson();
  const page = await openTab();
  await signIn(page, person.email, person.password);
  await seeHeading(page, "Choose your password");
  expect(await accessibilityProblems(page)).toEqual([]);
  await press(page, "Later");
  await seeHeading(page, "Your account");

  const again = await openTab();
  await signIn(again, person.email, person.password);
  await seeHeading(again, "Choose your password");
  await fill(again, "New password", "a password of mine");
  await press(again, "Set the password");
  await seeHeading(again, "Your account");
  const session = openBrowser();
  const answer = await session.call("/auth/sign-in", { email: person.email, password: "a password of mine" });
  expect(answer).toMatchObject({ status: 200, body: { hasGeneratedPassword: false } });
});

test("the language that a person chooses is that of the next browser too", async () => {
  const person = await createPerson({ organizationId: site.organizationId });
  const session = await signedIn(person);
  await session.call("/auth/language", { language: "de" });
  const page = await openTab();
  await signIn(page, person.email, person.password);
  await seeHeading(page, "Ihr Konto");
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("the guide and its options stay after a reload, and so does a new website", async () => {
  const person = await createPerson({ organizationId: site.organizationId });
  const page = await openSignedIn(person, `/settings/${site.websiteId}/install`);
  await press(page, "Shopify");
  await page.locator("input[name=vitals]").click();
  const snippet = () => page.$eval("[data-snippet=shopify] pre", ({ textContent }) => textContent.trim());
  const expected = `<script defer src="${baseUrl}/tracker-vitals.js" data-website-id="${site.websiteId}"></script>`;
  await expect.poll(snippet).toBe(expected);
  await page.reload({ waitUntil: "load" });
  await page.locator("[data-snippet=shopify]").wait();
  expect(await snippet()).toBe(expected);

  await page.goto(`${baseUrl}/new-website`, { waitUntil: "load" });
  await fill(page, "Domain", "wombat.example");
  await press(page, "Add");
  await seeHeading(page, "wombat.example was added");
  await page.reload({ waitUntil: "load" });
  await seeHeading(page, "wombat.example was added");
});

test("the check says what is wrong, in each language and without problems of accessibility", async () => {
  const person = await createPerson({ organizationId: site.organizationId });
  const sentences = [
    ["en", "Check the page", "is in a private network"],
    ["de", "Seite prüfen", "liegt in einem privaten Netz"],
    ["fr", "Vérifier la page", "est dans un réseau privé"],
  ] as const;
  for (const [language, button, sentence] of sentences) {
    const page = await openSignedIn(person, `/settings/${site.websiteId}/install`, {
      language,
      width: 360,
    });
    await page.locator("details.fold summary").click();
    await page.locator(`::-p-aria([name="${button}"][role="button"])`).wait();
    // By keyboard: the tabs at the bottom of a phone may lie above the button.
    await page.focus(".guide-check input");
    await page.keyboard.press("Enter");
    await page.locator("[data-result]").wait();
    expect(await page.$eval("[data-result]", ({ textContent }) => textContent)).toContain(sentence);
    expect(await page.$eval("html", ({ lang }) => lang)).toBe(language);
    expect(await accessibilityProblems(page), language).toEqual([]);
    expect(await scrollsSideways(page), language).toBe(false);
  }
});

test.each([1_280, 360])("the language of the sign-in is chosen below its card by keyboard, at %i px", async (width) => {
  const page = await openTab({ width });
  await page.goto(`${baseUrl}/sign-in`, { waitUntil: "load" });
  await seeHeading(page, "Sign in");
  expect(await page.$(".header .menu-anchor")).toBeNull();
  const [card, choice] = await page.$$eval(".card, .card-language button[aria-expanded]", (all) =>
    all.map((element) => {
      const { top, bottom, left, right } = element.getBoundingClientRect();
      return { top, bottom, middle: (left + right) / 2 };
    }),
  );
  expect(choice?.top).toBeGreaterThan(card?.bottom ?? Number.POSITIVE_INFINITY);
  expect(Math.abs((choice?.middle ?? 0) - (card?.middle ?? 0))).toBeLessThan(2);
  await page.focus(".card-language button[aria-expanded]");
  await page.keyboard.press("Enter");
  await page.locator(".card-language .menu-item[lang=de]").wait();
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.focus(".card-language .menu-item[lang=de]");
  await page.keyboard.press("Enter");
  await seeHeading(page, "Anmelden");
});

test("a browser loads the texts of its own language only", async () => {
  const page = await openTab({ language: "fr-CA" });
  // What the service preloads.
  await page.setExtraHTTPHeaders({ "accept-language": "fr-CA,fr" });
  const files: string[] = [];
  page.on("response", (response) => files.push(new URL(response.url()).pathname));
  await page.goto(`${baseUrl}/sign-in`, { waitUntil: "load" });
  await seeHeading(page, "Connexion");
  expect(await accessibilityProblems(page)).toEqual([]);
  const texts = files.filter((file) => /\/(?:en|de|fr)-[\w-]+\.js$/.test(file));
  expect(texts).toEqual([expect.stringMatching(/\/fr-/)]);
});

/** Holds back the answers that say whether a website has events. */
async function holdStatus(page: Page): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (!/WebsiteService\/GetWebsite(\?|$)/.test(request.url())) return void request.continue();
    // A tab that is closed meanwhile needs no answer.
    void released.promise.then(() => request.continue()).catch(() => undefined);
  });
  return () => released.resolve();
}

/** Notes whether the guide was ever on the page, also for a moment. */
async function watchForGuide(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluateOnNewDocument(() => {
    new MutationObserver(() => {
      if (document.querySelector("[data-snippet]") !== null) Object.assign(globalThis, { guideWasSeen: true });
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => "guideWasSeen" in globalThis);
}

async function sendView({ websiteId, apiKey }: TestWebsite): Promise<void> {
  const body = [{ name: "page_view", path: "/", anonymousId: "ada", sessionId: "ada", timestamp: Date.now() }];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body })).status).toBe(200);
}

test("the figures of a website do not wait until events are looked for, and the guide is never shown beside them", async () => {
  const website = await createWebsite({ firstEventOn: "2020-01-01" });
  await sendView(website);
  await inDatabase((database) =>
    database.query("UPDATE websites SET created_at = '2020-01-01' WHERE id = $1", [website.websiteId]),
  );
  const page = await openTab({ of: website });
  const guideWasSeen = await watchForGuide(page);
  const release = await holdStatus(page);
  const asked = page.waitForRequest((request) => request.url().includes("GetWebsite"));
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=today`);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  await asked;
  release();
  await page.waitForResponse((response) => response.url().includes("GetWebsite"));
  expect(await shownFigure(page, "visitors")).toBe(1);
  expect(await guideWasSeen()).toBe(false);
});

test("the key figures are asked for once, before the overview is drawn where the page does not have them, and those of another period are asked for anew", async () => {
  const website = await createWebsite({ firstEventOn: "2020-01-01" });
  await sendView(website);
  await inDatabase((database) =>
    database.query("UPDATE websites SET created_at = '2020-01-01' WHERE id = $1", [website.websiteId]),
  );
  const page = await openTab({ of: website });
  // Otherwise the page has the answer in it.
  await withoutStart(page, "answer");
  await page.evaluateOnNewDocument(() => {
    const { fetch: send } = globalThis;
    const drawn: boolean[] = [];
    Object.assign(globalThis, { drawn });
    globalThis.fetch = (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      if (/QueryService\/Query(\?|$)/.test(url)) drawn.push(document.querySelector(".bar") !== null);
      return send(input, init);
    };
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    const sent = `${decodeURIComponent(request.url())} ${request.postData() ?? ""}`;
    if (/QueryService\/Query[ ?]/.test(sent) && sent.includes('"summary_metrics"')) asked.push(sent);
  });
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}?range=today`);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  const firstDrawn = () => page.evaluate(() => (globalThis as unknown as { drawn: boolean[] }).drawn[0]);
  await expect.poll(firstDrawn).toBe(false);
  await page.locator('[data-live="live"]').wait();
  expect(asked).toHaveLength(1);
  await page.keyboard.press("w");
  await expect.poll(() => asked).toHaveLength(2);
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
});

test("a new website shows neither figures nor guide before it is known whether it has events, and figures after its first one", async () => {
  const website = await createWebsite();
  const page = await openTab({ of: website });
  const release = await holdStatus(page);
  await page.goto(`${baseUrl}/dashboard/${website.websiteId}`);
  await page.locator(".waiting-page").wait();
  expect(await page.$(".bar, [data-snippet]")).toBeNull();
  release();
  await page.locator("[data-snippet]").wait();
  expect(await page.$(".bar")).toBeNull();
  expect(await accessibilityProblems(page)).toEqual([]);
  // Another page meanwhile: the event arrives while nobody waits for it.
  await page.locator('nav ::-p-aria([name="Settings"][role="link"])').click();
  await expect.poll(() => page.$eval("main", (main) => main.textContent)).toContain("None yet");
  await sendView(website);
  await expect
    .poll(
      async () =>
        (await send("POST", "/websites/get", { apiKey: website.apiKey, body: { id: website.websiteId } })).body,
    )
    .toMatchObject({ trackingStatus: "active" });
  const guideWasSeen = () => page.$("[data-snippet]");
  await page.locator('nav ::-p-aria([name="Overview"][role="link"])').click();
  await page.locator(".bar").wait();
  expect(await guideWasSeen()).toBeNull();
});
