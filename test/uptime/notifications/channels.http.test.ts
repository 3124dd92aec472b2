import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MaintenanceWindowService } from "../../../src/gen/lookout/v1/maintenance_pb.ts";
import { NotificationChannelService } from "../../../src/gen/lookout/v1/notification_channels_pb.ts";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../../kit/stack/ownServer.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";

let withMail: OwnServer;
let website: TestWebsite;
let other: TestWebsite;
beforeAll(async () => {
  withMail = await startOwnServer(handlers, {
    SMTP_URL: "smtp://127.0.0.1:1",
    SMTP_FROM: "lookout@example.com",
    UPTIME_ALLOW_CIDRS: "127.0.0.0/8",
  });
  [website, other] = await Promise.all([createWebsite(), createWebsite()]);
});
afterAll(async () => {
  await withMail?.close();
});

const post = (path: string, body: unknown, { apiKey }: { apiKey: string } = website, baseUrl?: string) =>
  send("POST", path, { body, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });

const create = (body: unknown, owner?: { apiKey: string }, baseUrl?: string) =>
  post("/uptime/channels/create", body, owner, baseUrl);

async function channelId(owner: TestWebsite = website, target = "https://hooks.example.com/secret"): Promise<string> {
  const { body } = await create({ name: "Ops", kind: "webhook", target }, owner, withMail.baseUrl);
  return (body as { channel: { id: string } }).channel.id;
}

