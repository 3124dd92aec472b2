import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "puppeteer-core";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { totpCode } from "../kit/calls/totp.ts";
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
import { type MailServer, startMailServer } from "../kit/servers/mailServer.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";

let mail: MailServer;
let own: OwnServer;
beforeAll(async () => {
  mail = await startMailServer();
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

/** A website with an event, and the dashboard of a person with a role in its organization. */
async function openDashboard(options: TabOptions = {}): Promise<Page> {
  const website = await createWebsite();
  await viewPage(website);
  const page = await openTab({ ...options, of: website, path: `/dashboard/${website.websiteId}?range=today` });
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  return page;
}

async function viewPage({ websiteId, apiKey }: TestWebsite): Promise<void> {
  const event = { name: "page_view", path: "/a", anonymousId: "ada", sessionId: "ada" };
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: [event] })).status).toBe(200);
}

/** The link in the newest mail to an address. */
async function mailedLink(to: string): Promise<string> {
  const find = () => /http\S+#token=\S+/.exec(mail.mails.findLast((sent) => sent.to.includes(to))?.text ?? "")?.[0];
  await expect.poll(find).toBeDefined();
  return find() ?? "";
}

test.each([1_280, 360])("no page breaks a rule of WCAG 2.2 AA or is wider than a window of %i px", async (width) => {
  const { baseUrl } = inject("lookout");
  const page = await openTab({ width });
  for (const path of [
    "/sign-in",
    "/forgotten-password",
    "/reset-password#token=x",
    "/invitation#token=x",
    "/dashboard",
  ]) {
    await page.goto(baseUrl + path);
    await page.locator("h1").wait();
    expect([path, await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([path, [], false]);
  }
  const dashboard = await openDashboard({ width, language: "de" });
  await dashboard.locator("tbody tr").wait();
  expect(await accessibilityProblems(dashboard)).toEqual([]);
  expect(await scrollsSideways(dashboard)).toBe(false);
  await dashboard.locator(".period .menu-anchor > button").click();
  await dashboard.locator(".own-range").wait();
  expect(await accessibilityProblems(dashboard)).toEqual([]);
  expect(await scrollsSideways(dashboard)).toBe(false);
});

test("a forgotten password is set anew through the link of the e-mail, once", async () => {
  const { email } = await createPerson({
    organizationId: await createOrganization(),
    email: `reset-${Date.now()}@example.com`,
  });
  const page = await openTab({ baseUrl: own.baseUrl, path: "/sign-in" });
  await press(page, "Forgotten your password?", "link");
  await fill(page, "E-mail address", email);
  await press(page, "Send the link");
  await seeHeading(page, "Look into your mail");
  const link = await mailedLink(email);
  await page.goto(link);
  await expect.poll(() => page.url()).not.toContain("token");
  await fill(page, "New password", "short");
  await press(page, "Set the password");
  await page.locator("::-p-text(Use at least 12 characters.)").wait();
  await fill(page, "New password", "correct horse battery");
  await press(page, "Set the password");
  await page.locator("::-p-text(The password is set, and all sessions have ended.)").wait();
  await fill(page, "E-mail address", email);
  await fill(page, "Password", "correct horse battery");
  await press(page, "Sign in");
  await seeHeading(page, "No website yet");
  const again = await openTab({ baseUrl: own.baseUrl });
  await again.goto(link);
  await fill(again, "New password", "another long password");
  await press(again, "Set the password");
  await again.locator("::-p-text(This link does not work)").wait();
});

test("an invited person joins through the link of the e-mail", async () => {
  const owner = await signedIn(await createPerson({ organizationId: await createOrganization() }), own.baseUrl);
  const email = `invited-${Date.now()}@example.com`;
  expect((await owner.call("/auth/invitations/create", { email, role: "viewer" })).status).toBe(200);
  const page = await openTab({ baseUrl: own.baseUrl });
  await page.goto(await mailedLink(email));
  await expect.poll(() => page.url()).not.toContain("token");
  await fill(page, "Your name", "Grace");
  await fill(page, "Password", "correct horse battery");
  await press(page, "Join");
  await seeHeading(page, "No website yet");
});

test("an account with a second factor is asked for the code", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const session = await signedIn(person);
  const { body } = await session.call("/auth/second-factor/enable", { password: person.password });
  const { totpUri } = body as { totpUri: string };
  await session.call("/auth/second-factor/verify", { code: totpCode(totpUri, Date.now() - 30_000) });
  const page = await openTab({ path: "/sign-in" });
  await fill(page, "E-mail address", person.email);
  await fill(page, "Password", person.password);
  await press(page, "Sign in");
  await seeHeading(page, "Second factor");
  await fill(page, "Code of your authenticator, or a backup code", totpCode(totpUri));
  await press(page, "Confirm");
  await seeHeading(page, "No website yet");
});

test("a foreign session sees nothing of a website, and a viewer all of its figures", async () => {
  const website = await createWebsite();
  const organizationId = await createOrganization();
  const page = await openTab({ of: { organizationId }, path: `/dashboard/${website.websiteId}` });
  await seeHeading(page, "There is nothing here");
  const viewer = await openDashboard({ role: "viewer" });
  await viewer.locator("[data-panel=pages] tbody tr").wait();
});

test("key figures are in rows of three on a tablet and a phone, and a chart gets narrower with its window", async () => {
  const page = await openDashboard({ width: 820 });
  const inRows = () =>
    page.$$eval(".figures > li", (tiles) => {
      const tops = tiles.map((tile) => Math.round(tile.getBoundingClientRect().top));
      return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
    });
  expect(await inRows()).toEqual([3, 3]);
  const tooWide = await page.$$eval(".figure", (tiles) => tiles.filter((tile) => tile.scrollWidth > tile.clientWidth));
  expect(tooWide).toEqual([]);
  await page.locator(".chart canvas").wait();
  await page.setViewport({ width: 360, height: 820 });
  expect(await inRows()).toEqual([3, 3]);
  await expect.poll(() => page.$eval(".chart canvas", (canvas) => canvas.clientWidth)).toBeLessThan(360);
  expect(await scrollsSideways(page)).toBe(false);
});

test("the meaning of a figure lies below its tile", async () => {
  const page = await openDashboard();
  const term = ".figures > li:first-child .definition-term";
  await page.locator(term).hover();
  await page.locator(".figures > li:first-child .definition-text").wait();
  const [tile = 0, text = 0] = await page.evaluate(() =>
    [
      document.querySelector(".figures .figure")?.getBoundingClientRect().bottom,
      document.querySelector(".figures .definition-text")?.getBoundingClientRect().top,
    ].map(Number),
  );
  expect(text).toBeGreaterThanOrEqual(tile - 4);
});

test("in forced colours only the chosen figure and tab have a line", async () => {
  const page = await openDashboard();
  const features = [{ name: "forced-colors", value: "active" }];
  await (await page.createCDPSession()).send("Emulation.setEmulatedMedia", { features });
  const lines = (selector: string) =>
    page.$$eval(selector, (all) => {
      const probe = document.createElement("span");
      probe.style.color = "Canvas";
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return all.filter((element) => getComputedStyle(element).borderBlockEndColor !== color).length;
    });
  // The service draws the key figures; panels come with the app.
  await expect.poll(() => lines("[data-panel=sources] .tab")).toBe(1);
  expect(await lines(".figure")).toBe(1);
  expect(await lines(".navigation a")).toBe(1);
});

test("after a filter the keyboard is at its chip and the visitors that are left are said; without it, at the button for more", async () => {
  const page = await openDashboard();
  await page.locator("[data-panel=pages] a.bar-label").wait();
  await page.focus("[data-panel=pages] a.bar-label");
  await page.keyboard.press("Enter");
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
  await expect.poll(focused).toMatch(/^Page is \/a/);
  const message = () => page.$eval("[data-filter-message]", (element) => element.textContent);
  await expect.poll(message).toBe("1 visitor with these filters");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.hasAttribute("data-add-filter"))).toBe(true);
  await expect.poll(message).toBe("1 visitor without filters");
});

