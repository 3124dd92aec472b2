import { afterAll, beforeAll, expect, test } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import {
  addMember,
  createOrganization,
  createPerson,
  openBrowser,
  type Person,
  signedIn,
} from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { type MailServer, startMailServer } from "../kit/servers/mailServer.ts";
import { freePort } from "../kit/stack/freePort.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";

let mail: MailServer;
let own: OwnServer;
let hasty: OwnServer;
beforeAll(async () => {
  mail = await startMailServer();
  const settings = { SMTP_URL: mail.url, SMTP_FROM: "lookout@example.com" };
  const accounts = { signInsPerAddress: 1_000_000 };
  own = await startOwnServer(handlers, { ...settings, PORT: String(await freePort()) }, { accounts });
  hasty = await startOwnServer(handlers, settings, { accounts: { ...accounts, passwordResetMs: 1_000 } });
});
afterAll(async () => {
  await own?.close();
  await hasty?.close();
  await mail?.close();
});

const newPassword = "a new password of mine";

async function newPerson(): Promise<Person> {
  return await createPerson({ organizationId: await createOrganization() });
}

async function resetToken({ email }: Person, baseUrl = own.baseUrl): Promise<string> {
  const sent = () => mail.mails.find(({ to }) => to.includes(email));
  const answer = await send("POST", "/auth/request-password-reset", { baseUrl, body: { email } });
  expect(answer).toMatchObject({ status: 200, body: { success: true } });
  await expect.poll(sent).toBeDefined();
  const link = /http\S+\/reset-password#token=(\S+)/.exec(sent()?.text ?? "");
  return link?.[1] ?? "";
}

test("part 5: a mailed link sets a new password once and ends all sessions", async () => {
  const person = await newPerson();
  const browser = await signedIn(person, own.baseUrl);
  const token = await resetToken(person);
  const reset = () => send("POST", "/auth/reset-password", { baseUrl: own.baseUrl, body: { token, newPassword } });
  expect(await reset()).toMatchObject({ status: 200, body: { success: true } });
  expect(await reset()).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_ERROR", details: [{ field: "token" }] },
  });
  await expect.poll(async () => (await browser.call("/auth/session")).status).toBe(401);
  const { email, password } = person;
  const signIn = (given: string) => openBrowser(own.baseUrl).call("/auth/sign-in", { email, password: given });
  expect((await signIn(password)).status).toBe(401);
  expect((await signIn(newPassword)).status).toBe(200);
});

test("part 5: a new password by a mailed link is in the audit log of each organization of the person, once", async () => {
  const [first, second] = [await createOrganization(), await createOrganization()];
  const person = await createPerson({ organizationId: first });
  await addMember(person.userId, second, "viewer");
  const admins = [];
  for (const organizationId of [first, second])
    admins.push(await signedIn(await createPerson({ organizationId }), own.baseUrl));
  const token = await resetToken(person);
  const reset = (given: string) =>
    send("POST", "/auth/reset-password", { baseUrl: own.baseUrl, body: { token: given, newPassword } });
  expect((await reset("x".repeat(24))).status).toBe(400);
  expect((await reset(token)).status).toBe(200);
  expect((await reset(token)).status).toBe(400);
  for (const admin of admins) {
    const { body } = await admin.call("/audit/list", { action: "member.reset_password" });
    expect((body as { entries: unknown[] }).entries).toMatchObject([
      { actorType: "user", actorId: person.userId, objectType: "member", before: null, after: null },
    ]);
  }
});

test("part 5: the link leads to the service, with the token in the fragment, which servers do not see", async () => {
  const person = await newPerson();
  const token = await resetToken(person);
  expect(mail.mails.find(({ to }) => to.includes(person.email))?.text).toContain(
    `${own.baseUrl}/reset-password#token=${token}`,
  );
});

test("part 5: the mail is in the language that the person chose, and names the service", async () => {
  const person = await newPerson();
  const browser = await signedIn(person, own.baseUrl);
  expect((await browser.call("/auth/session")).body).toMatchObject({ language: "" });
  expect(await browser.call("/auth/language", { language: "fr" })).toMatchObject({ status: 200 });
  expect((await browser.call("/auth/session")).body).toMatchObject({ language: "fr" });
  await resetToken(person);
  const text = mail.mails.find(({ to }) => to.includes(person.email))?.text ?? "";
  expect(text).toContain(`Subject: Un nouveau mot de passe pour Lookout sur ${new URL(own.baseUrl).host}`);
  expect(text).toContain("pendant 60 minutes");
  expect(await browser.call("/auth/language", { language: "French" })).toMatchObject({
    status: 400,
    body: { details: [{ field: "language" }] },
  });
  expect((await send("POST", "/auth/language", { baseUrl: own.baseUrl, body: { language: "fr" } })).status).toBe(401);
});

test("part 5: expired and unknown links get the same answer", async () => {
  const token = await resetToken(await newPerson(), hasty.baseUrl);
  await expect
    .poll(async () => {
      const answers = [];
      for (const given of [token, "x".repeat(24)]) {
        const body = { token: given, newPassword: "short but twelve" };
        const answer = await send("POST", "/auth/reset-password", { baseUrl: hasty.baseUrl, body });
        answers.push({ status: answer.status, body: { ...Object(answer.body), requestId: "" } });
      }
      return JSON.stringify(answers[0]) === JSON.stringify(answers[1]);
    })
    .toBe(true);
});

test("part 5: a reset does not reveal which accounts exist", async () => {
  const { email } = await newPerson();
  const answers = [];
  for (const given of [email, "nobody@example.com", "owner@localhost", "nobody"]) {
    const answer = await send("POST", "/auth/request-password-reset", {
      baseUrl: own.baseUrl,
      body: { email: given },
    });
    answers.push({ status: answer.status, body: answer.body });
  }
  expect(answers).toEqual(answers.map(() => ({ status: 200, body: { success: true } })));
  await expect.poll(() => mail.mails.some(({ to }) => to.includes(email))).toBe(true);
  expect(mail.mails.filter(({ to }) => to.includes("nobody@example.com"))).toEqual([]);
});

test("part 5: without a mail server a reset says so, for known and unknown accounts", async () => {
  for (const email of [(await newPerson()).email, "nobody@example.com"])
    expect(await send("POST", "/auth/request-password-reset", { body: { email } })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT", error: expect.stringContaining("SMTP_URL") },
    });
});

test("part 5: changing the password ends the other sessions and keeps this one", async () => {
  const person = await newPerson();
  const elsewhere = await signedIn(person, own.baseUrl);
  const browser = await signedIn(person, own.baseUrl);
  const before = browser.cookie();
  const change = (body: object) => browser.call("/auth/change-password", body);
  expect(await change({ currentPassword: "wrong", newPassword })).toMatchObject({
    status: 400,
    body: { details: [{ field: "currentPassword" }] },
  });
  expect(await change({ currentPassword: person.password, newPassword: "too short" })).toMatchObject({
    status: 400,
    body: { details: [{ field: "newPassword" }] },
  });
  expect(await change({ currentPassword: person.password, newPassword })).toMatchObject({ status: 200 });
  expect(browser.cookie()).not.toBe(before);
  expect((await browser.call("/auth/session")).status).toBe(200);
  await expect.poll(async () => (await elsewhere.call("/auth/session")).status).toBe(401);
});
