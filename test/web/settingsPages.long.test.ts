import { fileURLToPath } from "node:url";
import type { Page } from "puppeteer-core";
import { create as createQrCode } from "qrcode";
import { beforeAll, expect, inject, vi } from "vitest";
import type { Role } from "../../src/call/caller.ts";
import {
  createOrganization,
  createPerson,
  type Person,
  type Browser as Session,
  signedIn,
} from "../kit/calls/person.ts";
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
} from "../kit/servers/appPage.ts";
import { openTab, type TabOptions, browserTest as test } from "../kit/web/browserTest.ts";

const { baseUrl } = inject("lookout");

/** In no other organization, so that a page with one of them shows something of this one. */
const own = { website: "Quokka shop", domain: "quokka.example", organization: "Numbat Ltd", key: "Wombat report" };

let site: TestWebsite;
let person: Person;
let owner: Session;
/** An erasure that has ended. */
let deletionId: string;

beforeAll(async () => {
  site = await createWebsite();
  person = await createPerson({ organizationId: site.organizationId, role: "owner" });
  owner = await signedIn(person);
  const { websiteId, apiKey } = site;
  await ask("/auth/organization/rename", { name: own.organization });
  await ask("/websites/update", { id: websiteId, name: own.website, domain: own.domain });
  await ask("/api-keys/create", { name: own.key, scopes: ["read:data"], websiteIds: [websiteId] });
  await ask("/auth/invitations/create", { email: `invited-${websiteId}@quokka.example`, role: "viewer" });
  await ask("/uptime/monitors/create", {
    websiteId,
    url: `https://${own.domain}/`,
    name: own.website,
    interval: "24h",
  });
  await ask("/links/create", { websiteId, targetUrl: `https://${own.domain}/sale`, name: own.website });
  const views = Array.from({ length: 6 }, (_, age) => ({
    name: "page_view",
    path: "/",
    anonymousId: `visitor-${age}`,
    sessionId: `session-${age}`,
    timestamp: Date.now() - age * dayMs,
  }));
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: views })).status).toBe(200);
  const erase = { start_date: dayBefore(5), end_date: dayBefore(5), data_types: ["events"] };
  const answer = await send("DELETE", `/v1/websites/${websiteId}/data`, { apiKey, body: erase });
  deletionId = (answer.body as { deletion_id: string }).deletion_id;
  await vi.waitFor(async () => expect((await deletion(deletionId)).status).toBe("completed"), { timeout: 200_000 });
});

const dayMs = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** What the API answers the owner. */
async function ask<T>(path: string, body?: object): Promise<T> {
  const answer = await owner.call(path, body);
  expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body]);
  return answer.body as T;
}

type Deletion = { status: string; receipt: { tables: { table: string; rows_before: number; rows_after: number }[] } };

const deletion = (id: string) => ask<Deletion>(`/v1/deletions/${id}`);

type Shown = { id: string; name: string; deletedAt: string | null; retention: object; pendingRetention: object | null };

const shownWebsite = (id: string) => ask<Shown>("/websites/get", { id });

/** A tab of a person with a session. Also notes answers that refuse a call, which no button and no page should cause. */
async function open(session: Session, path: string, options: TabOptions = {}): Promise<Page> {
  const page = await openTab({ ...options, session, wrongStatuses: [403] });
  await show(page, path);
  return page;
}

async function show(page: Page, path: string): Promise<void> {
  await page.goto(baseUrl + path);
  await page.locator("h1").wait();
}

/** Resolves once nothing on the page waits for its answer. What is far below the window asks only when it is scrolled to. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const waiting = document.querySelector("main .waiting");
    waiting?.scrollIntoView();
    return waiting === null;
  });
}

const role = (of: Role) =>
  createPerson({ organizationId: site.organizationId, role: of }).then((made) => signedIn(made));

async function text(page: Page, selector: string): Promise<string> {
  await page.locator(selector).wait();
  return await page.$eval(selector, (element) => element.textContent.trim());
}

/** Rows by kind of data, as a table on the page shows them. */
async function shownCounts(page: Page, selector: string): Promise<Record<string, number>> {
  await page.locator(`${selector} .counts`).wait();
  const rows = await page.$$eval(`${selector} .counts [data-kind]`, (all) =>
    all.map((row) => [row.getAttribute("data-kind"), Number(row.querySelector("data")?.value)] as const),
  );
  return Object.fromEntries(rows);
}

