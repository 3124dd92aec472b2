import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema, MethodOptions_IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { services } from "../src/gen/lookout/services.ts";

const { IDEMPOTENCY_UNKNOWN, NO_SIDE_EFFECTS } = MethodOptions_IdempotencyLevel;

/** Its handler commits with src/idempotency/once.ts, and its request has the field idempotency_key. */
const takesKey = "each call makes another object, unless it has the same idempotency key";
const worksOnce = "what it takes works once, so the second call is refused";
const countsEvents = "events without an event_id are counted again";
const countsClicks = "each call counts a click";
const sendsRequest = "each call sends another request to the address";
const sendsAgain = "each call sends another message";

/** The RPCs without a level, and why they have none. */
const withoutLevel: Readonly<Record<string, string>> = {
  CreateApiKey: takesKey,
  RotateApiKey: takesKey,
  SignIn: "each call makes another session",
  RequestPasswordReset: sendsAgain,
  ResetPassword: worksOnce,
  ChangePassword: worksOnce,
  EnableSecondFactor: "each call makes another secret",
  VerifySecondFactor: worksOnce,
  DisableSecondFactor: "each call ends the session that it was sent with, and makes another",
  CreateOrganization: takesKey,
  CreateInvitation: takesKey,
  AcceptInvitation: worksOnce,
  GetPixel: countsEvents,
  RecordEvents: countsEvents,
  RecordEngagement: countsEvents,
  Batch: countsEvents,
  Track: countsEvents,
  Collect: countsEvents,
  RecordLlmCalls: countsEvents,
  RecordScriptErrors: countsEvents,
  RecordVitals: countsEvents,
  FollowLink: countsClicks,
  UnlockLink: countsClicks,
  DeleteData: takesKey,
  CreateExport: takesKey,
  CreateLink: takesKey,
  CreateMaintenanceWindow: takesKey,
  CreateNotificationChannel: takesKey,
  TestNotificationChannel: sendsAgain,
  CreateSegment: takesKey,
  CreateSharedDashboard: takesKey,
  OpenSharedDashboard: "wrong passwords are counted",
  CreateStatusPage: takesKey,
  PreviewStatusPage: "each call makes another preview, which is forgotten by itself",
  CreateStatusReport: takesKey,
  PostStatusReportUpdate: takesKey,
  CreateMonitor: takesKey,
  CreateIncidentNote: takesKey,
  CheckNow: sendsRequest,
  TestMonitor: sendsRequest,
  CreateWebsite: takesKey,
};

const methods = services.flatMap((service) => service.methods);
const openApi: OpenApi = JSON.parse(read("../src/gen/lookout/openapi.json").toString());
const descriptions = new Map(
  Object.values(openApi.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId, description }) => [operationId, description] as const),
  ),
);

describe("idempotency_level", () => {
  test("every call has one, or there is a reason why not", () => {
    const without = methods.filter(({ idempotency }) => idempotency === IDEMPOTENCY_UNKNOWN).map(({ name }) => name);
    expect(without.sort()).toEqual(Object.keys(withoutLevel).sort());
  });

  test("every call that creates something takes an idempotency key, or there is a reason why not", () => {
    const taking = methods.filter(({ input }) => "idempotencyKey" in input.field).map(({ name }) => name);
    const listed = Object.entries(withoutLevel).filter(([, reason]) => reason === takesKey);
    expect(taking.sort()).toEqual(listed.map(([name]) => name).sort());
    const silent = methods
      .filter(({ name }) => /^(Create|Add|Invite|Start)/.test(name) && !taking.includes(name))
      .map(({ name }) => name);
    expect(silent).toEqual([]);
  });

  test("every call that changes something says whether it is atomic and whether it may be repeated", () => {
    const silent = methods
      .filter(({ idempotency }) => idempotency !== NO_SIDE_EFFECTS)
      .filter(({ localName }) => {
        const description = descriptions.get(localName) ?? "";
        return !/\batomic/i.test(description) || !/\brepeat/i.test(description);
      });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  test("none that clients rely on is taken away", () => {
    const released = createFileRegistry(fromBinary(FileDescriptorSetSchema, read("../proto/released.binpb")));
    const changed = methods.filter(({ parent, localName, idempotency }) => {
      const before = released.getService(parent.typeName)?.method[localName]?.idempotency ?? IDEMPOTENCY_UNKNOWN;
      return before !== IDEMPOTENCY_UNKNOWN && before !== idempotency;
    });
    expect(changed.map(({ name }) => name)).toEqual([]);
  });
});

type OpenApi = {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly operationId: string; readonly description: string }>>>
  >;
};

function read(path: string): Buffer {
  return readFileSync(join(import.meta.dirname, path));
}
