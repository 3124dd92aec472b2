import { expect } from "vitest";
import { createPerson, openBrowser, signedIn } from "../../kit/calls/person.ts";
import { totpCode } from "../../kit/calls/totp.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { MailServer } from "../../kit/servers/mailServer.ts";
import type { OwnServer } from "../../kit/stack/ownServer.ts";
import type { Recorder } from "./recorder.ts";

/** Organizations, their members and invitations. */
export async function recordOrganization(
  recorder: Recorder,
  { organizationId, websiteId }: TestWebsite,
): Promise<void> {
  const browser = await signedIn(await createPerson({ organizationId }));
  const call = (id: string, body?: unknown) => recorder.call(id, body === undefined ? { browser } : { browser, body });
  await call("renameOrganization", { name: "Ada & Sons" });
  await call("getOrganization", {});
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await call("createInvitation", { email, role: "member" });
  await call("listInvitations", {});
  const token = new URL(String(invited["link"])).hash.slice("#token=".length);
  await recorder.call("acceptInvitation", {
    body: { token, name: "Grace", password: "a password of mine" },
  });
  await recorder.refusal("createInvitation", { browser, body: { email, role: "member" } });
  const { members } = (await call("listMembers", {})) as unknown as {
    members: { id: string; email: string }[];
  };
  const member = members.find((one) => one.email === email)?.id;
  const owner = members.find((one) => one.email !== email)?.id;
  await call("changeMemberRole", { id: member, role: "admin" });
  await recorder.refusal("changeMemberRole", { browser, body: { id: owner, role: "viewer" } });
  await call("limitMember", { id: member, websiteIds: [websiteId], scopes: ["read:data", "update"] });
  await recorder.refusal("limitMember", { browser, body: { id: owner, websiteIds: [websiteId] } });
  await call("removeMember", { id: member });
  await recorder.refusal("removeMember", { browser, body: { id: owner } });
  const again = `${crypto.randomUUID()}@example.com`;
  const { invitation } = await call("createInvitation", { email: again, role: "viewer" });
  await call("revokeInvitation", { id: invitation?.["id"] });
  await recorder.refusal("leaveOrganization", { browser, body: { organizationId } });
  const created = await call("createOrganization", { name: "Ada's garden" });
  await call("listOrganizations", {});
  await call("switchOrganization", { organizationId });
  const other = await signedIn(await createPerson({ organizationId }));
  expect(created).toBeDefined();
  await recorder.call("leaveOrganization", { browser: other, body: { organizationId } });
}

/** Signing in, sessions, passwords and second factors. */
export async function recordAccount(
  recorder: Recorder,
  { organizationId }: TestWebsite,
  { baseUrl }: OwnServer,
  { mails }: MailServer,
): Promise<void> {
  const person = await createPerson({ organizationId });
  const { email, password } = person;
  const wrong = { email, password: "not my password" };
  await recorder.call("signIn", { body: { email, password } });
  await recorder.refusal("signIn", { body: wrong });
  const browser = await signedIn(person);
  const call = (id: string, body?: unknown) => recorder.call(id, body === undefined ? { browser } : { browser, body });
  await call("getSession");
  const { sessions } = (await call("listSessions", {})) as unknown as {
    sessions: { id: string; current: boolean }[];
  };
  const other = sessions.find(({ current }) => !current)?.id;
  await call("revokeSession", { id: other });
  await call("changeLanguage", { language: "de" });
  const newPassword = "correct horse battery staple";
  await call("changePassword", { currentPassword: password, newPassword });
  await recorder.refusal("changePassword", { browser, body: { currentPassword: password, newPassword } });
  const { totpUri } = await call("enableSecondFactor", { password: newPassword });
  await call("verifySecondFactor", { code: totpCode(String(totpUri)) });
  await recorder.refusal("verifySecondFactor", { browser, body: { code: "000000" } });
  await call("disableSecondFactor", { password: newPassword });
  await recorder.refusal("disableSecondFactor", { browser, body: { password } });
  await recorder.call("requestPasswordReset", { baseUrl, body: { email } });
  const sent = () => mails.find(({ to }) => to.includes(email))?.text;
  await expect.poll(sent).toBeDefined();
  const token = /reset-password#token=(\S+)/.exec(sent() ?? "")?.[1];
  await recorder.call("resetPassword", { baseUrl, body: { token, newPassword: "another password" } });
  const last = openBrowser();
  await last.call("/auth/sign-in", { email, password: "another password" });
  await recorder.call("signOut", { browser: last, body: {} });
}