const parts = ["", "/install", "/rules", "/retention", "/data"];
const organizationParts = ["", "/websites", "/people", "/keys", "/audit"];

/** Every path of these pages. */
const ownPaths = (): string[] => [
  ...parts.map((part) => `/settings/${site.websiteId}${part}`),
  `/settings/${site.websiteId}/data/${deletionId}`,
  ...organizationParts.map((part) => `/organization${part}`),
  "/new-website",
  "/account",
];

test("no page of settings breaks a rule of WCAG 2.2 AA in either theme, or is wider than its window", {
  timeout: 300_000,
}, async () => {
  const page = await open(owner, "/account", { language: "de" });
  for (const path of ownPaths()) {
    await show(page, path);
    await settled(page);
    for (const width of [1_280, 360]) {
      await page.setViewport({ width, height: 900 });
      const found = [await accessibilityProblems(page), await scrollsSideways(page)];
      expect([path, width, ...found]).toEqual([path, width, [], false]);
    }
  }
});

test("a new website waits for its first event, confirms it, and can be deleted and restored", async () => {
  const page = await open(owner, "/new-website");
  await fill(page, "Domain", "https://blog.example/about");
  await fill(page, "Name", "Blog");
  await press(page, "Add");
  await seeHeading(page, "Blog was added");
  const { websites } = await ask<{ websites: Shown[] }>("/websites/list", {});
  const { id } = websites.find(({ name }) => name === "Blog") ?? { id: "" };
  expect(await shownWebsite(id)).toMatchObject({ domain: "blog.example", trackingStatus: "pending" });
  await show(page, `/dashboard/${id}`);
  expect(await text(page, "[data-snippet] pre")).toBe(
    `<script defer src="${baseUrl}/tracker.js" data-website-id="${id}"></script>`,
  );
  for (const way of ["Tag manager", "npm module", "Server"]) {
    await press(page, way);
    expect(await text(page, "[data-snippet] pre")).toContain(id);
  }
  await page.locator(".pulse[data-state=waiting]").wait();
  const event = { name: "page_view", path: "/", anonymousId: "ada", sessionId: "ada" };
  expect((await send("POST", `/batch?website_id=${id}`, { body: [event] })).status).toBe(200);
  await page.locator("::-p-text(The first event has arrived.)").wait();
  await expect.poll(() => shownFigure(page, "visitors")).toBe(1);

  await press(page, "Settings", "link");
  await press(page, "Delete the website");
  await page.locator("dialog[open]").wait();
  await fill(page, "Type “Blog” to confirm", "blog");
  expect(await page.$eval("dialog .button-bad", (button) => button.hasAttribute("disabled"))).toBe(true);
  await fill(page, "Type “Blog” to confirm", "Blog");
  await page.locator("dialog .button-bad").click();
  await seeHeading(page, "Deleted websites");
  expect((await shownWebsite(id)).deletedAt).not.toBeNull();
  await page.locator(`[data-section=deletedWebsites] [data-website="${id}"] button`).click();
  await page.locator(`[data-section=websites] [data-website="${id}"]`).wait();
  expect((await shownWebsite(id)).deletedAt).toBeNull();
});