describe("notification channels", () => {
  it("4: an id followed by U+0000 names no channel and deletes none", async () => {
    const owner = await createWebsite();
    const id = await channelId(owner);
    expect(await post("/uptime/channels/delete", { id: `${id}\u0000` }, owner)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field: "id", message: "must not hold the character U+0000" }] },
    });
    expect((await post("/uptime/channels/list", {}, owner)).body).toMatchObject({ total: 1, channels: [{ id }] });
  });

  it("shows a webhook's secret once, and only the host of its URL", async () => {
    const owner = await createWebsite();
    const made = await create({ name: "Ops", kind: "webhook", target: "https://hooks.example.com/secret?x=1" }, owner);
    expect(made).toMatchObject({
      status: 200,
      body: {
        channel: { id: expect.any(String), name: "Ops", kind: "webhook", target: "hooks.example.com" },
        secret: expect.stringMatching(/^whsec_/),
      },
    });
    const slack = await create(
      { name: "Chat", kind: "slack", target: "https://hooks.slack.com/services/T/B/x" },
      owner,
    );
    expect(slack.body).not.toHaveProperty("secret");
    const listed = await post("/uptime/channels/list", {}, owner);
    expect(listed.body).toMatchObject({
      total: 2,
      channels: [{ name: "Ops" }, { name: "Chat", target: "hooks.slack.com" }],
    });
    expect(JSON.stringify(listed.body)).not.toMatch(/whsec_|services|secret/);
    const { rows } = await inDatabase((database) =>
      database.query("SELECT target, secret FROM notification_channels WHERE organization_id = $1", [
        owner.organizationId,
      ]),
    );
    expect(rows.map(({ target }) => target)).toEqual([
      expect.stringMatching(/^lk1\./),
      expect.stringMatching(/^lk1\./),
    ]);
    expect(rows.map(({ secret }) => secret).sort()).toEqual(["", expect.stringMatching(/^lk1\./)]);
  });

  it.each([
    ["a name that is missing", { kind: "webhook", target: "https://a.example" }, "name"],
    ["a kind that is unknown", { name: "a", kind: "pager", target: "https://a.example" }, "kind"],
    ["no URL", { name: "a", kind: "webhook", target: "nowhere" }, "target"],
    ["another scheme", { name: "a", kind: "slack", target: "ftp://a.example/x" }, "target"],
    ["a user name", { name: "a", kind: "slack", target: "https://u:p@a.example/x" }, "target"],
    ["a private address", { name: "a", kind: "webhook", target: "http://10.0.0.1/hook" }, "target"],
    ["loopback", { name: "a", kind: "webhook", target: "http://localhost:1/hook" }, "target"],
    ["metadata", { name: "a", kind: "slack", target: "http://169.254.169.254/latest" }, "target"],
    ["an e-mail without a mail server", { name: "a", kind: "email", target: "ops@example.com" }, "kind"],
  ])("refuses %s and names the field", async (_name, body, field) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field }] },
    });
  });

  it("an update changes name and target, checks the target like a new one, and is in the audit log", async () => {
    const owner = await createWebsite();
    const id = await channelId(owner);
    const update = (body: object) => post("/uptime/channels/update", { id, ...body }, owner, withMail.baseUrl);
    expect((await update({ name: "Night" })).body).toMatchObject({
      channel: { id, name: "Night", target: "hooks.example.com" },
    });
    const moved = await update({ target: "https://hooks.example.org/other-secret" });
    expect(moved.body).toMatchObject({ channel: { name: "Night", target: "hooks.example.org" } });
    const wrong = await update({ target: "http://169.254.169.254/latest" });
    expect(wrong).toMatchObject({ status: 400, body: { details: [{ field: "target" }] } });
    expect(await post("/uptime/channels/update", { id, name: "x" }, other)).toMatchObject({ status: 404 });
    const log = JSON.stringify((await post("/audit/list", {}, owner)).body);
    expect(log).toContain("notification_channel.update");
    expect(log).not.toContain("other-secret");
    const { rows } = await inDatabase((database) =>
      database.query("SELECT target FROM notification_channels WHERE id = $1", [id]),
    );
    expect(rows).toEqual([{ target: expect.stringMatching(/^lk1\./) }]);
    await post("/uptime/channels/delete", { id }, owner);
    expect(await update({ name: "x" })).toMatchObject({ status: 404 });
  });

  it("accepts one e-mail address if there is a mail server", async () => {
    const made = await create({ name: "a", kind: "email", target: "ops@example.com" }, website, withMail.baseUrl);
    expect(made).toMatchObject({ status: 200, body: { channel: { target: "ops@example.com" } } });
    expect(made.body).not.toHaveProperty("secret");
    for (const target of ["ops", "a@b@c", "a@example.com, b@example.com", "Ops <a@example.com>", "a@x\r\nBcc: b@y"])
      expect(await create({ name: "a", kind: "email", target }, website, withMail.baseUrl)).toMatchObject({
        status: 400,
        body: { details: [{ field: "target" }] },
      });
  });

  it("belongs to one organization", async () => {
    const id = await channelId();
    for (const path of ["/uptime/channels/delete", "/uptime/channels/test"])
      expect(await post(path, { id }, other)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await post("/uptime/deliveries/list", { channelId: id }, other)).toMatchObject({ status: 404 });
    expect((await post("/uptime/channels/list", {}, other)).body).toMatchObject({ total: 0 });
    const reader = await createKey({ organizationId: website.organizationId, scopes: ["read:uptime"] });
    expect(await post("/uptime/channels/delete", { id }, { apiKey: reader })).toMatchObject({ status: 403 });
  });

  it("part 5: is shown to a key that is limited to websites only if their monitors notify it", async () => {
    const owner = await createWebsite();
    const [named, unnamed] = [await channelId(owner), await channelId(owner, "https://other.example.com/secret")];
    const apiKey = await createKey({ organizationId: owner.organizationId, websiteIds: [owner.websiteId] });
    const limited = { apiKey };
    const monitorOf = (name: string, channel: string, key: { apiKey: string }) => {
      const escalation = [{ channelIds: [channel], afterMinutes: 0 }];
      const body = { websiteId: owner.websiteId, url: "https://example.com", interval: "24h", name, escalation };
      return post("/uptime/monitors/create", body, key);
    };
    expect((await post("/uptime/channels/list", {}, limited)).body).toMatchObject({ total: 0 });
    expect(await monitorOf("own", named, limited)).toMatchObject({
      status: 400,
      body: { details: [{ field: "escalation[0].channelIds[0]" }] },
    });
    expect((await monitorOf("owner's", named, owner)).status).toBe(200);
    const listed = await post("/uptime/channels/list", {}, limited);
    expect(listed.body).toMatchObject({ total: 1, channels: [{ id: named }] });
    expect((await monitorOf("own", named, limited)).status).toBe(200);
    expect((await post("/uptime/channels/test", { id: named }, owner, withMail.baseUrl)).status).toBe(200);
    expect((await post("/uptime/deliveries/list", { channelId: unnamed }, limited)).status).toBe(404);
    expect((await post("/uptime/deliveries/list", { channelId: named }, limited)).body).toMatchObject({
      deliveries: [],
    });
    expect((await post("/uptime/deliveries/list", { channelId: named }, owner)).body).toMatchObject({
      deliveries: [{ event: "test" }],
    });
    expect((await post("/uptime/channels/list", {}, owner)).body).toMatchObject({ total: 2 });
  });

  it("is gone once it is deleted", async () => {
    const id = await channelId();
    expect(await post("/uptime/channels/delete", { id })).toMatchObject({ status: 200, body: { success: true } });
    for (const path of ["/uptime/channels/delete", "/uptime/channels/test"])
      expect(await post(path, { id })).toMatchObject({ status: 404 });
  });

  it("is tested; an address that is not public is refused at sending as well", async () => {
    // Created where the range is allowed; the worker of all tests refuses it.
    const id = await channelId(website, "http://127.0.0.1:9/hook");
    const tested = await post("/uptime/channels/test", { id });
    expect(tested).toMatchObject({ status: 200, body: { success: true, deliveryId: expect.stringMatching(/^msg_/) } });
    const { deliveryId } = tested.body as { deliveryId: string };
    const audited = await post("/audit/list", { objectId: id, action: "notification_channel.test" });
    expect(audited.body).toMatchObject({
      entries: [{ actorType: "api_key", objectType: "notification_channel", before: null, after: { deliveryId } }],
    });
    const list = async () =>
      ((await post("/uptime/deliveries/list", { channelId: id })).body as { deliveries: Record<string, unknown>[] })
        .deliveries;
    await expect.poll(async () => (await list())[0]?.["lastError"]).toMatch(/not public/);
    expect(await list()).toMatchObject([
      {
        id: deliveryId,
        channelId: id,
        monitorId: "",
        incidentId: "",
        event: "test",
        status: "pending",
        deliveredAt: null,
      },
    ]);
    await post("/uptime/channels/delete", { id });
    await expect.poll(async () => (await list())[0]?.["status"]).toBe("failed");
    expect((await list())[0]?.["lastError"]).toBe("the channel was deleted");
  });

  it("answers the same over gRPC", async () => {
    const client = createClient(NotificationChannelService, createGrpcTransport({ baseUrl: withMail.baseUrl }));
    const owner = await createWebsite();
    const headers = { authorization: `Bearer ${owner.apiKey}` };
    const made = await client.createNotificationChannel(
      { name: "Ops", kind: "webhook", target: "https://hooks.example.com/x" },
      { headers },
    );
    expect(made).toMatchObject({ channel: { target: "hooks.example.com" }, secret: expect.stringMatching(/^whsec_/) });
    expect(await client.listNotificationChannels({}, { headers })).toMatchObject({ total: 1 });
    const refused = await client
      .createNotificationChannel({ name: "Ops", kind: "webhook", target: "http://10.0.0.1/" }, { headers })
      .catch(ConnectError.from);
    expect(refused).toMatchObject({ code: Code.InvalidArgument, rawMessage: expect.stringContaining("target") });
    expect(await client.listDeliveries({ limit: 5 }, { headers })).toMatchObject({ deliveries: [] });
    const id = made.channel?.id ?? "";
    expect(await client.deleteNotificationChannel({ id }, { headers })).toMatchObject({ success: true });
    const gone = await client.testNotificationChannel({ id }, { headers }).catch(ConnectError.from);
    expect(gone).toMatchObject({ code: Code.NotFound });
  });
});

