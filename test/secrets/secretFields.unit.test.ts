import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { withoutSecrets } from "../../src/audit/withoutSecrets.ts";
import { services } from "../../src/gen/lookout/services.ts";
import {
  CreateNotificationChannelRequestSchema,
  NotificationChannelSchema,
} from "../../src/gen/lookout/v1/notification_channels_pb.ts";
import {
  CreateMonitorRequestSchema,
  MonitorSchema,
  UpdateMonitorRequestSchema,
} from "../../src/gen/lookout/v1/uptime_pb.ts";
import type { MonitorSecrets } from "../../src/uptime/monitor/monitor.ts";

const isSecret = ({ proto }: DescField) => proto.options?.debugRedact === true;
const secretsOf = ({ fields }: DescMessage) => fields.filter(isSecret).map(({ jsonName }) => jsonName);

/** Each message that a call takes or answers, with those within it. */
function messages(): DescMessage[] {
  const found = new Map<string, DescMessage>();
  const add = (message: DescMessage) => {
    if (found.has(message.typeName)) return;
    found.set(message.typeName, message);
    for (const field of message.fields) if (field.message !== undefined) add(field.message);
  };
  for (const { methods } of services)
    for (const { input, output } of methods) {
      add(input);
      add(output);
    }
  return [...found.values()];
}

describe("7: the contract marks a field that holds a secret with debug_redact", () => {
  /** What monitors and channels may show in answers, in Temporal, in logs and in the audit log. */
  const shown = [
    "cacheBust",
    "certificateNoticeDays",
    "clear",
    "createdAt",
    "degradedAfterMs",
    "escalation",
    "expectedStatus",
    "hasBody",
    "headerNames",
    "httpVersion",
    "id",
    "idempotencyKey",
    "interval",
    "ipVersion",
    "jsonParsingConfig",
    "keyword",
    "kind",
    "method",
    "name",
    "openAfter",
    "regions",
    "resolveAfter",
    "status",
    "timeout",
    "updatedAt",
    "websiteId",
    "workflowUrl",
  ];

  test.each([
    CreateMonitorRequestSchema,
    UpdateMonitorRequestSchema,
    MonitorSchema,
    CreateNotificationChannelRequestSchema,
  ])("$typeName: a new field is either marked and stored encrypted, or listed in this test", (message) => {
    const undecided = message.fields.filter((field) => !isSecret(field) && !shown.includes(field.jsonName));
    expect(undecided.map(({ jsonName }) => jsonName)).toEqual([]);
  });

  test("a monitor stores encrypted exactly what is marked", () => {
    const stored = { url: "", headers: {}, body: null } satisfies { [Name in keyof Required<MonitorSecrets>]: unknown };
    expect(secretsOf(CreateMonitorRequestSchema)).toEqual(Object.keys(stored));
    expect(secretsOf(UpdateMonitorRequestSchema)).toEqual(Object.keys(stored));
  });

  test("a channel shows of its target what its kind allows", () => {
    expect(secretsOf(CreateNotificationChannelRequestSchema)).toEqual(["target"]);
    expect(NotificationChannelSchema.fields.map(({ jsonName }) => jsonName)).not.toContain("secret");
  });

  test("no field of the contract with a telling name is forgotten", () => {
    const telling = /secret|password|token$|totp|backupCodes|^key$|^signature$|^headers$|^body$/i;
    /** Whether there is one. */
    const plain = ["hasPassword", "hasGeneratedPassword"];
    const forgotten = messages().flatMap((message) =>
      message.fields
        .filter((field) => telling.test(field.jsonName) && !isSecret(field) && !plain.includes(field.jsonName))
        .map(({ jsonName }) => `${message.typeName}.${jsonName}`),
    );
    expect(forgotten).toEqual([]);
  });

  test("the audit log hides every marked field, and of an address its query", () => {
    const marked = new Set(messages().flatMap(secretsOf));
    expect(marked.size).toBeGreaterThan(12);
    for (const name of marked)
      expect(withoutSecrets({ list: [{ [name]: "s3cret" }] }), name).toEqual({ list: [{ [name]: "[hidden]" }] });
    expect(withoutSecrets({ url: "https://shop.example/health?token=s3cret" })).toEqual({
      url: "https://shop.example/health?[hidden]",
    });
    expect(withoutSecrets({ url: "https://shop.example/health" })).toEqual({ url: "https://shop.example/health" });
  });
});
