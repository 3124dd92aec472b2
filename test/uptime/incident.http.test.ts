import pg from "pg";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { removeRowsOfWebsite } from "../../src/lifecycle/erasure/steps/removeWebsite.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../kit/stores/monitorFixture.ts";

const minuteMs = 60_000;

let website: TestWebsite;
let stranger: TestWebsite;
beforeAll(async () => {
  [website, stranger] = await Promise.all([createWebsite(), createWebsite()]);
});

const post = (path: string, body: unknown, { apiKey }: { apiKey: string } = website) =>
  send("POST", `/uptime/${path}`, { body, apiKey });

describe("4.11 one incident", () => {
  test("has its monitor, the checks around it by region, what was sent and its reports, and is nobody else's", async () => {
    const startMs = Math.floor(Date.now() / minuteMs) * minuteMs - 120 * minuteMs;
    const monitor = await insertMonitor(website, { name: "Shop", phaseMs: 0 });
    const endMs = startMs + 10 * minuteMs;
    const dues = Array.from({ length: 41 }, (_, index) => startMs + (index - 20) * minuteMs);
    await writeChecks(
      monitor,
      dues.flatMap((dueMs) =>
        ["eu-1", "local"].map((region) => {
          const isDown = dueMs >= startMs && dueMs < endMs;
          return { dueMs, region, status: isDown ? ("down" as const) : ("up" as const) };
        }),
      ),
    );
    const id = `${monitor.id}/${startMs}`;
    await inDatabase(async (database) => {
      await database.query(
        `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions, opened_at)
         VALUES ($1, $2, to_timestamp($3::float8 / 1000), to_timestamp($4::float8 / 1000), 'HTTP 503', 20, '{eu-1,local}', to_timestamp($3::float8 / 1000 + 60))`,
        [id, monitor.id, startMs, endMs],
      );
    });
    const channel = { name: "Ops", kind: "webhook", target: "https://hooks.example/ops" };
    const channelId = ((await post("channels/create", channel)).body as { channel: { id: string } }).channel.id;
    await inDatabase((database) =>
      database.query(
        `INSERT INTO deliveries (id, channel_id, organization_id, monitor_id, incident_id, event, message, status)
         VALUES ($1, $2, $3, $4, $5, 'incident.opened', '{}', 'delivered')`,
        [`msg_${startMs}`, channelId, website.organizationId, monitor.id, id],
      ),
    );
    const { body: page } = await post("status-pages/create", {
      websiteId: website.websiteId,
      slug: `incident-${startMs}-${website.websiteId.slice(0, 8)}`,
      title: "Status",
    });
    const { body: report } = await post("status-reports/create", {
      pageId: (page as { id: string }).id,
      title: "Orders fail",
      status: "investigating",
      text: "We look into it.",
      incidentId: id,
    });
    const { status, body } = await post("incidents/get", { id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      incident: { id, status: "resolved", firstError: "HTTP 503", regions: ["eu-1", "local"] },
      monitor: { id: monitor.id, name: "Shop", interval: "1m" },
      openedAt: new Date(startMs + minuteMs).toISOString(),
      hasMoreChecks: false,
      deliveries: [{ channelId, incidentId: id, event: "incident.opened", status: "delivered" }],
      reports: [{ id: (report as { id: string }).id, incidentId: id, title: "Orders fail" }],
    });
    const { checks } = body as { checks: { scheduledAt: string; probeRegion: string; status: string }[] };
    const isAround = (dueMs: number) => dueMs >= startMs - 5 * minuteMs && dueMs <= endMs + 5 * minuteMs;
    expect(checks.map(({ scheduledAt, probeRegion }) => [Date.parse(scheduledAt), probeRegion])).toEqual(
      dues.filter(isAround).flatMap((dueMs) => [
        [dueMs, "eu-1"],
        [dueMs, "local"],
      ]),
    );
    expect(await post("incidents/get", { id }, stranger)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
    expect(await post("incidents/get", { id: "none" })).toMatchObject({ status: 404 });
  });
});

describe("4.11 notes on an incident", () => {
  type Note = { readonly id: string; readonly text: string; readonly writtenBy: string; readonly writtenAt: string };

  /** An incident that is over. Its monitor has no checks. */
  async function overIncident(of: TestWebsite = website): Promise<string> {
    const monitor = await insertMonitor(of, { name: "Shop", phaseMs: 0 });
    const startMs = Math.floor(Date.now() / minuteMs) * minuteMs - 60 * minuteMs;
    const id = `${monitor.id}/${startMs}`;
    await inDatabase((database) =>
      database.query(
        `INSERT INTO incidents (id, monitor_id, started_at, resolved_at, first_error, checks_affected, regions)
         VALUES ($1, $2, to_timestamp($3::float8 / 1000), now(), 'HTTP 503', 3, '{local}')`,
        [id, monitor.id, startMs],
      ),
    );
    return id;
  }

  const write = async (incidentId: string, more: object): Promise<Note> => {
    const { status, body } = await post("incidents/notes/create", { incidentId, ...more });
    expect([status, body]).toMatchObject([200, { id: expect.any(String) }]);
    return body as Note;
  };
  const notesOf = async (id: string) => ((await post("incidents/get", { id })).body as { notes: Note[] }).notes;

  test("say who wrote what and when, oldest first, and a mistaken one is deleted", async () => {
    const id = await overIncident();
    const key = await send("POST", "/api-keys/create", {
      apiKey: website.apiKey,
      body: { name: "Night shift", scopes: ["write:uptime"] },
    });
    const apiKey = (key.body as { key: string }).key;
    const first = await post("incidents/notes/create", { incidentId: id, text: "  A disk is full. \n" }, { apiKey });
    expect(first).toMatchObject({ status: 200, body: { text: "A disk is full.", writtenBy: "Night shift" } });
    const second = await write(id, { text: "<b>New disk</b>\nordered", by: "Ada" });
    expect(await notesOf(id)).toEqual([first.body, second]);
    expect(second).toMatchObject({ text: "<b>New disk</b>\nordered", writtenBy: "Ada" });
    expect(new Date(second.writtenAt).toISOString()).toBe(second.writtenAt);
    expect((await post("incidents/notes/delete", { id: second.id })).body).toEqual({ success: true });
    expect(await notesOf(id)).toEqual([first.body]);
    expect(await post("incidents/notes/delete", { id: second.id })).toMatchObject({ status: 404 });
    const { body } = await send("POST", "/audit/list", { apiKey: website.apiKey, body: { limit: 50 } });
    const entries = (body as { entries: { action: string; objectId: string }[] }).entries.filter(
      ({ objectId }) => objectId === id,
    );
    expect(entries.map(({ action }) => action)).toEqual([
      "incident.delete_note",
      "incident.create_note",
      "incident.create_note",
    ]);
    expect(JSON.stringify(entries)).not.toContain("New disk");
  });

  test("need a text, and are out of reach of others and of keys that only read", async () => {
    const id = await overIncident();
    expect(await post("incidents/notes/create", { incidentId: id, text: " \n" })).toMatchObject({
      status: 400,
      body: { details: [{ field: "text", message: "must not be blank" }] },
    });
    expect(await post("incidents/notes/create", { incidentId: id, text: "x".repeat(5_001) })).toMatchObject({
      status: 400,
      body: { details: [{ field: "text" }] },
    });
    expect(await post("incidents/notes/create", { incidentId: "none", text: "A" })).toMatchObject({ status: 404 });
    const note = await write(id, { text: "A" });
    expect(await post("incidents/notes/create", { incidentId: id, text: "B" }, stranger)).toMatchObject({
      status: 404,
    });
    expect(await post("incidents/notes/delete", { id: note.id }, stranger)).toMatchObject({ status: 404 });
    const { body } = await send("POST", "/api-keys/create", {
      apiKey: website.apiKey,
      body: { name: "Reader", scopes: ["read:uptime"] },
    });
    const reader = { apiKey: (body as { key: string }).key };
    expect(await post("incidents/notes/create", { incidentId: id, text: "B" }, reader)).toMatchObject({ status: 403 });
    expect(await post("incidents/notes/delete", { id: note.id }, reader)).toMatchObject({ status: 403 });
    expect(await notesOf(id)).toEqual([note]);
  });

  test("are at most 200, and go with the website", async () => {
    const own = await createWebsite();
    const id = await overIncident(own);
    await inDatabase((database) =>
      database.query(
        "INSERT INTO incident_notes (id, incident_id, text, written_by) SELECT $1 || n, $1, 'A', 'Ada' FROM generate_series(1, 200) AS n",
        [id],
      ),
    );
    expect(await post("incidents/notes/create", { incidentId: id, text: "B" }, own)).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    const { body } = await post("incidents/get", { id }, own);
    expect((body as { notes: Note[] }).notes.length).toBe(200);
    const database = new pg.Pool({ connectionString: inject("lookout").databaseUrl, max: 1 });
    try {
      await removeRowsOfWebsite(database, own.websiteId);
      const { rows } = await database.query("SELECT 1 FROM incident_notes WHERE incident_id = $1", [id]);
      expect(rows).toEqual([]);
    } finally {
      await database.end();
    }
  });
});

describe("4.6 checks outside of the schedule", () => {
  const options = (more: object = {}) => ({
    websiteId: website.websiteId,
    url: "https://shop.invalid/health",
    interval: "24h",
    ...more,
  });
  const make = async () => ((await post("monitors/create", options())).body as { id: string }).id;

  test("a name that does not resolve is down with its reason, and nothing is stored", async () => {
    const id = await make();
    const { status, body } = await post("monitors/check", { id });
    expect([status, body]).toMatchObject([
      200,
      { status: "down", httpCode: 0, probeRegion: "local", sslExpiry: null, assertions: [] },
    ]);
    expect((body as { error: string }).error).toBe("the host name is unknown");
    expect((await post("checks/recent", { monitorId: id })).body).toEqual({ checks: [] });
    expect((await post("status", { monitorId: id })).body).toMatchObject({ status: "unknown", lastCheckAt: null });
    expect(await post("monitors/check", { id }, stranger)).toMatchObject({ status: 404 });
  });

  test("options that are not saved are tested, of a new monitor and of changes to one", async () => {
    const id = await make();
    const fresh = await post("monitors/test", { monitor: options({ url: "https://other.invalid/" }) });
    expect([fresh.status, fresh.body]).toMatchObject([200, { status: "down", error: "the host name is unknown" }]);
    const kept = await post("monitors/test", { changes: { id, method: "HEAD" } });
    expect([kept.status, kept.body]).toMatchObject([200, { status: "down", error: "the host name is unknown" }]);
    expect(await post("monitors/test", { changes: { id, url: "http://10.0.0.1/" } })).toMatchObject({
      status: 400,
      body: { details: [{ field: "url" }] },
    });
    expect((await post("monitors/get", { id })).body).toMatchObject({
      url: "https://shop.invalid/health",
      method: "GET",
    });
  });

  test("private addresses are refused, and so are wrong options, both at once, and websites of others", async () => {
    expect(await post("monitors/test", { monitor: options({ url: "http://127.0.0.1:1/" }) })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field: "url" }] },
    });
    expect(await post("monitors/test", { monitor: options({ url: "http://169.254.169.254/" }) })).toMatchObject({
      status: 400,
    });
    expect(await post("monitors/test", {})).toMatchObject({ status: 400, body: { details: [{ field: "monitor" }] } });
    const both = { monitor: options(), changes: { id: await make() } };
    expect(await post("monitors/test", both)).toMatchObject({ status: 400 });
    expect(await post("monitors/test", { monitor: options() }, stranger)).toMatchObject({ status: 404 });
    expect(await post("monitors/test", { monitor: options({ regions: ["moon-1"] }) })).toMatchObject({
      body: { details: [{ field: "regions[0]" }] },
    });
  });

  test("an organization has 20 of them a minute", async () => {
    const own = await createWebsite();
    const { body } = await post("monitors/create", { ...options(), websiteId: own.websiteId }, own);
    const { id } = body as { id: string };
    const answers = [];
    for (let index = 0; index < 45; index += 1) answers.push(await post("monitors/check", { id }, own));
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 429, body: { code: "RATE_LIMIT_EXCEEDED", limit: 20 } });
  });
});
