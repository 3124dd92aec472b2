import { randomUUID } from "node:crypto";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { UptimeService } from "../../../src/gen/lookout/v1/uptime_pb.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";

let website: TestWebsite;
let other: TestWebsite;

beforeAll(async () => {
  [website, other] = await Promise.all([createWebsite(), createWebsite()]);
});

const post = (path: string, body: unknown, { apiKey }: { apiKey: string } = website) =>
  send("POST", `/uptime/${path}`, { body, apiKey });

/** Names below .invalid never resolve, so no check leaves the machine. */
const url = "https://shop.invalid/health";

async function create(more: Record<string, unknown> = {}): Promise<Record<string, unknown> & { id: string }> {
  const answer = await post("monitors/create", { websiteId: website.websiteId, url, interval: "24h", ...more });
  expect(answer.body).toMatchObject({ id: expect.any(String) });
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown> & { id: string };
}

describe("4.6 create", () => {
  test("answers the monitor with the defaults of part 2", async () => {
    const made = await create();
    expect(made).toMatchObject({
      websiteId: website.websiteId,
      url,
      interval: "24h",
      timeout: 30_000,
      cacheBust: false,
      status: "active",
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
      name: "shop.invalid",
      method: "GET",
      expectedStatus: ["200-299"],
      regions: ["local"],
      openAfter: 2,
    });
    const now = await post("status", { monitorId: made.id });
    expect(now.body).toMatchObject({
      status: "unknown",
      lastCheckAt: null,
      uptime: { "24h": 0, "7d": 0, "30d": 0, "90d": 0 },
    });
    const { nextCheckAt } = now.body as { nextCheckAt: string };
    expect(Date.parse(nextCheckAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
  });

  test("a monitor of an earlier version has the defaults of the options that it lacks", async () => {
    const made = await create({ keyword: "ok" });
    await inDatabase((database) =>
      database.query("UPDATE monitors SET options = options - 'openAfter' - 'escalation' WHERE id = $1", [made.id]),
    );
    const { body } = await post("monitors/get", { id: made.id });
    expect(body).toEqual(made);
  });

  test("does not show secrets of headers and body", async () => {
    const made = await create({ method: "POST", headers: { Authorization: "Bearer s3cret" }, body: "s3cret" });
    expect(made).toMatchObject({ method: "POST", headerNames: ["Authorization"], hasBody: true });
    expect(JSON.stringify(made)).not.toContain("s3cret");
  });

  test("7: what it sends is stored encrypted, and an update of other fields keeps it", async () => {
    const secretUrl = `${url}?token=s3cret`;
    const made = await create({ url: secretUrl, method: "POST", headers: { "X-Token": "s3cret" }, body: "s3cret" });
    const row = async () =>
      (await inDatabase((database) => database.query("SELECT * FROM monitors WHERE id = $1", [made.id]))).rows[0];
    const first = await row();
    expect(first).toMatchObject({ shown_url: url, url: "", secrets: expect.stringMatching(/^lk1\./) });
    const { body } = await post("monitors/update", { id: made.id, name: "renamed" });
    expect(body).toMatchObject({ name: "renamed", url: secretUrl, headerNames: ["X-Token"], hasBody: true });
    const second = await row();
    expect(second.secrets).not.toBe(first.secrets);
    expect(JSON.stringify([first, second])).not.toContain("s3cret");
    expect((await post("monitors/list", { websiteId: website.websiteId })).body).toMatchObject({
      monitors: expect.arrayContaining([expect.objectContaining({ id: made.id, url: secretUrl })]),
    });
  });

  test("4.8: an update empties headers and escalation where it says so, and not what it gives", async () => {
    const channel = { name: "On call", kind: "webhook", target: "https://hooks.example/on-call" };
    const { body: shown } = await post("channels/create", channel);
    const channelId = (shown as { channel: { id: string } }).channel.id;
    const escalation = [{ channelIds: [channelId], afterMinutes: 0 }];
    const made = await create({ headers: { "X-Token": "s3cret" }, escalation });
    const { body: kept } = await post("monitors/update", { id: made.id, headers: {}, escalation: [] });
    expect(kept).toMatchObject({ headerNames: ["X-Token"], escalation });
    const both = await post("monitors/update", { id: made.id, escalation, clear: ["escalation"] });
    expect(both.status).toBe(400);
    expect(both.body).toMatchObject({
      details: [{ field: "clear", message: "must not name escalation, which is given" }],
    });
    const wrong = await post("monitors/update", { id: made.id, clear: ["header"] });
    expect(wrong.body).toMatchObject({ details: [{ field: "clear[0]", suggestion: "headers" }] });
    const { body: empty } = await post("monitors/update", { id: made.id, clear: ["headers", "escalation"] });
    expect(empty).toMatchObject({ headerNames: [], escalation: [] });
  });

  test.each([
    ["2m", "1m"],
    ["10m", "15m"],
    ["45m", "1h"],
    ["1d", "24h"],
    ["90s", "1m"],
    ["5 min", "5m"],
    ["hourly", undefined],
  ])("an interval of %s is refused and %s suggested", async (interval, suggestion) => {
    const { status, body } = await post("monitors/create", { websiteId: website.websiteId, url, interval });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field: "interval" }] });
    const { details } = body as { details: { message: string; suggestion?: string }[] };
    expect(details[0]?.message).toContain("24h");
    expect(details[0]?.suggestion).toBe(suggestion);
  });

  test.each([
    ["url", { url: "ftp://shop.invalid/" }],
    ["url", { url: "shop.invalid" }],
    ["url", { url: "https://user:word@shop.invalid/" }],
    ["url", { url: "http://127.0.0.1:80/" }],
    ["url", { url: "http://[::1]/" }],
    ["url", { url: "http://169.254.169.254/latest/meta-data" }],
    ["timeout", { timeout: 999 }],
    ["timeout", { timeout: 120_001 }],
    ["method", { method: "TRACE" }],
    ["expectedStatus[0]", { expectedStatus: ["299-200"] }],
    ["expectedStatus[0]", { expectedStatus: ["999"] }],
    ["headers.Host Name", { headers: { "Host Name": "x" } }],
    ["headers.Content-Length", { headers: { "Content-Length": "1" } }],
    ["regions[0]", { regions: ["mars-1"] }],
    ["escalation[0].channelIds[0]", { escalation: [{ channelIds: ["nobody"], afterMinutes: 0 }] }],
    ["jsonParsingConfig.assertions[0].path", { jsonParsingConfig: { assertions: [{ path: "$..status" }] } }],
    ["name", { name: "a\u0000b" }],
    ["keyword", { keyword: "a\u0000b" }],
  ])("an invalid %s is named: %j", async (field, more) => {
    const { status, body } = await post("monitors/create", {
      websiteId: website.websiteId,
      url,
      interval: "1h",
      ...more,
    });
    expect(body).toMatchObject({ code: "VALIDATION_ERROR", details: [{ field }] });
    expect(status).toBe(400);
  });

  test.each([
    ["equals", { path: "$.status", equals: "ok" }, "value"],
    ["vlaue", { path: "$.status", operator: "eq", vlaue: "ok" }, "value"],
    ["operater", { path: "$.status", operater: "eq", value: "ok" }, "operator"],
    ["value", { path: "$.status", value: "ok" }, undefined],
    ["value", { path: "$.count", operator: "gt", value: "5" }, undefined],
    ["value", { path: "$.count", operator: "eq" }, undefined],
  ])("jsonParsingConfig: an invalid %s of an assertion is named: %j", async (member, assertion, suggestion) => {
    const jsonParsingConfig = { assertions: [assertion] };
    const { status, body } = await post("monitors/create", {
      websiteId: website.websiteId,
      url,
      interval: "1h",
      jsonParsingConfig,
    });
    expect(status).toBe(400);
    const { details } = body as { details: { field: string; suggestion?: string }[] };
    expect(details[0]).toMatchObject({ field: `jsonParsingConfig.assertions[0].${member}` });
    expect(details[0]?.suggestion).toBe(suggestion);
  });

  test.each([1_000, 120_000])("a timeout of %i ms is accepted", async (timeout) => {
    expect(await create({ timeout })).toMatchObject({ timeout });
  });
});