test("settings are saved, and shorter retention shows what it would erase and is cancelled", async () => {
  const { websiteId } = site;
  const page = await open(owner, `/settings/${websiteId}`);
  await page.locator("input[name=publicAccess]").click();
  await press(page, "Save");
  await page.locator("::-p-text(Saved.)").wait();
  const [button = 0, saved = 0] = await page.evaluate(() => [
    Number(document.querySelector("[data-section=general] .form-foot .button")?.getBoundingClientRect().right),
    Number(document.querySelector("[data-section=general] .form-foot .saved")?.getBoundingClientRect().left),
  ]);
  expect(saved).toBeGreaterThanOrEqual(button);
  expect(await shownWebsite(websiteId)).toMatchObject({ name: own.website, domain: own.domain, publicAccess: true });
  await ask("/websites/update", { id: websiteId, publicAccess: false });

  await show(page, `/settings/${websiteId}/retention`);
  await page.locator("input[name=aggregatedDays]").fill("0");
  await press(page, "See what changes");
  await page.locator("::-p-text(Enter a number from 1 to 3650.)").wait();
  await page.locator("input[name=aggregatedDays]").fill("730");
  await page.locator("input[name=rawEventsDays]").fill("2");
  await press(page, "See what changes");
  const shown = await shownCounts(page, "dialog[open]");
  const retention = { rawEventsDays: 2 };
  const preview = await ask<{ wouldErase: Record<string, number> }>("/websites/retention/preview", {
    id: websiteId,
    retention,
  });
  expect(shown).toEqual(preview.wouldErase);
  expect(preview.wouldErase["events"]).toBeGreaterThan(0);
  expect((await shownWebsite(websiteId)).pendingRetention).toBeNull();
  await press(page, "Set the periods");
  await page.locator("[data-section=pending]").wait();
  expect((await shownWebsite(websiteId)).pendingRetention).toMatchObject({ retention });
  expect(await shownCounts(page, "[data-section=pending]")).toEqual(shown);
  await press(page, "Cancel the shorter periods");
  await page.waitForSelector("[data-section=pending]", { hidden: true });
  expect((await shownWebsite(websiteId)).pendingRetention).toBeNull();
});

test("a key's text is shown once; keys are rotated and revoked", async () => {
  const page = await open(owner, "/organization/keys");
  await press(page, "New key");
  await fill(page, "Name", "Backend");
  await page.locator("::-p-text(Only some websites)").click();
  await page.locator(`input[name=websites][value="${site.websiteId}"]`).click();
  await press(page, "Create the key");
  const key = await text(page, "[data-key-text]");
  const status = async (apiKey: string) => (await send("POST", "/websites/list", { apiKey, body: {} })).status;
  expect(await status(key)).toBe(200);
  await press(page, "I have stored it");
  await page.waitForSelector("dialog[open]", { hidden: true });
  await page.locator("[data-key=Backend]").wait();
  expect(await page.content()).not.toContain(key);
  await page.reload();
  expect(await text(page, "[data-key=Backend]")).toContain(own.website);
  expect(await page.content()).not.toContain(key);
  await press(page, "Rotate Backend");
  await page.locator("dialog[open] .button-bad").click();
  const rotated = await text(page, "[data-key-text]");
  expect(rotated).not.toBe(key);
  await expect.poll(() => status(key)).toBe(401);
  expect(await status(rotated)).toBe(200);
  await press(page, "I have stored it");
  await press(page, "Revoke Backend");
  await page.locator("dialog[open] .button-bad").click();
  await page.waitForSelector("[data-section=keys] > .section-body > .rows [data-key=Backend]", { hidden: true });
  await expect.poll(() => status(rotated)).toBe(401);
});

test("people are invited, get another role and are removed, as the API answers it", async () => {
  const { email } = await createPerson({ organizationId: site.organizationId, role: "viewer" });
  const page = await open(owner, "/organization/people");
  await fill(page, "E-mail address", "new@quokka.example");
  await press(page, "Invite");
  expect(await text(page, ".notice code")).toContain(`${baseUrl}/invitation#token=`);
  await press(page, "Revoke new@quokka.example");
  await page.locator("dialog[open] .button-bad").click();
  await page.waitForSelector('[data-invitation="new@quokka.example"]', { hidden: true });
  const row = `[data-member="${email}"]`;
  await page.locator(`${row} .row-tools > button`).click();
  await page.locator("dialog[open] select").fill("admin");
  await page.locator("dialog[open] .button-main").click();
  await page.waitForSelector("dialog[open]", { hidden: true });
  const members = async () =>
    (await ask<{ members: { email: string; role: string }[] }>("/auth/members/list", {})).members;
  expect(await members()).toContainEqual(expect.objectContaining({ email, role: "admin" }));
  await expect.poll(() => text(page, row)).toContain("Admin");
  await page.locator(`${row} .row-tools > .button-bad`).click();
  await page.locator(`${row} dialog[open] .button-bad`).click();
  await page.waitForSelector(row, { hidden: true });
  expect(await members()).not.toContainEqual(expect.objectContaining({ email }));
});