test("all panels are loaded before the keys print the overview, and what is not loaded is not printed", async () => {
  const page = await openDashboard();
  const waiting = "main :is(.waiting, .waiting-rows, .goals-later, .lines-later)";
  await page.emulateMediaType("print");
  const printed = await page.$$eval(waiting, (all) =>
    all.filter((one) => one.checkVisibility()).map((one) => `${one.parentElement?.className} > ${one.className}`),
  );
  expect(printed).toEqual([]);
  await page.emulateMediaType("screen");
  await page.evaluate((selector) => {
    window.print = () => {
      document.body.dataset["printed"] = String(document.querySelectorAll(selector).length);
    };
  }, waiting);
  await page.keyboard.down("Control");
  await page.keyboard.press("p");
  await page.keyboard.up("Control");
  await expect.poll(() => page.evaluate(() => document.body.dataset["printed"])).toBe("0");
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await page.$$("[data-panel=links]")).toHaveLength(1);
});

/** Holds or refuses calls of a tab whose address matches. */
async function meddle(page: Page, calls: RegExp, how: "hold" | "refuse"): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  let isOver = false;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (isOver || !calls.test(request.url())) return void request.continue();
    if (how === "refuse") return void request.abort("connectionrefused");
    // A tab that is closed meanwhile needs no answer.
    void released.promise.then(() => request.continue()).catch(() => undefined);
  });
  return () => {
    isOver = true;
    released.resolve();
  };
}

const queries = /QueryService\/Query(\?|$)/;

