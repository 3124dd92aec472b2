import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Browser, createOrganization, createPerson, type Person, signedIn } from "../kit/calls/person.ts";
import { type JsonAnswer, send } from "../kit/calls/request.ts";
import { nextTotpCode, totpCode } from "../kit/calls/totp.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let other: ApiProcess;
beforeAll(async () => {
  // Long, so that whatever a process decides about a session from its cache shows.
  other = await startApiProcess({ CACHE_MS: "60000" });
});
afterAll(() => other?.stop());

/** Calls the other process with the browser's cookie as it was at first, whatever was set since. */
function there(browser: Browser): (path: string, body?: unknown) => Promise<JsonAnswer> {
  const headers = { cookie: browser.cookie() ?? "", origin: other.baseUrl };
  const { baseUrl } = other;
  return (path, body) =>
    body === undefined ? send("GET", path, { baseUrl, headers }) : send("POST", path, { baseUrl, headers, body });
}

/** A person whose session both processes have just looked up. */
async function known(options: Parameters<typeof createPerson>[0] = {}) {
  const organizationId = options.organizationId ?? (await createOrganization());
  const person = await createPerson({ ...options, organizationId });
  const browser = await signedIn(person);
  const elsewhere = there(browser);
  expect(await elsewhere("/auth/session")).toMatchObject({ status: 200, body: { organizationId } });
  return { organizationId, person, browser, elsewhere };
}

const site = { name: "Shop", domain: "shop.example" };

async function organizationOf(table: "websites" | "api_keys", id: unknown): Promise<string | undefined> {
  const { rows } = await inDatabase((database) =>
    database.query<{ id: string }>(`SELECT organization_id AS id FROM ${table} WHERE id = $1`, [id]),
  );
  return rows[0]?.id;
}

const idOf = ({ body }: JsonAnswer): string => (body as { id: string }).id;