test("people are limited to websites and rights on them, when they are invited and later", async () => {
  const { email } = await createPerson({ organizationId: site.organizationId, role: "member" });
  const page = await open(owner, "/organization/people");
  await fill(page, "E-mail address", "limited@quokka.example");
  await page.locator('form input[name="limited"]').click();
  await page.locator(`form input[value="${site.websiteId}"]`).click();
  await press(page, "Invite");
  expect(await text(page, '[data-invitation="limited@quokka.example"] [data-limits]')).toContain(own.website);
  await page.locator(`[data-member="${email}"] .row-tools > button:nth-of-type(2)`).click();
  const dialog = "dialog[open]";
  await page.locator(`${dialog} input[name="limited"]`).click();
  await page.locator(`${dialog} input[value="${site.websiteId}"]`).click();
  await page.locator(`${dialog} input[value="export:data"]`).click();
  await page.locator(`${dialog} .button-main`).click();
  await page.waitForSelector(dialog, { hidden: true });
  const { members } = await ask<{ members: { email: string; websiteIds: string[]; scopes: string[] }[] }>(
    "/auth/members/list",
    {},
  );
  const limited = members.find((one) => one.email === email);
  expect(limited?.websiteIds).toEqual([site.websiteId]);
  expect(limited?.scopes).toEqual(expect.arrayContaining(["read:data", "update"]));
  expect(limited?.scopes).not.toContain("export:data");
  await expect.poll(() => text(page, `[data-member="${email}"]`)).toContain(own.website);
});

test("a second factor is set up by its QR code, a recovery code signs in, and other sessions are ended", async () => {
  const member = await createPerson({ organizationId: site.organizationId, role: "member" });
  const other = await signedIn(member);
  const page = await open(await signedIn(member), "/account");
  const answers: string[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/EnableSecondFactor")) void response.text().then((body) => answers.push(body));
  });
  await press(page, "Set up a second factor");
  await fillPassword(page, member.password);
  await press(page, "Continue");
  await page.locator(".secret-qr").wait();
  const { totpUri } = JSON.parse(answers[0] ?? "{}") as { totpUri: string };
  expect(await qrModules(page)).toEqual(modulesOf(totpUri));
  await fill(page, "Code", totpCode(totpUri));
  await press(page, "Confirm");
  const codes = await page
    .waitForSelector("[data-backup-codes]")
    .then(() => page.$$eval("[data-backup-codes] li", (all) => all.map((one) => one.textContent)));
  expect(codes).toHaveLength(10);
  await press(page, "I have stored them");
  await page.locator("[data-second-factor=on]").wait();
  expect(await page.content()).not.toContain(codes[0]);
  await page.locator("[data-session=other] button").click();
  await page.waitForSelector("[data-session=other]", { hidden: true });
  await expect.poll(async () => (await other.call("/auth/session")).status).toBe(401);
  const { email, password } = member;
  expect((await other.call("/auth/sign-in", { email, password, code: codes[0] })).status).toBe(200);
  await press(page, "Remove the second factor");
  await fillPassword(page, password);
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator("[data-second-factor=off]").wait();
});

async function fillPassword(page: Page, password: string): Promise<void> {
  await page.locator("dialog[open] input[type=password]").fill(password);
}

/** The dark modules of the QR code on the page, as "column row". */
async function qrModules(page: Page): Promise<string[]> {
  const path = await page.$eval(".secret-qr path", (element) => element.getAttribute("d") ?? "");
  return [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, column, row]) => `${column} ${row}`);
}

