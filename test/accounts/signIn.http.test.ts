import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { createOrganization, createPerson, openBrowser, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

test("part 5: the owner of the first start signs in with credentials.json", async () => {
  const { dataDir, organizationId } = inject("lookout");
  const { email, password } = JSON.parse(await readFile(join(dataDir, "credentials.json"), "utf8"));
  const browser = openBrowser();
  const answer = await browser.call("/auth/sign-in", { email, password });
  expect(answer).toMatchObject({
    status: 200,
    body: { email: "owner@localhost", organizationId, role: "owner", hasGeneratedPassword: true },
  });
  expect((await browser.call("/auth/session")).body).toEqual(answer.body);
});

test("part 5: a session's cookie is HttpOnly and SameSite, and only its hash is stored", async () => {
  const organizationId = await createOrganization();
  const person = await createPerson({ organizationId, role: "viewer" });
  const answer = await openBrowser().call("/auth/sign-in", { email: person.email, password: person.password });
  expect(answer.body).toEqual({
    id: expect.any(String),
    userId: person.userId,
    organizationId,
    role: "viewer",
    email: person.email,
    name: "Ada",
    hasSecondFactor: false,
    hasGeneratedPassword: false,
    language: "",
    scopes: ["read:data", "read:uptime", "read:links"],
    expiresAt: expect.stringMatching(/Z$/),
    websiteIds: [],
  });
  const [cookie = "", ...others] = answer.headers.getSetCookie();
  expect(others).toEqual([]);
  const [pair = "", ...attributes] = cookie.split("; ");
  expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax"]);
  const [token = ""] = decodeURIComponent(pair.slice("lookout_session=".length)).split(".");
  expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
  const rows = await inDatabase((database) =>
    database.query("SELECT * FROM sessions WHERE user_id = $1", [person.userId]),
  );
  expect(rows.rows).toHaveLength(1);
  expect(JSON.stringify(rows.rows)).not.toContain(token);
  expect(Object.keys(rows.rows[0]).sort()).toEqual([
    "active_organization_id",
    "created_at",
    "device",
    "expires_at",
    "id",
    "token_hash",
    "updated_at",
    "user_id",
  ]);
});

test("part 5: an unknown e-mail, a wrong password and an invalid e-mail get the same answer", async () => {
  const { email } = await createPerson();
  const wrong = [];
  for (const given of [email, "nobody@example.com", "nobody", "owner@localhost"]) {
    const { status, headers, body } = await openBrowser().call("/auth/sign-in", { email: given, password: "wrong" });
    expect(headers.getSetCookie()).toEqual([]);
    wrong.push({ status, body: { ...Object(body), requestId: "" } });
  }
  expect(wrong[0]).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
  expect(new Set(wrong.map((answer) => JSON.stringify(answer))).size).toBe(1);
});

test("part 5: signing out ends the session in the store too", async () => {
  const browser = await signedIn(await createPerson({ organizationId: await createOrganization() }));
  const cookie = browser.cookie() ?? "";
  expect((await browser.call("/auth/session")).status).toBe(200);
  expect(await browser.call("/auth/sign-out", {})).toMatchObject({ status: 200, body: { success: true } });
  expect(browser.cookie()).toBeUndefined();
  expect(await send("GET", "/auth/session", { headers: { cookie } })).toMatchObject({
    status: 401,
    body: { code: "AUTH_REQUIRED" },
  });
});
