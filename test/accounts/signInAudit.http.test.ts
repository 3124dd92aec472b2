import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import {
  addMember,
  type Browser,
  createOrganization,
  createPerson,
  openBrowser,
  signedIn,
} from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { totpCode } from "../kit/calls/totp.ts";
import { type OidcProvider, startOidcProvider } from "../kit/servers/oidcProvider.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let provider: OidcProvider;
let own: OwnServer;
beforeAll(async () => {
  provider = await startOidcProvider();
  const settings = {
    PORT: String(await freePort()),
    TRUSTED_PROXIES: "127.0.0.1",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  };
  own = await startOwnServer(handlers, settings, { accounts: { signInsPerAccount: 3 } });
});
afterAll(async () => {
  await own?.close();
  await provider?.close();
});

async function entries(browser: Browser, action: string): Promise<unknown[]> {
  const { body } = await browser.call("/audit/list", { action });
  return (body as { entries: unknown[] }).entries;
}

test("part 5: a changed password and a second factor that is set up or removed are in the audit log", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person, own.baseUrl);
  const { password } = person;
  const enabled = await browser.call("/auth/second-factor/enable", { password });
  const { totpUri } = enabled.body as { totpUri: string };
  const changes = [
    ["member.add_second_factor", "/auth/second-factor/verify", { code: totpCode(totpUri) }],
    ["member.remove_second_factor", "/auth/second-factor/disable", { password }],
    ["member.change_password", "/auth/change-password", { currentPassword: password, newPassword: "another of mine" }],
  ] as const;
  for (const [action, path, body] of changes) {
    expect(await entries(browser, action)).toEqual([]);
    expect(await browser.call(path, body), path).toMatchObject({ status: 200 });
    expect(await entries(browser, action)).toMatchObject([
      { actorType: "user", actorId: person.userId, action, objectType: "member", before: null },
    ]);
  }
  const wrong = { currentPassword: password, newPassword: "a third one of mine" };
  expect((await browser.call("/auth/change-password", wrong)).status).toBe(400);
  expect(await entries(browser, "member.change_password")).toHaveLength(1);
});

test("part 5: a session that a person revoked is in the audit log, one that is not theirs is not", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  await signedIn(person, own.baseUrl);
  const browser = await signedIn(person, own.baseUrl);
  const { body } = await browser.call("/auth/sessions/list", {});
  const { sessions } = body as { sessions: { id: string; current: boolean }[] };
  const id = sessions.find(({ current }) => !current)?.id;
  expect((await browser.call("/auth/sessions/revoke", { id })).status).toBe(200);
  expect((await browser.call("/auth/sessions/revoke", { id })).status).toBe(404);
  expect(await entries(browser, "member.revoke_session")).toMatchObject([
    { actorType: "user", actorId: person.userId, objectType: "member", before: { sessionId: id }, after: null },
  ]);
  expect(await entries(browser, "member.revoke_session")).toHaveLength(1);
});

test("part 5: a sign-in is in the audit log of each organization of the person, and in no other", async () => {
  const [first, second] = [await createOrganization(), await createOrganization()];
  const person = await createPerson({ organizationId: first });
  await addMember(person.userId, second, "viewer");
  const admin = await signedIn(await createPerson({ organizationId: second }), own.baseUrl);
  const stranger = await signedIn(await createPerson({ organizationId: await createOrganization() }), own.baseUrl);
  const browser = await signedIn(person, own.baseUrl);
  const entry = {
    actorType: "user",
    actorId: person.userId,
    actorName: person.email,
    action: "member.sign_in",
    objectType: "member",
    websiteId: null,
    before: null,
    after: { method: "password" },
  };
  expect(await entries(browser, "member.sign_in")).toMatchObject([entry]);
  expect(await entries(admin, "member.sign_in")).toMatchObject([entry, { after: { method: "password" } }]);
  expect(JSON.stringify(await entries(stranger, "member.sign_in"))).not.toContain(person.userId);
});

test("part 5: the log distinguishes sign-ins with a second factor and at a provider; failed ones are not recorded", async () => {
  const organizationId = await createOrganization();
  const person = await createPerson({ organizationId, emailVerified: true });
  const { email, password } = person;
  const browser = await signedIn(person, own.baseUrl);
  provider.person = { sub: randomUUID(), email, email_verified: true, name: "Ada" };
  const go = (url: string, cookie = "") => fetch(url, { redirect: "manual", headers: { cookie } });
  const signInAtProvider = async () => {
    const start = await go(`${own.baseUrl}/auth/oidc/start`);
    const back = await go(start.headers.get("location") ?? "");
    const pairs = start.headers.getSetCookie().map((cookie) => cookie.split(";", 1)[0]);
    expect((await go(back.headers.get("location") ?? "", pairs.join("; "))).status).toBe(302);
  };
  await signInAtProvider();
  expect(await entries(browser, "member.link_provider")).toMatchObject([{ actorId: person.userId }]);
  // The account is linked by now.
  await signInAtProvider();
  expect(await entries(browser, "member.link_provider")).toHaveLength(1);
  const { body } = await browser.call("/auth/second-factor/enable", { password });
  const { totpUri } = body as { totpUri: string };
  await browser.call("/auth/second-factor/verify", { code: totpCode(totpUri) });
  const other = openBrowser(own.baseUrl);
  expect((await other.call("/auth/sign-in", { email, password })).status).toBe(401);
  const { backupCodes } = body as { backupCodes: string[] };
  expect((await other.call("/auth/sign-in", { email, password, code: backupCodes[0] })).status).toBe(200);
  expect(await entries(other, "member.sign_in")).toMatchObject([
    { after: { method: "password and code" } },
    { after: { method: "oidc" } },
    { after: { method: "oidc" } },
    { after: { method: "password" } },
  ]);
});

test("7.4: rate limited guesses are recorded once, without addresses, and only for existing accounts", async () => {
  const organizationId = await createOrganization();
  const owner = await signedIn(await createPerson({ organizationId }), own.baseUrl);
  const { email, password } = await createPerson({ organizationId, role: "viewer" });
  const guess = (address: string, at: string) =>
    send("POST", "/auth/sign-in", {
      baseUrl: own.baseUrl,
      body: { email: at, password: `${password}!` },
      headers: { "x-forwarded-for": address },
    });
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => guess(`192.0.2.${index}`, email.toUpperCase())),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
  for (let at = 0; at < 6; at += 1) await guess(`192.0.2.${at}`, "nobody@example.com");
  const noted = () => entries(owner, "member.sign_ins_refused");
  await expect.poll(noted).toMatchObject([
    {
      actorType: "service",
      actorName: "",
      objectType: "member",
      after: { reason: "too many attempts" },
    },
  ]);
  const { rows } = await inDatabase((database) =>
    database.query("SELECT * FROM audit_log WHERE organization_id = $1", [organizationId]),
  );
  expect(JSON.stringify(rows)).not.toMatch(/192\.0\.2|nobody@/);
});
