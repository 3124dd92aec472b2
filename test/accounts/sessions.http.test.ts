import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson, openBrowser, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let other: ApiProcess;
beforeAll(async () => {
  other = await startApiProcess({ SESSION_MS: "70000", BASE_URL: "https://stats.example.com" });
});
afterAll(() => other?.stop());

const firefox = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0";

test("part 5: the list of sessions shows devices and times, and no addresses", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const old = openBrowser();
  await old.call("/auth/sign-in", { email: person.email, password: person.password }, { "user-agent": firefox });
  const browser = await signedIn(person);
  const { body } = await browser.call("/auth/sessions/list", {});
  const times = { createdAt: expect.any(String), extendedAt: expect.any(String), expiresAt: expect.any(String) };
  expect(body).toEqual({
    sessions: [
      { id: expect.any(String), device: "Unknown device", current: true, ...times },
      { id: expect.any(String), device: "Firefox on Windows", current: false, ...times },
    ],
  });
});

test("part 5: a revoked session stops within a second, in other processes too", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const stolen = await signedIn(person);
  const headers = { cookie: stolen.cookie() ?? "" };
  // Over TLS the cookie has a prefix.
  const overTls = { cookie: `__Host-${headers.cookie}` };
  const there = () => send("GET", "/auth/session", { baseUrl: other.baseUrl, headers: overTls });
  const here = () => send("GET", "/auth/session", { headers });
  expect((await there()).status).toBe(200);
  const browser = await signedIn(person);
  const { body } = await browser.call("/auth/sessions/list", {});
  const { sessions } = body as { sessions: { id: string; current: boolean }[] };
  const id = sessions.find(({ current }) => !current)?.id;
  // Both processes have just looked it up.
  expect([(await there()).status, (await here()).status]).toEqual([200, 200]);
  expect(await browser.call("/auth/sessions/revoke", { id })).toMatchObject({ status: 200, body: { success: true } });
  await pause(1_000);
  expect(await there()).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
  expect((await here()).status).toBe(401);
  expect((await browser.call("/auth/session")).status).toBe(200);
});

test("part 5: another program's cookie is no session, and over TLS neither is one that a page without TLS could set", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  const [name = "", value = ""] = (browser.cookie() ?? "").split("=");
  expect(name).toBe("lookout_session");
  const statusOf = async (cookie: string, baseUrl?: string) =>
    (await send("GET", "/auth/session", { headers: { cookie }, ...(baseUrl === undefined ? {} : { baseUrl }) })).status;
  expect(await statusOf(`session=other; lookout_session=${value}`)).toBe(200);
  expect(await statusOf(`session=${value}`)).toBe(401);
  expect(await statusOf(`lookout_session=${value}`, other.baseUrl)).toBe(401);
  expect(await statusOf(`lookout_session=other; __Host-lookout_session=${value}`, other.baseUrl)).toBe(200);
});

test("part 5: below a path of the host the cookie is for this path", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const { email, password } = person;
  const below = await startOwnServer(handlers, { BASE_URL: "https://www.example.com/stats" });
  try {
    const signIn = await send("POST", "/auth/sign-in", { baseUrl: below.baseUrl, body: { email, password } });
    const [set = ""] = signIn.headers.getSetCookie();
    expect(set).toMatch(/^lookout_session=/);
    expect(set.split("; ")).toEqual(expect.arrayContaining(["Path=/stats", "Secure", "HttpOnly"]));
    const headers = { cookie: set.split(";", 1)[0] ?? "" };
    const signOut = await send("POST", "/auth/sign-out", {
      baseUrl: below.baseUrl,
      body: {},
      headers: { ...headers, origin: "https://www.example.com" },
    });
    expect(signOut.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^lookout_session=;.*Max-Age=0;.*Path=\/stats/),
    ]);
  } finally {
    await below.close();
  }
});

test("part 5: users cannot end another user's session", async () => {
  const organizationId = await createOrganization();
  const victim = await signedIn(await createPerson({ organizationId }));
  const { body } = await victim.call("/auth/session");
  const attacker = await signedIn(await createPerson({ organizationId }));
  const { id } = body as { id: string };
  expect(await attacker.call("/auth/sessions/revoke", { id })).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND" },
  });
  expect((await victim.call("/auth/session")).status).toBe(200);
});

test("part 5: sessions survive a restart", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  const later = await startApiProcess({});
  try {
    const answer = await send("GET", "/auth/session", {
      baseUrl: later.baseUrl,
      headers: { cookie: browser.cookie() ?? "" },
    });
    expect(answer).toMatchObject({ status: 200, body: { email: person.email } });
  } finally {
    await later.stop();
  }
});

test("part 5: a used session is extended, an unused one ends; over TLS the cookie is Secure", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const { email, password } = person;
  const signIn = await send("POST", "/auth/sign-in", { baseUrl: other.baseUrl, body: { email, password } });
  const [first = ""] = signIn.headers.getSetCookie();
  expect(first.split("; ")).toEqual(expect.arrayContaining(["HttpOnly", "SameSite=Lax", "Secure", "Max-Age=70"]));
  const cookie = first.split(";", 1)[0] ?? "";
  const ask = () => send("GET", "/auth/session", { baseUrl: other.baseUrl, headers: { cookie } });
  const makeOlder = (seconds: number) =>
    inDatabase((database) =>
      database.query(
        `UPDATE sessions SET expires_at = expires_at - make_interval(secs => $1), updated_at = updated_at - make_interval(secs => $1)
         WHERE user_id = (SELECT id FROM users WHERE email = $2)`,
        [seconds, email],
      ),
    );
  await makeOlder(12);
  const end = Date.parse((signIn.body as { expiresAt: string }).expiresAt) - 12_000;
  // The process may know the session's times from before for a second.
  let renewed = await ask();
  const newCookies = async () => {
    renewed = await ask();
    return renewed.headers.getSetCookie();
  };
  await expect
    .poll(newCookies)
    .toEqual([expect.stringMatching(/^__Host-lookout_session=.*Max-Age=70.*; Path=\/;.*; Secure$/)]);
  expect(Date.parse((renewed.body as { expiresAt: string }).expiresAt)).toBeGreaterThan(end + 11_000);
  await makeOlder(71);
  await expect.poll(async () => (await ask()).status).toBe(401);
});