describe("maintenance windows", () => {
  const window = { title: "New disks", startsAt: "2030-01-01T10:00:00Z", endsAt: "2030-01-01T13:30:00+01:00" };

  it("is created, listed by start and deleted", async () => {
    const { websiteId, apiKey } = await createWebsite();
    const made = await post("/uptime/maintenance/create", { websiteId, ...window }, { apiKey });
    expect(made).toMatchObject({
      status: 200,
      body: {
        id: expect.any(String),
        websiteId,
        monitorIds: [],
        title: "New disks",
        startsAt: "2030-01-01T10:00:00.000Z",
        endsAt: "2030-01-01T12:30:00.000Z",
      },
    });
    const long = { websiteId, title: "Past", startsAt: "2020-01-01T00:00:00Z", endsAt: "2020-01-02T00:00:00Z" };
    await post("/uptime/maintenance/create", long, { apiKey });
    const early = { ...window, websiteId, title: "Earlier", startsAt: "2029-12-31T00:00:00Z" };
    await post("/uptime/maintenance/create", early, { apiKey });
    const listed = await post("/uptime/maintenance/list", { websiteId }, { apiKey });
    expect(listed.body).toMatchObject({ windows: [{ title: "Earlier" }, { title: "New disks" }] });
    const { id } = made.body as { id: string };
    expect(await post("/uptime/maintenance/delete", { id }, other)).toMatchObject({ status: 404 });
    expect(await post("/uptime/maintenance/delete", { id }, { apiKey })).toMatchObject({ body: { success: true } });
    expect(await post("/uptime/maintenance/delete", { id }, { apiKey })).toMatchObject({ status: 404 });
  });

  it.each([
    ["a beginning that is no time", { startsAt: "tomorrow" }, "startsAt"],
    ["a time without its offset", { startsAt: "2030-01-01T10:00:00" }, "startsAt"],
    ["a day that does not exist", { endsAt: "2030-02-30T10:00:00Z" }, "endsAt"],
    ["an end before the beginning", { endsAt: "2030-01-01T09:00:00Z" }, "endsAt"],
    ["more than 30 days", { endsAt: "2030-02-01T10:00:01Z" }, "endsAt"],
    ["an unknown monitor", { monitorIds: [randomUUID()] }, "monitorIds[0]"],
  ])("refuses %s and names the field", async (_name, change, field) => {
    const { websiteId } = website;
    expect(await post("/uptime/maintenance/create", { websiteId, ...window, ...change })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field }] },
    });
  });

  it("accepts the websites of its own organization only", async () => {
    const { websiteId } = other;
    const missing = { status: 404, body: { code: "NOT_FOUND" } };
    expect(await post("/uptime/maintenance/create", { websiteId, ...window })).toMatchObject(missing);
    expect(await post("/uptime/maintenance/list", { websiteId })).toMatchObject(missing);
  });

  it("answers the same over gRPC", async () => {
    const client = createClient(MaintenanceWindowService, createGrpcTransport({ baseUrl: withMail.baseUrl }));
    const { websiteId, apiKey } = await createWebsite();
    const headers = { authorization: `Bearer ${apiKey}` };
    const made = await client.createMaintenanceWindow({ websiteId, ...window }, { headers });
    expect(made).toMatchObject({ window: { startsAt: "2030-01-01T10:00:00.000Z" } });
    expect(await client.listMaintenanceWindows({ websiteId }, { headers })).toMatchObject({ windows: [{ websiteId }] });
    const id = made.window?.id ?? "";
    expect(await client.deleteMaintenanceWindow({ id }, { headers })).toMatchObject({ success: true });
    expect(await client.deleteMaintenanceWindow({ id }, { headers }).catch(ConnectError.from)).toMatchObject({
      code: Code.NotFound,
    });
  });
});