function modulesOf(uri: string): string[] {
  const { modules } = createQrCode(uri, { errorCorrectionLevel: "M" });
  const { size } = modules;
  return Array.from({ length: size * size }, (_, index) => [index % size, Math.floor(index / size)] as const)
    .filter(([column, row]) => modules.get(row, column))
    .map(([column, row]) => `${column + 4} ${row + 4}`);
}

test("an export is made and downloaded, and an erasure proves with its receipt what it said before", async () => {
  const { websiteId } = site;
  const page = await open(owner, `/settings/${websiteId}/data`);
  await press(page, "Start the export");
  await page.locator("[data-export=completed]").wait();
  const { exports } = await ask<{ exports: { download_url: string; rows_done: number; bytes: number }[] }>(
    `/v1/websites/${websiteId}/exports`,
  );
  expect(await text(page, "[data-export=completed]")).toContain(`${exports[0]?.rows_done} rows`);
  const href = await page.$eval("[data-export=completed] a[download]", (link) => link.getAttribute("href"));
  expect(href).toBe(exports[0]?.download_url);
  const file = await fetch(href ?? "");
  expect((await file.arrayBuffer()).byteLength).toBe(exports[0]?.bytes);

  const erasure = "[data-section=newErasure]";
  await page.locator(`${erasure} input[name=from]`).fill(dayBefore(4));
  await page.locator(`${erasure} input[name=to]`).fill(dayBefore(4));
  await press(page, "Count what would go");
  const counted = await shownCounts(page, "dialog[open]");
  const { rows } = await ask<{ rows: Record<string, number> }>(`/v1/websites/${websiteId}/data/preview`, {
    start_date: dayBefore(4),
    end_date: dayBefore(4),
    data_types: ["events", "sessions", "performance", "errors"],
  });
  expect(counted).toEqual(rows);
  expect(rows["events"]).toBe(1);
  await fill(page, `Type “${own.website}” to confirm`, own.website);
  await press(page, "Erase for good");
  await page.locator("[data-erasure=processing], [data-section=erasures] li:nth-child(2)").wait();
  await expect.poll(() => page.$$eval("[data-erasure=completed]", (all) => all.length)).toBe(2);
  await page.locator("[data-erasure] a").click();
  await page.locator("[data-section=receipt] [data-table]").wait();
  const { receipt } = await deletion(new URL(page.url()).pathname.split("/").at(-1) ?? "");
  const shown = await page.$$eval("[data-section=receipt] [data-table]", (all) =>
    all.map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent)),
  );
  expect(shown).toEqual(receipt.tables.map((each) => [each.table, `${each.rows_before}`, `${each.rows_after}`]));
});

test("what one visitor of an audience left is erased without a count before it, and the receipt hides its days", async () => {
  const audience = await createWebsite();
  const session = await signedIn(await createPerson({ organizationId: audience.organizationId, role: "owner" }));
  const { websiteId, apiKey } = audience;
  const view = { name: "page_view", path: "/", anonymousId: "ada", timestamp: Date.now() - dayMs };
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: [view] })).status).toBe(200);
  const days = { start_date: dayBefore(1), end_date: dayBefore(1), data_types: ["events"] };
  const rows = async () =>
    (await send("POST", `/v1/websites/${websiteId}/data/preview`, { apiKey, body: days })).body as object;
  await expect.poll(rows, { timeout: 100_000 }).toMatchObject({ rows: { events: 1 } });
  const privacy = { place: "country", ids: "day", audienceOnly: true, smallestGroup: 10 };
  expect((await send("POST", "/websites/update", { apiKey, body: { id: websiteId, privacy } })).status).toBe(200);

  const page = await open(session, `/settings/${websiteId}/data`);
  const erasure = "[data-section=newErasure]";
  await page.locator(`${erasure} input[name=from]`).fill(dayBefore(1));
  await page.locator(`${erasure} input[name=to]`).fill(dayBefore(1));
  await page.locator(`${erasure} input[name=visitor]`).fill("ada");
  await press(page, "Count what would go");
  await page.locator("::-p-text(so what one visitor left is not counted before it is erased)").wait();
  await fill(page, "Type “Test” to confirm", "Test");
  await press(page, "Erase for good");
  await page.locator("[data-erasure=completed]").setTimeout(200_000).wait();
  await page.locator("[data-erasure] a").click();
  await page.locator("[data-section=receipt] [data-table]").wait();
  const receipt = await text(page, "[data-section=receipt]");
  expect(receipt).toContain("events");
  expect(receipt).not.toContain("UTC days touched");
});