describe("4.7 to 4.9 list, update, pause, resume, delete", () => {
  test("a website's monitors are listed, oldest first", async () => {
    const owner = await createWebsite();
    for (const name of ["one", "two"])
      await post("monitors/create", { websiteId: owner.websiteId, url, interval: "24h", name }, owner);
    const { body } = await post("monitors/list", { websiteId: owner.websiteId }, owner);
    expect(body).toMatchObject({ monitors: [{ name: "one" }, { name: "two" }], total: 2 });
  });

  test("an update changes the sent fields and keeps the rest", async () => {
    const { id } = await create({ headers: { "x-a": "1" }, keyword: "ok" });
    const { body } = await post("monitors/update", { id, interval: "12h", timeout: 5_000 });
    expect(body).toMatchObject({ id, interval: "12h", timeout: 5_000, keyword: "ok", headerNames: ["x-a"], url });
    expect((await post("monitors/get", { id })).body).toEqual(body);
    const wrong = await post("monitors/update", { id, interval: "13h" });
    expect(wrong.body).toMatchObject({ details: [{ field: "interval", suggestion: "12h" }] });
  });

  test("a monitor is paused, resumed and deleted, and its checked times are recorded", async () => {
    const { id } = await create();
    expect((await post("monitors/pause", { id })).body).toMatchObject({ id, status: "paused" });
    expect((await post("monitors/pause", { id })).body).toMatchObject({ id, status: "paused" });
    expect((await post("status", { monitorId: id })).body).toMatchObject({ nextCheckAt: null });
    expect((await post("monitors/resume", { id })).body).toMatchObject({ id, status: "active" });
    expect((await post("monitors/delete", { id })).body).toEqual({ success: true });
    expect(await post("monitors/get", { id })).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    const { rows } = await inDatabase((database) =>
      database.query("SELECT until_at IS NOT NULL AS over FROM monitor_schedules WHERE monitor_id = $1", [id]),
    );
    expect(rows).toEqual([{ over: true }, { over: true }]);
  });
});

