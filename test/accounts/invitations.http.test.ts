import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { type Browser, createOrganization, createPerson, openBrowser, signedIn } from "../kit/calls/person.ts";
import { type MailServer, startMailServer } from "../kit/servers/mailServer.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let mail: MailServer;
let own: OwnServer;
let hasty: OwnServer;
beforeAll(async () => {
  mail = await startMailServer();
  const smtp = { SMTP_URL: mail.url, SMTP_FROM: "lookout@example.com" };
  own = await startOwnServer(handlers, { ...smtp, PORT: String(await freePort()) });
  hasty = await startOwnServer(handlers, {}, { accounts: { invitationMs: 1_000 } });
});
afterAll(async () => {
  await own?.close();
  await hasty?.close();
  await mail?.close();
});

const password = "a password of mine";

async function ownerBrowser(baseUrl?: string): Promise<{ organizationId: string; owner: Browser }> {
  const organizationId = await createOrganization("Ada & Sons");
  return { organizationId, owner: await signedIn(await createPerson({ organizationId }), baseUrl) };
}

/** Invites where the service has no mail server, so the link is answered. */
async function invite(owner: Browser, email: string, role = "member"): Promise<{ id: string; token: string }> {
  const { body } = await owner.call("/auth/invitations/create", { email, role });
  const { invitation, link, mailed } = body as { invitation: { id: string }; link: string; mailed: boolean };
  expect(mailed).toBe(false);
  return { id: invitation.id, token: new URL(link).hash.slice("#token=".length) };
}

function newEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

test("part 5: a mailed invitation makes a new person a member, signed in", async () => {
  const { organizationId, owner } = await ownerBrowser(own.baseUrl);
  const email = newEmail();
  await owner.call("/auth/language", { language: "de" });
  const invited = await owner.call("/auth/invitations/create", { email: email.toUpperCase(), role: "viewer" });
  expect(invited).toMatchObject({ status: 200, body: { mailed: true, link: null, invitation: { email } } });
  const message = mail.mails.find(({ to }) => to.includes(email))?.text ?? "";
  expect(message).toContain("Ada & Sons");
  expect(message, "in the inviter's language").toContain("Subject: Einladung zu Lookout auf ");
  const token = /#token=(\S+)/.exec(message)?.[1];
  const browser = openBrowser(own.baseUrl);
  const accepted = await browser.call("/auth/invitations/accept", { token, name: "Grace", password });
  expect(accepted).toMatchObject({ status: 200, body: { email, name: "Grace", role: "viewer", organizationId } });
  expect((await browser.call("/auth/session")).body).toEqual(accepted.body);
  expect((await openBrowser().call("/auth/sign-in", { email, password })).status).toBe(200);
  const { rows } = await inDatabase((database) =>
    database.query("SELECT email_verified FROM users WHERE email = $1", [email]),
  );
  expect(rows).toEqual([{ email_verified: true }]);
});

test("part 5: a domain with letters of other languages is stored, mailed to and signed in with", async () => {
  const { owner } = await ownerBrowser(own.baseUrl);
  const name = randomUUID();
  const invited = await owner.call("/auth/invitations/create", { email: `${name}@München.example`, role: "viewer" });
  const email = `${name}@xn--mnchen-3ya.example`;
  expect(invited).toMatchObject({ status: 200, body: { mailed: true, invitation: { email } } });
  const message = mail.mails.find(({ to }) => to.some((one) => one.includes(name)))?.text ?? "";
  const token = /#token=(\S+)/.exec(message)?.[1];
  expect(token).toBeDefined();
  const browser = openBrowser(own.baseUrl);
  expect(await browser.call("/auth/invitations/accept", { token, name: "Grace", password })).toMatchObject({
    status: 200,
  });
  for (const written of [email, `${name}@münchen.example`])
    expect((await openBrowser(own.baseUrl).call("/auth/sign-in", { email: written, password })).status).toBe(200);
});