test("the audit log is filtered by the address and continues page by page", async () => {
  for (let change = 0; change < 52; change++)
    await ask("/websites/update", { id: site.websiteId, timezone: change % 2 === 0 ? "Europe/Rome" : "UTC" });
  const page = await open(owner, "/organization/audit");
  await page.locator("input[name=action]").fill("website.update");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).search).toBe("?action=website.update");
  const shown = () => page.$$eval("[data-action]", (rows) => rows.map((row) => row.getAttribute("data-action")));
  await expect.poll(async () => new Set(await shown())).toEqual(new Set(["website.update"]));
  expect(await text(page, "[data-action] .row-name")).toBe(`Website “${own.website}”: changed`);
  expect(await shown()).toHaveLength(50);
  await press(page, "Older entries");
  const { entries } = await ask<{ entries: object[] }>("/audit/list", { action: "website.update", limit: 1_000 });
  await expect.poll(async () => (await shown()).length).toBe(entries.length);
  await page.goBack();
  expect(new URL(page.url()).search).toBe("");
  await expect.poll(async () => (await shown()).length).toBe(50);
});

test("what is typed into a filter of the audit log stays while entries arrive", async () => {
  const page = await open(owner, "/organization/people");
  const released = Promise.withResolvers<void>();
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    const isHeld = request.url().includes(".AuditService/");
    void (isHeld ? released.promise : Promise.resolve()).then(() => request.continue());
  });
  await show(page, "/organization/audit");
  const field = "input[name=action]";
  await page.locator(field).fill("website.up");
  expect(await page.$("[data-action]")).toBeNull();
  released.resolve();
  await page.locator("[data-action]").wait();
  expect(await page.$eval(field, (input) => (input as HTMLInputElement).value)).toBe("website.up");
  await page.locator(field).fill("website.update");
  await page.keyboard.press("Enter");
  await expect.poll(() => new URL(page.url()).search).toBe("?action=website.update");
  await page.goBack();
  await expect.poll(() => page.$eval(field, (input) => (input as HTMLInputElement).value)).toBe("");
});

test("a viewer sees the settings and no button that would answer 403", async () => {
  const page = await open(await role("viewer"), "/account");
  const buttons: Record<string, string[]> = {};
  for (const path of ownPaths().filter((each) => each !== "/account")) {
    await show(page, path);
    await settled(page);
    buttons[path.replace(`/settings/${site.websiteId}`, "/settings")] = await page.$$eval(
      "main button, main a.button, main form",
      (all) => all.map((each) => (each.tagName === "FORM" ? "a form" : each.textContent.trim())),
    );
  }
  const { websites } = await ask<{ websites: Shown[] }>("/websites/list", {});
  const copy = ["Copy Website id", "Copy Client id"];
  const guides = ["HTML", "WordPress", "Shopify", "Next.js", "React", "Vue", "Tag manager", "npm module", "Server"];
  const snippet = [...guides, "Copy tracking code"];
  expect(buttons).toEqual({
    "/settings": copy,
    "/settings/install": snippet,
    "/settings/rules": ["Copy Link"],
    "/settings/retention": [],
    "/settings/data": ["To the start page"],
    [`/settings/data/${deletionId}`]: ["To the start page"],
    "/organization": [`Leave ${own.organization}`, "Cancel", "Leave"],
    "/organization/websites": websites.flatMap(({ name }) => [`Overview ${name}`, `Settings ${name}`]),
    "/organization/people": [],
    "/organization/keys": [],
    "/organization/audit": [],
    "/new-website": [],
  });
});

