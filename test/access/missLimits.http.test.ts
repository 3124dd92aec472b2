import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { create, follow, type ShownLink } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { pageView, sendEvents } from "../kit/calls/websiteCalls.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";

/** Longer than the test, which then falls into two windows at most. */
const values = { rateLimits: { windowMs: 3_600_000 } };
/** Client addresses are those of a proxy's header, so that tests do not share their counts. */
const settings = {
  RATE_LIMIT_MISSES: "5",
  RATE_LIMIT_ANONYMOUS: "3",
  TRUSTED_PROXIES: "127.0.0.1",
};

let api: ApiProcess;
let website: TestWebsite;
let link: ShownLink;

beforeAll(async () => {
  api = await startApiProcess(settings, { values });
  website = await createWebsite();
  link = await create({}, website, api.baseUrl);
});

afterAll(() => api?.stop());

const from = (address: string) => ({ headers: { "x-forwarded-for": address }, baseUrl: api.baseUrl });
const guess = (address: string) => follow(`guess-${randomUUID()}`, from(address));

test("7.4: requests for links that do not exist are limited in every form of request, with Retry-After", async () => {
  const address = "192.0.2.1";
  for (let at = 0; at < 3; at += 1) expect((await guess(address)).status).toBe(404);
  expect((await follow("no-such-link", from(address))).status).toBe(404);
  expect((await follow("no-such-link", from(address))).status).toBe(404);
  const page = await guess(address);
  expect(page).toMatchObject({ status: 429, text: expect.stringContaining("Wait before the next one") });
  expect(Number(page.headers["retry-after"])).toBeGreaterThan(0);
  const refused = { status: 429, body: { code: "RATE_LIMIT_EXCEEDED", limit: 5, remaining: 0 } };
  expect(await send("GET", "/l/no-such-link", from(address))).toMatchObject(refused);
  expect(await send("POST", "/l/other-link", { ...from(address), body: { password: "x" } })).toMatchObject(refused);
  expect(await send("GET", "/l/other-link/qr", from(address))).toMatchObject(refused);
  expect((await guess("192.0.2.2")).status).toBe(404);
});

test("7.4: concurrent guesses are counted too; an IPv6 address counts as its network", async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => guess(`2001:db8:1:1::${at + 1}`)));
  expect(answers.filter(({ status }) => status === 404)).toHaveLength(5);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  expect((await guess("2001:db8:1:2::1")).status).toBe(404);
});

test("7.4: existing links are not counted, and redirect even if the same address is limited", async () => {
  const address = "192.0.2.3";
  for (let at = 0; at < 12; at += 1) expect((await follow(link.slug, from(address))).status).toBe(302);
  for (let at = 0; at < 5; at += 1) expect((await guess(address)).status).toBe(404);
  expect((await guess(address)).status).toBe(429);
  expect((await follow(link.slug, from(address))).status).toBe(302);
  // One that no process has looked up yet.
  const quiet = await create({}, website);
  expect((await follow(quiet.slug, from(address))).status).toBe(302);
  const locked = await create({ password: "correct" }, website);
  const headers = { ...from(address).headers, "content-type": "application/json" };
  const unlock = { ...from(address), method: "POST", headers, body: JSON.stringify({ password: "correct" }) };
  expect((await follow(locked.slug, unlock)).status).toBe(303);
  expect((await send("GET", `/l/${quiet.slug}/qr`, from(address))).status).toBe(200);
  expect((await guess(address)).status).toBe(429);
});

test("7.4: QR codes share the rate limit of an address with other calls without credentials", async () => {
  const statuses: number[] = [];
  for (let at = 0; at < 4; at += 1) statuses.push((await send("GET", `/l/${link.slug}/qr`, from("192.0.2.5"))).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test("7.4: events of unknown websites are limited, events of known websites from the same address never", async () => {
  const options = from("192.0.2.6");
  const batch = () =>
    send("POST", `/batch?website_id=${randomUUID()}`, { ...options, body: [{ name: "page_view", path: "/" }] });
  const statuses: number[] = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await batch()).status);
  expect(statuses).toEqual([404, 404, 404, 404, 404, 429]);
  expect(await send("POST", "/track", { ...options, body: { name: "x", websiteId: randomUUID() } })).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMIT_EXCEEDED" },
  });
  const known = [website.websiteId, website.clientId, (await createWebsite()).websiteId];
  for (const id of known)
    expect(
      await send("POST", `/batch?website_id=${id}`, { ...options, body: [{ type: "track", payload: pageView() }] }),
    ).toMatchObject({ status: 200 });
  expect((await sendEvents(website.websiteId, [{ type: "track", payload: pageView() }], api.baseUrl)).status).toBe(200);
});