test("part 5: without a mail server the inviter gets the link; the list does not contain it", async () => {
  const { owner } = await ownerBrowser();
  const email = newEmail();
  const { id, token } = await invite(owner, email);
  const list = await owner.call("/auth/invitations/list", {});
  expect(list.body).toEqual({
    invitations: [
      {
        ...{ id, email, role: "member", websiteIds: [], scopes: [] },
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
    ],
  });
  for (const guess of [id, `shown.${id}.`, `shown.${id}.AAAA`, token.replace("shown", "mailed"), `${token}x`])
    expect((await openBrowser().call("/auth/invitations/accept", { token: guess, password })).status).toBe(404);
  expect((await openBrowser().call("/auth/invitations/accept", { token, password })).status).toBe(200);
  expect((await owner.call("/auth/invitations/list", {})).body).toEqual({ invitations: [] });
});

test("part 5: accepted, revoked, replaced, expired and unknown invitations get the same answer", async () => {
  const { owner } = await ownerBrowser();
  const accepted = await invite(owner, newEmail());
  await openBrowser().call("/auth/invitations/accept", { token: accepted.token, password });
  const revoked = await invite(owner, newEmail());
  expect((await owner.call("/auth/invitations/revoke", { id: revoked.id })).status).toBe(200);
  const email = newEmail();
  const replaced = await invite(owner, email);
  const replacement = await invite(owner, email, "admin");
  const { owner: hastyOwner } = await ownerBrowser(hasty.baseUrl);
  const expired = await invite(hastyOwner, newEmail());
  const answerOf = async (token: string) => {
    const { status, body } = await openBrowser().call("/auth/invitations/accept", { token, password });
    return JSON.stringify({ status, body: { ...Object(body), requestId: "" } });
  };
  const unknown = await answerOf("mailed.x.y");
  expect(unknown).toContain('"status":404');
  for (const { token } of [accepted, revoked, replaced]) expect(await answerOf(token)).toBe(unknown);
  const replacedOne = await openBrowser().call("/auth/invitations/accept", { token: replacement.token, password });
  expect(replacedOne.body).toMatchObject({ role: "admin" });
  await inDatabase((database) =>
    database.query("UPDATE invitations SET expires_at = now() WHERE id = $1 AND expires_at < now() + interval '2 s'", [
      expired.id,
    ]),
  );
  expect(await answerOf(expired.token)).toBe(unknown);
});

test("part 5: an invited person with an account signs in first, and then works in both organizations", async () => {
  const { organizationId, owner } = await ownerBrowser();
  const home = await createOrganization("Home");
  const person = await createPerson({ organizationId: home, role: "admin" });
  const { token } = await invite(owner, person.email, "viewer");
  const stranger = await openBrowser().call("/auth/invitations/accept", { token, password });
  expect(stranger).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } });
  const otherPerson = await signedIn(await createPerson({ organizationId: home }));
  expect((await otherPerson.call("/auth/invitations/accept", { token })).status).toBe(403);
  const browser = await signedIn(person);
  expect((await browser.call("/auth/session")).body).toMatchObject({ organizationId: home, role: "admin" });
  const accepted = await browser.call("/auth/invitations/accept", { token });
  expect(accepted.body).toMatchObject({ organizationId, role: "viewer" });
  expect((await browser.call("/auth/organization/list", {})).body).toMatchObject({
    organizations: [
      { name: "Ada & Sons", role: "viewer" },
      { name: "Home", role: "admin" },
    ],
  });
  expect((await browser.call("/auth/organization/switch", { organizationId: home })).body).toMatchObject({ id: home });
  expect((await browser.call("/auth/session")).body).toMatchObject({ organizationId: home, role: "admin" });
});

test("part 5: a member of no organization can accept an invitation and nothing else", async () => {
  const { organizationId, owner } = await ownerBrowser();
  const person = await createPerson();
  const browser = await signedIn(person);
  expect((await browser.call("/auth/session")).body).toMatchObject({ organizationId: "", role: "" });
  expect(await browser.call("/websites/list", {})).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  expect((await browser.call("/auth/organization/get", {})).status).toBe(404);
  const { token } = await invite(owner, person.email);
  expect((await browser.call("/auth/invitations/accept", { token })).body).toMatchObject({ organizationId });
  expect((await browser.call("/websites/list", {})).status).toBe(200);
});

test("part 5: two acceptances at the same time create one account", async () => {
  const { owner } = await ownerBrowser();
  const { token } = await invite(owner, newEmail());
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => openBrowser().call("/auth/invitations/accept", { token, password })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
});

test("part 5: members are not invited again, addresses are checked, and only owners invite owners", async () => {
  const { organizationId, owner } = await ownerBrowser();
  const admin = await createPerson({ organizationId, role: "admin" });
  const create = (by: Browser, email: string, role: string) => by.call("/auth/invitations/create", { email, role });
  expect(await create(owner, admin.email, "member")).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  for (const email of ["ada", "ada@localhost", "ada@example.com\r\nBcc: eve@example.com", "a b@example.com"])
    expect(await create(owner, email, "member")).toMatchObject({
      status: 400,
      body: { details: [{ field: "email" }] },
    });
  expect((await create(owner, newEmail(), "king")).status).toBe(400);
  const asAdmin = await signedIn(admin);
  expect((await create(asAdmin, newEmail(), "owner")).status).toBe(403);
  expect((await create(asAdmin, newEmail(), "admin")).status).toBe(200);
  const other = await createPerson({ organizationId: await createOrganization() });
  const { body } = await create(owner, newEmail(), "member");
  const { id } = (body as { invitation: { id: string } }).invitation;
  expect((await (await signedIn(other)).call("/auth/invitations/revoke", { id })).status).toBe(404);
});