test("while websites are loaded a page shows where its parts will be, and its footer does not move", async () => {
  const page = await openDashboard();
  await withoutStart(page);
  const release = await meddle(page, /WebsiteService\/ListWebsites/, "hold");
  await page.reload();
  await page.locator(".waiting-page").wait();
  await page.locator(".header .menu-waiting").wait();
  const footer = await page.$eval(".footer", (element) => element.getBoundingClientRect().top);
  expect(footer).toBeGreaterThanOrEqual(900);
  release();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
});

test("figures that take long say so, and figures are not live while nothing is answered", async () => {
  const page = await openDashboard();
  const release = await meddle(page, queries, "hold");
  const state = () => page.$eval(".live", (line) => line.getAttribute("data-live"));
  await expect.poll(state).toBe("live");
  await expect.poll(state).toBe("stalled");
  await page.locator("::-p-text(No answer at the moment)").wait();
  release();
  await expect.poll(state).toBe("live");
});

test("figures that take longer than five seconds say so", async () => {
  const page = await openDashboard();
  await withoutStart(page);
  const release = await meddle(page, /QueryService\/(Query|Watch)(\?|$)/, "hold");
  await page.reload();
  await page.locator("[data-late]").wait();
  release();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
  expect(await page.$("[data-late]")).toBeNull();
});

test("a service that is away is said once, and all parts ask again at once", async () => {
  const page = await openDashboard();
  await page.locator("[data-line=links]").wait();
  const release = await meddle(page, /Service\//, "refuse");
  await page.locator(".period .menu-anchor > button").click();
  await page.locator(".controls ::-p-text(Yesterday)").click();
  await page.locator(".notice-bad").wait();
  await expect
    .poll(() => page.$$eval("[data-panel=pages] .panel-empty", (all) => all.map(({ textContent }) => textContent)))
    .toEqual(["Not loaded"]);
  expect(await page.$$eval(".notice-bad", (all) => all.length)).toBe(1);
  release();
  // The stream may be back before, and then all is asked again too.
  await page.evaluate(() => document.querySelector<HTMLButtonElement>(".notice-bad button")?.click());
  await expect.poll(() => page.$$("main .notice-bad, main [data-panel=pages] .waiting-rows")).toEqual([]);
  await expect
    .poll(() => page.$eval("[data-panel=pages] .panel-empty", ({ textContent }) => textContent))
    .not.toBe("Not loaded");
});

test("the menu of many websites fits a phone and finds one by a part of its name", async () => {
  const website = await createWebsite();
  const owner = await signedIn(await createPerson({ organizationId: website.organizationId, role: "owner" }));
  for (const name of [
    "Bakery",
    "Cinema",
    "Dentist",
    "Estate",
    "Florist",
    "Garage",
    "A name as long as names of websites may be",
  ])
    expect((await owner.call("/websites/create", { name, domain: "many.example" })).status).toBe(200);
  const page = await openTab({ width: 360, session: owner, path: `/links/${website.websiteId}` });
  // The menu of the account is one too.
  await page.locator(".header-inner > .menu-anchor > button").click();
  await page.locator(".menu-search input").wait();
  const box = await page.$eval(".header-inner > .menu-anchor > .menu", (menu) => {
    const { left, right } = menu.getBoundingClientRect();
    return { left, right };
  });
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(360);
  expect([await accessibilityProblems(page), await scrollsSideways(page)]).toEqual([[], false]);
  await page.locator(".menu-search input").fill("flor");
  await expect.poll(() => page.$$(".menu-websites .menu-item")).toHaveLength(1);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.$eval(".header .menu-website", ({ textContent }) => textContent)).toBe("Florist");
});

test("everything works behind a proxy that serves it below a path", async () => {
  const { baseUrl } = inject("lookout");
  const proxy = await startProxy("/stats", baseUrl);
  try {
    const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const website = await createWebsite();
    await viewPage(website);
    const page = await openTab({ baseUrl: `${origin}/stats` });
    const { email, password } = await createPerson(website);
    await page.goto(`${origin}/stats/dashboard/${website.websiteId}?range=today`);
    await fill(page, "E-mail address", email);
    await fill(page, "Password", password);
    await press(page, "Sign in");
    await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
    await page.reload();
    await expect.poll(() => shownFigure(page, "visitors")).toBe(1);
    expect(page.url()).toBe(`${origin}/stats/dashboard/${website.websiteId}?range=today`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

/** Passes on what is below a path, without it. */
async function startProxy(prefix: string, to: string): Promise<Server> {
  const server = createServer((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = "", method, headers } = incoming;
    if (!url.startsWith(`${prefix}/`)) return void outgoing.writeHead(404).end();
    const passedOn = request(`${to}${url.slice(prefix.length)}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passedOn.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passedOn.destroy());
    incoming.pipe(passedOn);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}
