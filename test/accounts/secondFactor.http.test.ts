import { expect, inject, test } from "vitest";
import { createOrganization, createPerson, openBrowser, type Person, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { nextTotpCode, totpCode } from "../kit/calls/totp.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

type Enabled = { totpUri: string; backupCodes: string[] };

/** A person with an authenticator. */
async function withSecondFactor(): Promise<{ person: Person; enabled: Enabled }> {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  const enabled = (await browser.call("/auth/second-factor/enable", { password: person.password })).body as Enabled;
  const verified = await browser.call("/auth/second-factor/verify", { code: totpCode(enabled.totpUri) });
  expect(verified).toMatchObject({ status: 200, body: { success: true } });
  expect((await browser.call("/auth/session")).body).toMatchObject({ hasSecondFactor: true });
  return { person, enabled };
}

function signIn({ email, password }: Person, code?: string) {
  return openBrowser().call("/auth/sign-in", { email, password, ...(code === undefined ? {} : { code }) });
}

test("RFC 6238: with a second factor signing in needs its code", async () => {
  const { person, enabled } = await withSecondFactor();
  const without = await signIn(person);
  expect(without).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED", details: [{ field: "code" }] } });
  expect(without.headers.getSetCookie()).toEqual([]);
  const wrong = await signIn(person, totpCode(enabled.totpUri, 0));
  expect(wrong).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
  expect(wrong.headers.getSetCookie()).toEqual([]);
  const right = await signIn(person, nextTotpCode(enabled.totpUri));
  expect(right).toMatchObject({ status: 200, body: { email: person.email, hasSecondFactor: true, role: "owner" } });
  expect(right.headers.getSetCookie()).toEqual([expect.stringMatching(/^lookout_session=/)]);
});

test("RFC 6238 section 5.2: a code works once, even if sent twice at the same time", async () => {
  const { person, enabled } = await withSecondFactor();
  const code = nextTotpCode(enabled.totpUri);
  const answers = await Promise.all([signIn(person, code), signIn(person, code)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect((await signIn(person, code)).status).toBe(401);
  const { rows } = await inDatabase((database) =>
    database.query("SELECT 1 FROM sessions WHERE user_id = $1", [person.userId]),
  );
  expect(rows, "that of the set-up and that of the one who was first").toHaveLength(2);
});

test("RFC 6238 section 5.2: the code that confirmed the set-up does not sign in", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  const { totpUri } = (await browser.call("/auth/second-factor/enable", { password: person.password })).body as Enabled;
  const code = totpCode(totpUri);
  expect((await browser.call("/auth/second-factor/verify", { code })).status).toBe(200);
  expect(await signIn(person, code)).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
  expect(await browser.call("/auth/second-factor/verify", { code })).toMatchObject({
    status: 400,
    body: { details: [{ field: "code", message: expect.stringContaining("was used") }] },
  });
  expect((await browser.call("/auth/session")).status, "the session goes on").toBe(200);
});

test("RFC 6238 section 5.2: a code that is sent five times at once confirms one set-up, and leaves one session", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  const { totpUri } = (await browser.call("/auth/second-factor/enable", { password: person.password })).body as Enabled;
  const headers = { cookie: browser.cookie() ?? "", origin: inject("lookout").baseUrl };
  const body = { code: totpCode(totpUri) };
  const verify = () => send("POST", "/auth/second-factor/verify", { headers, body });
  const statuses = (await Promise.all([verify(), verify(), verify(), verify(), verify()])).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  expect(statuses.filter((status) => status !== 200 && status !== 400 && status !== 401)).toEqual([]);
  const { rows } = await inDatabase((database) =>
    database.query("SELECT 1 FROM sessions WHERE user_id = $1", [person.userId]),
  );
  expect(rows).toHaveLength(1);
});

test("a right code with a wrong password is answered like a wrong password", async () => {
  const { person, enabled } = await withSecondFactor();
  const answer = await signIn({ ...person, password: "wrong" }, nextTotpCode(enabled.totpUri));
  expect(answer).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
});

test("a backup code works once", async () => {
  const { person, enabled } = await withSecondFactor();
  expect(enabled.backupCodes).toHaveLength(10);
  const [code = ""] = enabled.backupCodes;
  expect((await signIn(person, code)).status).toBe(200);
  expect((await signIn(person, code)).status).toBe(401);
});

test("a backup code that is sent several times at once signs in once, and is wrong otherwise", async () => {
  const { person, enabled } = await withSecondFactor();
  const [code = ""] = enabled.backupCodes;
  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(person, code)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
});

test("setting it up needs the password, and takes effect once a code was verified", async () => {
  const person = await createPerson({ organizationId: await createOrganization() });
  const browser = await signedIn(person);
  expect(await browser.call("/auth/second-factor/enable", { password: "wrong" })).toMatchObject({
    status: 400,
    body: { details: [{ field: "password" }] },
  });
  expect(await browser.call("/auth/second-factor/verify", { code: "000000" })).toMatchObject({ status: 409 });
  const { body } = await browser.call("/auth/second-factor/enable", { password: person.password });
  expect(new URL((body as Enabled).totpUri).searchParams.get("issuer")).toBe("Lookout");
  const early = totpCode((body as Enabled).totpUri, 0);
  expect(await browser.call("/auth/second-factor/verify", { code: early })).toMatchObject({
    status: 400,
    body: { details: [{ field: "code" }] },
  });
  expect((await signIn(person)).status).toBe(200);
});

test("removing it needs the password; the secret is stored encrypted", async () => {
  const { person, enabled } = await withSecondFactor();
  const secrets = () =>
    inDatabase(async (database) => {
      const { rows } = await database.query("SELECT * FROM second_factors WHERE user_id = $1", [person.userId]);
      return rows;
    });
  const stored = JSON.stringify(await secrets());
  for (const text of [new URL(enabled.totpUri).searchParams.get("secret") ?? "", ...enabled.backupCodes])
    expect(stored).not.toContain(text);
  const browser = openBrowser();
  const { email, password } = person;
  await browser.call("/auth/sign-in", { email, password, code: nextTotpCode(enabled.totpUri) });
  expect((await browser.call("/auth/second-factor/disable", { password: "wrong" })).status).toBe(400);
  expect((await browser.call("/auth/second-factor/disable", { password })).status).toBe(200);
  expect((await browser.call("/auth/session")).body).toMatchObject({ hasSecondFactor: false });
  expect(await secrets()).toEqual([]);
  expect((await signIn(person)).status).toBe(200);
});
