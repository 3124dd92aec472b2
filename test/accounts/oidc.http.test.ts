import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { createOrganization, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { type Claims, type OidcProvider, startOidcProvider } from "../kit/servers/oidcProvider.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let provider: OidcProvider;
let own: OwnServer;
beforeAll(async () => {
  provider = await startOidcProvider();
  own = await startOwnServer(handlers, {
    PORT: String(await freePort()),
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  });
});
afterEach(() => {
  provider.fault = "none";
});
afterAll(async () => {
  await own?.close();
  await provider?.close();
});

type Step = { status: number; location: string; cookies: string[]; body: unknown };

async function go(url: string, cookies: readonly string[] = []): Promise<Step> {
  const answer = await fetch(url, { redirect: "manual", headers: { cookie: cookies.join("; ") } });
  const text = await answer.text();
  return {
    status: answer.status,
    location: answer.headers.get("location") ?? "",
    cookies: answer.headers.getSetCookie(),
    body: answer.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : undefined,
  };
}

function pairs({ cookies }: Step): string[] {
  return cookies.map((cookie) => cookie.split(";", 1)[0] ?? "");
}

/** Follows redirects like a browser; returns the last answer. */
async function signIn(person: Partial<Claims>, redirect = ""): Promise<Step> {
  const sub = randomUUID();
  provider.person = { sub, email: `${sub}@example.com`, email_verified: true, name: "Grace", ...person };
  const start = await go(`${own.baseUrl}/auth/oidc/start${redirect}`);
  expect(start).toMatchObject({ status: 302, location: expect.stringContaining(`${provider.issuer}/authorize`) });
  const back = await go(start.location);
  expect(back.location).toContain(`${own.baseUrl}/auth/oidc/callback?`);
  return await go(back.location, pairs(start));
}

function sessionOf(step: Step): Promise<{ status: number; body: unknown }> {
  const cookie = pairs(step).find((pair) => pair.startsWith("lookout_session=")) ?? "";
  return send("GET", "/auth/session", { baseUrl: own.baseUrl, headers: { cookie } });
}

test("Core 3.1: a person with a verified e-mail address signs in at the provider", async () => {
  const organizationId = await createOrganization();
  const person = await createPerson({ organizationId, role: "member", emailVerified: true });
  const end = await signIn({ email: person.email }, "?redirect=/websites%3Fpage=2");
  expect(end).toMatchObject({ status: 302, location: "/websites?page=2" });
  expect(end.cookies.find((cookie) => cookie.startsWith("lookout_session="))).toMatch(/; HttpOnly/);
  expect((await sessionOf(end)).body).toMatchObject({ userId: person.userId, role: "member", organizationId });
  // The password still works, and the second time needs no linking.
  expect((await (await signedIn(person, own.baseUrl)).call("/auth/session")).status).toBe(200);
});

test("Core 5.7: the same subject is the same person, even with another e-mail address", async () => {
  const sub = randomUUID();
  const first = await sessionOf(await signIn({ sub, email: `${sub}@example.com` }));
  const second = await sessionOf(await signIn({ sub, email: `${sub}@elsewhere.example` }));
  const { userId } = first.body as { userId: string };
  expect(second.body).toMatchObject({ userId, email: `${sub}@example.com` });
});

test("a new person belongs to no organization until invited, and no token of the provider is stored", async () => {
  const end = await signIn({ email: "new.person@example.com" });
  const { body } = await sessionOf(end);
  expect(body).toMatchObject({ email: "new.person@example.com", name: "Grace", organizationId: "", role: "" });
  const { rows } = await inDatabase((database) =>
    database.query("SELECT * FROM user_accounts WHERE user_id = $1", [(body as { userId: string }).userId]),
  );
  expect(rows).toMatchObject([{ provider_id: "oidc" }]);
  expect(JSON.stringify(rows)).not.toMatch(/access token|eyJ/);
});

test("an account with an unverified e-mail address is not linked", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  for (const claims of [{ email: person.email }, { email: person.email, email_verified: false }]) {
    const end = await signIn(claims);
    expect(end).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
    expect(pairs(end).filter((pair) => pair.startsWith("lookout_session="))).toEqual([]);
  }
  const proved = await createPerson({ organizationId: await createOrganization(), emailVerified: true });
  expect((await signIn({ email: proved.email, email_verified: false })).status).toBe(403);
});

test.each(["foreign key", "other nonce", "other audience", "refuses"] as const)(
  "Core 3.1.3.7: sign-in fails if the provider's answer is wrong: %s",
  async (fault) => {
    provider.fault = fault;
    const end = await signIn({});
    expect(end).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    expect(pairs(end).filter((pair) => pair.startsWith("lookout_session="))).toEqual([]);
  },
);

test("RFC 6749 section 10.12: an answer to another browser's request is refused, and each answer works once", async () => {
  const start = await go(`${own.baseUrl}/auth/oidc/start`);
  const back = await go(start.location);
  expect((await go(back.location)).status).toBe(401);
  const whole = await go(`${own.baseUrl}/auth/oidc/start`);
  const wholeBack = await go(whole.location);
  expect((await go(wholeBack.location, pairs(whole))).status).toBe(302);
  expect((await go(wholeBack.location, pairs(whole))).status).toBe(401);
});

test("redirect accepts paths of this service only", async () => {
  for (const redirect of ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
    expect((await go(`${own.baseUrl}/auth/oidc/start?redirect=${encodeURIComponent(redirect)}`)).status).toBe(400);
});

test("without a provider, and for better-auth's own paths, the answer is 404", async () => {
  expect((await send("GET", "/auth/oidc/start")).status).toBe(404);
  for (const path of ["/auth/callback/oidc", "/auth/get-session", "/auth/list-sessions", "/auth/error"])
    expect((await go(`${own.baseUrl}${path}`)).status, path).toBe(404);
  for (const path of ["/auth/sign-up/email", "/auth/sign-in/email", "/auth/sign-in/social"])
    expect((await send("POST", path, { baseUrl: own.baseUrl, body: {} })).status, path).toBe(404);
});