describe("part 5: a session that both processes know acts at once as it is now in the other process", () => {
  test("in the organization that it has just created, switched to, and left", async () => {
    const { organizationId, browser, elsewhere } = await known();
    const created = idOf(await browser.call("/auth/organization/create", { name: "Second" }));
    expect(await organizationOf("websites", idOf(await elsewhere("/websites/create", site)))).toBe(created);
    const key = await elsewhere("/api-keys/create", { name: "Key", scopes: ["read:data"] });
    expect(await organizationOf("api_keys", (key.body as { apiKey: { id: string } }).apiKey.id)).toBe(created);
    expect((await elsewhere("/websites/list", {})).body).toMatchObject({ total: 1 });
    await browser.call("/auth/organization/switch", { organizationId });
    expect((await elsewhere("/websites/list", {})).body).toMatchObject({ total: 0 });
    expect(await organizationOf("websites", idOf(await elsewhere("/websites/create", site)))).toBe(organizationId);
    await createPerson({ organizationId });
    await browser.call("/auth/organization/leave", { organizationId });
    expect(await organizationOf("websites", idOf(await elsewhere("/websites/create", site)))).toBe(created);
  });

  test("in the organization of an invitation that it has just accepted", async () => {
    const { person, browser, elsewhere } = await known();
    const { browser: inviting, organizationId } = await known();
    const invited = await inviting.call("/auth/invitations/create", { email: person.email, role: "admin" });
    const token = (invited.body as { link: string }).link.split("#token=")[1];
    expect((await browser.call("/auth/invitations/accept", { token })).status).toBe(200);
    expect(await organizationOf("websites", idOf(await elsewhere("/websites/create", site)))).toBe(organizationId);
  });

  test("with the role that it has just got, and without one", async () => {
    const { organizationId, person, elsewhere } = await known();
    const owner = await signedIn(await createPerson({ organizationId }));
    const { rows } = await inDatabase((database) =>
      database.query("SELECT id FROM members WHERE user_id = $1", [person.userId]),
    );
    expect((await owner.call("/auth/members/change-role", { id: rows[0].id, role: "viewer" })).status).toBe(200);
    expect(await elsewhere("/websites/create", site)).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
    expect((await elsewhere("/websites/list", {})).status).toBe(200);
    expect((await owner.call("/auth/members/remove", { id: rows[0].id })).status).toBe(200);
    expect(await elsewhere("/websites/list", {})).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  });

  const ends: readonly { name: string; end: (person: Person, browser: Browser) => Promise<JsonAnswer> }[] = [
    { name: "signed out", end: (_, browser) => browser.call("/auth/sign-out", {}) },
    {
      name: "revoked",
      end: async (person, browser) => {
        const id = idOf(await browser.call("/auth/session"));
        return (await signedIn(person)).call("/auth/sessions/revoke", { id });
      },
    },
    {
      name: "ended by a new password",
      end: async (person) => {
        const body = { currentPassword: person.password, newPassword: "a new password of mine" };
        return (await signedIn(person)).call("/auth/change-password", body);
      },
    },
  ];
  test.each(ends)("not at all when it was $name", async ({ end }) => {
    const { person, browser, elsewhere } = await known();
    expect((await end(person, browser)).status).toBe(200);
    expect(await elsewhere("/websites/create", site)).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
  });

  test("a code of a second factor works once, whichever process it is sent to", async () => {
    const { person, browser } = await known();
    const { email, password } = person;
    const { body } = await browser.call("/auth/second-factor/enable", { password });
    const { totpUri } = body as { totpUri: string };
    const code = totpCode(totpUri);
    expect((await browser.call("/auth/second-factor/verify", { code })).status).toBe(200);
    const next = nextTotpCode(totpUri);
    const signIn = (baseUrl: string | undefined, given: string) =>
      send("POST", "/auth/sign-in", { body: { email, password, code: given }, ...(baseUrl ? { baseUrl } : {}) });
    expect((await signIn(other.baseUrl, code)).status).toBe(401);
    const both = await Promise.all([signIn(other.baseUrl, next), signIn(undefined, next)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("with or without its second factor", async () => {
    const { person, browser } = await known();
    const second = await signedIn(person);
    const elsewhere = there(second);
    expect((await elsewhere("/auth/session")).body).toMatchObject({ hasSecondFactor: false });
    await inDatabase((database) =>
      database.query("UPDATE users SET two_factor_enabled = true WHERE id = $1", [person.userId]),
    );
    expect((await elsewhere("/auth/session")).body).toMatchObject({ hasSecondFactor: true });
    expect((await browser.call("/auth/session")).status).toBe(200);
  });
});

describe("part 5: a change in one process takes effect in the other one within the cache's time", () => {
  test("keys: limited, without a scope, rotated, revoked; websites: private, deleted", async () => {
    const quick = await startApiProcess({});
    try {
      const { baseUrl } = quick;
      const website = await createWebsite({ publicAccess: true });
      const { websiteId, apiKey } = website;
      const second = await createWebsite();
      const path = `/v1/query?website_id=${websiteId}`;
      const body = { preset: "today", parameters: ["summary_metrics"] };
      const anonymous = async () => (await send("POST", path, { baseUrl, body })).status;
      const listed = async () => (await send("POST", "/websites/list", { baseUrl, apiKey, body: {} })).body;
      const made = async () => (await send("POST", "/websites/create", { baseUrl, apiKey, body: site })).status;
      expect([await anonymous(), await made()]).toEqual([200, 200]);
      const here = (call: string, more: object) => send("POST", call, { apiKey, body: more });
      expect((await here("/websites/update", { id: websiteId, publicAccess: false })).status).toBe(200);
      await expect.poll(anonymous).toBe(401);
      const setKey = (change: string, ...values: unknown[]) =>
        inDatabase((database) =>
          database.query(`UPDATE api_keys SET ${change} WHERE organization_id = $1`, [
            website.organizationId,
            ...values,
          ]),
        );
      await setKey("website_ids = $2", [second.websiteId]);
      await expect.poll(listed).toMatchObject({ total: 0 });
      await setKey("website_ids = NULL, scopes = '{read:data}'");
      await expect.poll(made).toBe(403);
      await setKey("revoked_at = now()");
      await expect.poll(made).toBe(401);
    } finally {
      await quick.stop();
    }
  });
});