test("no route shows anything of an organization to a session of another one", async () => {
  const page = await open(owner, `/dashboard/${site.websiteId}`);
  const found = await routesFrom(page);
  expect(found.length).toBeGreaterThan(14);
  const stranger = await signedIn(await createPerson({ organizationId: await createOrganization(), role: "owner" }));
  const foreign = await open(stranger, "/account", { isUnchecked: true });
  const secrets = [...Object.values(own), person.email, site.clientId];
  const seen: string[] = [];
  foreign.on("response", (response) => {
    void response.text().then(
      (body) => note(response.url(), body),
      () => undefined,
    );
  });
  const note = (where: string, content: string): void => {
    for (const secret of secrets) if (content.includes(secret)) seen.push(`${secret} in ${where}`);
  };
  for (const path of found) {
    await show(foreign, path);
    await settled(foreign);
    note(path, await foreign.content());
  }
  expect(seen).toEqual([]);
  // The same search finds something where the owner looks.
  await show(page, `/settings/${site.websiteId}`);
  note("the owner's page", await page.content());
  expect(seen).not.toEqual([]);
});

test("every route of the app: to a person limited to a website no call is refused, and nothing of another one is shown", {
  timeout: 600_000,
}, async () => {
  const page = await open(owner, `/dashboard/${site.websiteId}`);
  const found = await routesFrom(page);
  const { id } = await ask<{ id: string }>("/websites/create", { name: "Bilby blog", domain: "bilby.example" });
  const { organizationId } = site;
  const admin = await createPerson({ organizationId, role: "admin", websiteIds: [id] });
  const limited = await open(await signedIn(admin), "/organization");
  const shown = await limited.$$eval("nav a", (links) => links.map((link) => link.textContent.trim()));
  expect(shown).toEqual(expect.arrayContaining(["Websites", "API keys", "Audit log"]));
  expect(shown).not.toContain("People");
  const { organization: _, ...secrets } = own;
  const seen: string[] = [];
  const note = (where: string, content: string): void => {
    // Not the owner's address, whom the audit log of the person's own website names.
    for (const secret of [...Object.values(secrets), site.clientId])
      if (content.includes(secret)) seen.push(`${secret} in ${where}`);
  };
  limited.on("response", (response) => {
    void response.text().then(
      (body) => note(response.url(), body),
      () => undefined,
    );
  });
  const paths = new Set(found.flatMap((path) => [path, path.replaceAll(site.websiteId, id)]));
  for (const path of paths) {
    await show(limited, path);
    await settled(limited);
    note(path, await limited.content());
  }
  expect(seen).toEqual([]);
});

/** Every page of the app by its name, and all that links within the app lead to, as the session of the page sees them. */
async function routesFrom(page: Page): Promise<string[]> {
  const file: string = fileURLToPath(new URL("../../web/app/src/pages/pages.ts", import.meta.url));
  const { pages }: { pages: Readonly<Record<string, { of?: string }>> } = await import(file);
  const found = new Set<string>(ownPaths());
  for (const [name, { of }] of Object.entries(pages))
    found.add(of === undefined ? `/${name}` : `/${name}/${site.websiteId}`);
  for (const path of found) {
    // Sets go on with what is added meanwhile.
    await show(page, path);
    await settled(page);
    const links = await page.$$eval("a[href]:not([rel=external], [download])", (all) =>
      all.map((link) => (link as HTMLAnchorElement).href),
    );
    for (const href of links) {
      const { origin, pathname } = new URL(href);
      // Short links and files of the service are no pages.
      const isPage = origin === baseUrl && Object.hasOwn(pages, pathname.split("/")[1] ?? "");
      if (isPage && found.size < mostRoutes) found.add(pathname);
    }
  }
  return [...found];
}

/** A page that lists ever more links must not keep the test busy. */
const mostRoutes = 60;
