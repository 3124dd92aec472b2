import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { services } from "../../src/gen/lookout/services.ts";

/** The RPCs that change something and leave an entry in the audit log, with its action. */
const audited: Readonly<Record<string, string>> = {
  CreateApiKey: "api_key.create",
  RevokeApiKey: "api_key.revoke",
  RotateApiKey: "api_key.rotate",
  SignIn: "member.sign_in",
  RevokeSession: "member.revoke_session",
  ResetPassword: "member.reset_password",
  ChangePassword: "member.change_password",
  VerifySecondFactor: "member.add_second_factor",
  DisableSecondFactor: "member.remove_second_factor",
  CreateOrganization: "organization.create",
  RenameOrganization: "organization.rename",
  LeaveOrganization: "member.leave",
  ChangeMemberRole: "member.change_role",
  LimitMember: "member.limit",
  RemoveMember: "member.remove",
  CreateInvitation: "invitation.create",
  RevokeInvitation: "invitation.revoke",
  AcceptInvitation: "invitation.accept",
  CreateWebsite: "website.create",
  UpdateWebsite: "website.update",
  DeleteWebsite: "website.delete",
  RestoreWebsite: "website.restore",
  SetRetention: "website.retention",
  CancelRetention: "website.retention.cancel",
  DeleteData: "data.erase",
  CreateExport: "export.create",
  CancelExport: "export.cancel",
  CreateLink: "link.create",
  UpdateLink: "link.update",
  DeleteLink: "link.delete",
  CreateMonitor: "monitor.create",
  UpdateMonitor: "monitor.update",
  DeleteMonitor: "monitor.delete",
  PauseMonitor: "monitor.pause",
  ResumeMonitor: "monitor.resume",
  AcknowledgeIncident: "incident.acknowledge",
  CreateIncidentNote: "incident.create_note",
  DeleteIncidentNote: "incident.delete_note",
  CreateMaintenanceWindow: "maintenance_window.create",
  DeleteMaintenanceWindow: "maintenance_window.delete",
  CreateNotificationChannel: "notification_channel.create",
  UpdateNotificationChannel: "notification_channel.update",
  DeleteNotificationChannel: "notification_channel.delete",
  TestNotificationChannel: "notification_channel.test",
  CreateSegment: "segment.create",
  UpdateSegment: "segment.update",
  DeleteSegment: "segment.delete",
  CreateSharedDashboard: "shared_dashboard.create",
  UpdateSharedDashboard: "shared_dashboard.update",
  DeleteSharedDashboard: "shared_dashboard.delete",
  CreateStatusPage: "status_page.create",
  UpdateStatusPage: "status_page.update",
  SetStatusPageLogo: "status_page.update",
  DeleteStatusPage: "status_page.delete",
  CreateStatusReport: "status_report.create",
  PostStatusReportUpdate: "status_report.update",
  DeleteStatusReport: "status_report.delete",
};

const visits = "what visitors do is data, not a change of settings";

/** Those that leave none, and why. */
const unaudited: Readonly<Record<string, string>> = {
  OpenSharedDashboard: "whoever has the link reads what it shows",
  SignOut: "gives nothing and takes nothing but the caller's own session",
  SwitchOrganization: "changes only what the caller's own session looks at",
  ChangeLanguage: "changes only in which language the caller is written to",
  RequestPasswordReset: "anybody may ask for it; the new password is audited",
  EnableSecondFactor: "without effect until VerifySecondFactor",
  CheckNow: "stores nothing: the checked address sees one more request",
  TestMonitor: "stores nothing: the tested address sees a request",
  PreviewStatusPage: "changes nothing of the page, and ends by itself",
  GetPixel: visits,
  RecordEvents: visits,
  RecordEngagement: visits,
  Identify: visits,
  Batch: visits,
  Track: visits,
  Collect: visits,
  RecordLlmCalls: visits,
  RecordScriptErrors: visits,
  RecordVitals: visits,
  FollowLink: visits,
  UnlockLink: visits,
};

const changing = services
  .flatMap(({ methods }) => methods)
  .filter(({ idempotency }) => idempotency !== MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
  .map(({ name }) => name);

test("part 5: every call that changes something is audited, or there is a reason why not", () => {
  expect([...Object.keys(audited), ...Object.keys(unaudited)].sort()).toEqual([...changing].sort());
});

test("part 5: no call without side effects is audited", () => {
  const reading = services
    .flatMap(({ methods }) => methods)
    .filter(({ idempotency }) => idempotency === MethodOptions_IdempotencyLevel.NO_SIDE_EFFECTS)
    .map(({ name }) => name);
  expect(reading.filter((name) => name in audited || name in unaudited)).toEqual([]);
});

test("part 5: the service writes each of the actions", () => {
  const folder = join(import.meta.dirname, "../../src");
  const sources = (readdirSync(folder, { recursive: true }) as string[])
    .filter((path) => path.endsWith(".ts") && !path.startsWith("gen"))
    .map((path) => readFileSync(join(folder, path), "utf8"));
  const missing = Object.values(audited).filter((action) => !sources.some((text) => text.includes(`"${action}"`)));
  expect(missing).toEqual([]);
});
