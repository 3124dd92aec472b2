import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import { type WebhookField, webhookEvents, webhookExample } from "../../codegen/client/webhookEvents.ts";
import {
  createTestSecret,
  signTestWebhook,
  type VerifiedWebhook,
  verifyWebhook,
  WebhookError,
  webhookExamples,
} from "../../packages/client-js/src/webhooks/webhooks.ts";
import { webhookHeaders } from "../../src/uptime/notifications/channels/kinds/webhookSignature.ts";
import { withAddress } from "../../src/uptime/notifications/message/incidentAddress.ts";
import type { NotificationFacts } from "../../src/uptime/notifications/message/notificationFacts.ts";
import {
  type NotificationEvent,
  type NotificationMessage,
  notificationMessage,
} from "../../src/uptime/notifications/message/notificationMessage.ts";

const secret = createTestSecret();
const sentMs = Date.UTC(2026, 10, 21, 10);

const facts = (resolvedMs: number | null) =>
  ({
    monitor: { id: "mon_1", websiteId: "w", shownUrl: "https://shop.example/", options: { name: "Shop" } },
    incident: { id: "mon_1/1", startedMs: 1, resolvedMs, firstError: "no", checksAffected: 2, regions: ["local"] },
  }) as unknown as NotificationFacts;

/** What the service sends of each event. */
const sent: Readonly<Record<NotificationEvent, NotificationMessage>> = {
  "incident.opened": notificationMessage("incident.opened", sentMs, facts(null)),
  "incident.escalated": notificationMessage("incident.escalated", sentMs, facts(null), { afterMinutes: 15 }),
  "incident.resolved": notificationMessage("incident.resolved", sentMs, facts(2)),
  "certificate.expiring": notificationMessage(
    "certificate.expiring",
    sentMs,
    { ...facts(null), incident: undefined },
    { expiryMs: 3 },
  ),
  test: { type: "test", timestamp: new Date(sentMs).toISOString(), data: { text: "Hello" } },
};

function hasShape(value: unknown, field: WebhookField): void {
  if (value === null) expect(field.mayBeNull, field.name).toBe(true);
  else if (field.kind === "object") hasFields(value, field.object.fields);
  else if (field.kind === "texts") expect(value).toEqual([expect.any(String)]);
  else if (field.kind === "time") expect(new Date(String(value)).toISOString()).toBe(value);
  else expect(typeof value, field.name).toBe(field.kind === "count" ? "number" : "string");
}

function hasFields(value: unknown, fields: readonly WebhookField[]): void {
  const members = new Map(Object.entries(value as object));
  expect([...members.keys()].sort()).toEqual(fields.map(({ name }) => name).sort());
  for (const field of fields) hasShape(members.get(field.name), field);
}

describe("4.12 the published shapes of webhooks are those that the service sends", () => {
  test("of every event", () => {
    expect(webhookEvents.map(({ type }) => type).sort()).toEqual(Object.keys(sent).sort());
  });

  test.each([...webhookEvents])("$type", (event) => {
    const message = sent[event.type as NotificationEvent];
    const { type, timestamp, data, ...rest } = JSON.parse(
      JSON.stringify(withAddress(message, "https://lookout.example")),
    );
    expect([type, new Date(timestamp).toISOString(), rest]).toEqual([event.type, timestamp, {}]);
    hasFields(data, event.data);
    const example = webhookExample(event);
    expect(webhookExamples[event.type as NotificationEvent]).toEqual(example);
    hasFields(example["data"], event.data);
  });
});

describe("a webhook", () => {
  const body = JSON.stringify(sent.test);
  const headers = webhookHeaders(secret, "msg_1", sentMs, body);
  const received = { body, headers, secret, nowMs: sentMs };
  const refused = async (code: string, change: object) => {
    const error = await verifyWebhook({ ...received, ...change }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(WebhookError);
    expect(error).toMatchObject({ code });
  };

  test("of the service is verified, whatever form its headers and its body have", async () => {
    const wanted = { id: "msg_1", type: "test", data: { text: "Hello" } };
    expect(await verifyWebhook(received)).toMatchObject(wanted);
    expect(await verifyWebhook({ ...received, headers: new Headers(headers) })).toMatchObject(wanted);
    expect(await verifyWebhook({ ...received, body: Buffer.from(body) })).toMatchObject(wanted);
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    expect(await verifyWebhook({ ...received, headers: capitals })).toMatchObject(wanted);
    expect(await verifyWebhook({ ...received, secret: [createTestSecret(), secret] })).toMatchObject(wanted);
  });

  test("that was changed or signed with another secret is refused", async () => {
    await refused("WRONG_SIGNATURE", { body: body.replace("Hello", "Hallo") });
    await refused("WRONG_SIGNATURE", { secret: createTestSecret() });
    await refused("WRONG_SIGNATURE", { headers: { ...headers, "webhook-id": "msg_2" } });
    await refused("WRONG_SIGNATURE", { headers: { ...headers, "webhook-timestamp": "1" } });
    await refused("WRONG_SIGNATURE", { headers: { ...headers, "webhook-signature": "v1,§ v2,AAAA" } });
  });

  test("that is sent again later, or before its time, is refused", async () => {
    await refused("TOO_OLD", { nowMs: sentMs + 300_001 });
    await refused("TOO_NEW", { nowMs: sentMs - 300_001 });
    await expect(verifyWebhook({ ...received, nowMs: sentMs + 300_001, toleranceMs: 600_000 })).resolves.toBeDefined();
    const timeless = webhookHeaders(secret, "msg_1", Number.NaN, body);
    await refused("TOO_OLD", { headers: timeless });
  });

  test("without a signature or without an event is refused", async () => {
    await refused("MISSING_HEADER", { headers: {} });
    for (const bad of ["no JSON", "[]", "{}"])
      await refused("BAD_BODY", { body: bad, headers: webhookHeaders(secret, "msg_1", sentMs, bad) });
  });

  test("with a secret that is none is a mistake of the program", async () => {
    await expect(verifyWebhook({ ...received, secret: "password" })).rejects.toThrow(TypeError);
  });
});

test("a signed test event is verified here and by the reference library", async () => {
  const { body, headers } = await signTestWebhook({ secret, event: "incident.resolved" });
  const event = await verifyWebhook({ body, headers, secret });
  expect(event.type).toBe("incident.resolved");
  if (event.type === "incident.resolved") expectTypeOf(event.data.incident.durationMs).toBeNumber();
  expect(new Webhook(secret).verify(body, headers)).toEqual(webhookExamples["incident.resolved"]);
  expectTypeOf<VerifiedWebhook["id"]>().toBeString();
});

test.each([
  ["packages/go/webhook/event.go"],
  ["packages/python/lookout/webhooks.py"],
  ["packages/java/src/dev/lookout/WebhookReader.java"],
])("%s reads each event and each member", (path) => {
  const text = readFileSync(path, "utf8");
  const members = (fields: readonly WebhookField[]): readonly string[] =>
    fields.flatMap((field) => [field.name, ...(field.kind === "object" ? members(field.object.fields) : [])]);
  for (const { type, data } of webhookEvents)
    for (const name of [type, ...members(data)]) expect(text).toContain(`"${name}"`);
});