describe("part 5 access", () => {
  test.each([
    ["monitors/get", "id"],
    ["monitors/update", "id"],
    ["monitors/delete", "id"],
    ["monitors/pause", "id"],
    ["monitors/resume", "id"],
    ["status", "monitorId"],
    ["checks/recent", "monitorId"],
    ["history", "monitorId"],
    ["incidents", "monitorId"],
  ])("%s: another organization's monitor is answered like an unknown one", async (path, field) => {
    const { id } = await create();
    const isRange = path === "history" || path === "incidents";
    const dates = isRange ? { dateFrom: "2026-01-01", dateTo: "2026-01-02" } : {};
    const foreign = await post(path, { [field]: id, ...dates }, other);
    const missing = await post(path, { [field]: randomUUID(), ...dates }, other);
    const withNul = await post(path, { [field]: `${id}\u0000`, ...dates }, other);
    expect(withNul).toMatchObject({ status: 400, body: { details: [{ field }] } });
    expect(foreign).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect({ ...(missing.body as object), requestId: "" }).toEqual({ ...(foreign.body as object), requestId: "" });
  });

  test("reading needs read:uptime, changing write:uptime", async () => {
    const { id } = await create();
    const reader = { apiKey: await createKey({ organizationId: website.organizationId, scopes: ["read:uptime"] }) };
    expect((await post("monitors/get", { id }, reader)).status).toBe(200);
    expect(await post("monitors/pause", { id }, reader)).toMatchObject({ status: 403 });
    const elsewhere = {
      apiKey: await createKey({ organizationId: website.organizationId, websiteIds: [other.websiteId] }),
    };
    expect((await post("monitors/get", { id }, elsewhere)).status).toBe(404);
  });

  test("gRPC calls the same handlers", async () => {
    const transport = createGrpcTransport({ baseUrl: inject("lookout").baseUrl });
    const client = createClient(UptimeService, transport);
    const headers = { authorization: `Bearer ${website.apiKey}` };
    const { monitor } = await client.createMonitor({ websiteId: website.websiteId, url, interval: "24h" }, { headers });
    expect(monitor).toMatchObject({ interval: "24h", status: "active", timeout: 30_000 });
    const answer = await client.getStatus({ monitorId: monitor?.id ?? "" }, { headers });
    expect(answer).toMatchObject({ status: "unknown", uptime: { last24h: 0 } });
    const wrong = client.createMonitor({ websiteId: website.websiteId, url, interval: "2m" }, { headers });
    const error = await wrong.catch((reason: unknown) => ConnectError.from(reason));
    expect(error).toMatchObject({ code: Code.InvalidArgument, message: expect.stringContaining("interval") });
  });
});
