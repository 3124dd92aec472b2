import { expect } from "vitest";
import { createPerson, openBrowser, signedIn } from "../../kit/calls/person.ts";
import { totpCode } from "../../kit/calls/totp.ts";
import type { TestWebsite } from "../../kit/calls/website.ts";
import type { MailServer } from "../../kit/servers/mailServer.ts";
import type { OwnServer } from "../../kit/stack/ownServer.ts";
import type { Recorder } from "./recorder.ts";

/** Organizations, their members and invitations. */
export async function recordOrganization(recorder: Recorder, { organizationId }: TestWebsite): Promise<void> {
  const browser = await signedIn(await createPerson({ organizationId }));
  const call = (id: string, body?: unknown) => recorder.call(id, body === undefined ? { browser } : { browser, body });
  await call("OrganizationService_RenameOrganization", { name: "Ada & Sons" });
  await call("OrganizationService_GetOrganization", {});
  const email = `${crypto.randomUUID()}@example.com`;
  const invited = await call("OrganizationService_CreateInvitation", { email, role: "member" });
  await call("OrganizationService_ListInvitations", {});
  const token = new URL(String(invited["link"])).hash.slice("#token=".length);
  await recorder.call("OrganizationService_AcceptInvitation", {
    body: { token, name: "Grace", password: "a password of mine" },
  });
  await recorder.refusal("OrganizationService_CreateInvitation", { browser, body: { email, role: "member" } });
  const { members } = (await call("OrganizationService_ListMembers", {})) as unknown as {
    members: { id: string; email: string }[];
  };
  const member = members.find((one) => one.email === email)?.id;
  const owner = members.find((one) => one.email !== email)?.id;
  await call("OrganizationService_ChangeMemberRole", { id: member, role: "admin" });
  await recorder.refusal("OrganizationService_ChangeMemberRole", { browser, body: { id: owner, role: "viewer" } });
  await call("OrganizationService_RemoveMember", { id: member });
  await recorder.refusal("OrganizationService_RemoveMember", { browser, body: { id: owner } });
  const again = `${crypto.randomUUID()}@example.com`;
  const { invitation } = await call("OrganizationService_CreateInvitation", { email: again, role: "viewer" });
  await call("OrganizationService_RevokeInvitation", { id: invitation?.["id"] });
  await recorder.refusal("OrganizationService_LeaveOrganization", { browser, body: { organizationId } });
  const created = await call("OrganizationService_CreateOrganization", { name: "Ada's garden" });
  await call("OrganizationService_ListOrganizations", {});
  await call("OrganizationService_SwitchOrganization", { organizationId });
  const other = await signedIn(await createPerson({ organizationId }));
  expect(created).toBeDefined();
  await recorder.call("OrganizationService_LeaveOrganization", { browser: other, body: { organizationId } });
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
  await recorder.call("AuthService_SignIn", { body: { email, password } });
  await recorder.refusal("AuthService_SignIn", { body: wrong });
  const browser = await signedIn(person);
  const call = (id: string, body?: unknown) => recorder.call(id, body === undefined ? { browser } : { browser, body });
  await call("AuthService_GetSession");
  const { sessions } = (await call("AuthService_ListSessions", {})) as unknown as {
    sessions: { id: string; current: boolean }[];
  };
  const other = sessions.find(({ current }) => !current)?.id;
  await call("AuthService_RevokeSession", { id: other });
  await call("AuthService_ChangeLanguage", { language: "de" });
  const newPassword = "correct horse battery staple";
  await call("AuthService_ChangePassword", { currentPassword: password, newPassword });
  await recorder.refusal("AuthService_ChangePassword", { browser, body: { currentPassword: password, newPassword } });
  const { totpUri } = await call("AuthService_EnableSecondFactor", { password: newPassword });
  await call("AuthService_VerifySecondFactor", { code: totpCode(String(totpUri)) });
  await recorder.refusal("AuthService_VerifySecondFactor", { browser, body: { code: "000000" } });
  await call("AuthService_DisableSecondFactor", { password: newPassword });
  await recorder.refusal("AuthService_DisableSecondFactor", { browser, body: { password } });
  await recorder.call("AuthService_RequestPasswordReset", { baseUrl, body: { email } });
  const sent = () => mails.find(({ to }) => to.includes(email))?.text;
  await expect.poll(sent).toBeDefined();
  const token = /reset-password#token=(\S+)/.exec(sent() ?? "")?.[1];
  await recorder.call("AuthService_ResetPassword", { baseUrl, body: { token, newPassword: "another password" } });
  const last = openBrowser();
  await last.call("/auth/sign-in", { email, password: "another password" });
  await recorder.call("AuthService_SignOut", { browser: last, body: {} });
}
