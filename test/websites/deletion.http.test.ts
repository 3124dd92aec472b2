import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import * as calls from "../kit/calls/websiteCalls.ts";
import { instant, pageView, type ShownWebsite, sendEvents } from "../kit/calls/websiteCalls.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let owner: TestWebsite;
let other: TestWebsite;

beforeAll(async () => {
  [owner, other] = await Promise.all([createWebsite(), createWebsite()]);
});

const post = (path: string, body: unknown) => calls.post(path, body, owner);
const create = () => calls.create({}, owner);
const get = async (id: string) => (await post("get", { id })).body as ShownWebsite;
const deleteDaysAgo = (id: string, days: number) =>
  inDatabase((database) =>
    database.query("UPDATE websites SET deleted_at = now() - $2 * interval '1 day' WHERE id = $1", [id, days]),
  );

describe("4.16, part 3: delete and restore", () => {
  test("a deleted website takes no events in any process, is in no list, stays queryable and can be restored", async () => {
    const server = await startOwnServer(handlers);
    try {
      const made = await create();
      for (const baseUrl of [undefined, server.baseUrl])
        expect(await sendEvents(made.clientId, [pageView()], baseUrl)).toMatchObject({ status: 200 });

      const { status, body } = await post("delete", { id: made.id });
      expect({ status, body }).toEqual({ status: 200, body: { success: true } });

      const refused = { status: 404, body: { code: "NOT_FOUND" } };
      for (const id of [made.id, made.clientId])
        expect(await sendEvents(id, [pageView()]), "in the process that deleted it at once").toMatchObject(refused);
      await vi.waitFor(
        async () => expect(await sendEvents(made.clientId, [pageView()], server.baseUrl)).toMatchObject(refused),
        { timeout: 100_000 },
      );
      expect((await post("list", {})).body).not.toMatchObject({
        websites: expect.arrayContaining([expect.objectContaining({ id: made.id })]),
      });
      const listed = await send("GET", "/v1/query/websites", { apiKey: owner.apiKey });
      expect(JSON.stringify(listed.body)).not.toContain(made.id);
      const views = async () => {
        const query = { preset: "today", parameters: ["summary_metrics"] };
        const answer = await send("POST", `/v1/query?website_id=${made.id}`, { body: query, apiKey: owner.apiKey });
        return (answer.body as { data: { data: { pageviews: number }[] }[] }).data[0]?.data[0]?.pageviews;
      };
      await expect.poll(views).toBeGreaterThanOrEqual(2);
      expect(await get(made.id)).toMatchObject({ deletedAt: instant });

      const restored = await post("restore", { id: made.id });
      expect(restored).toMatchObject({ status: 200, body: { id: made.id, deletedAt: null } });
      expect(await sendEvents(made.clientId, [pageView()])).toMatchObject({ status: 200 });
      await vi.waitFor(
        async () =>
          expect(await sendEvents(made.clientId, [pageView()], server.baseUrl)).toMatchObject({ status: 200 }),
        { timeout: 100_000 },
      );
      expect((await post("list", {})).body).toMatchObject({
        websites: expect.arrayContaining([expect.objectContaining({ id: made.id })]),
      });
    } finally {
      await server.close();
    }
  });

  test("a website can be restored until 90 days after its deletion", async () => {
    const { id } = await create();
    await post("delete", { id });
    const deletedIds = async () => {
      const { websites } = (await post("list", { deleted: true })).body as { websites: ShownWebsite[] };
      return websites.map((website) => website.id);
    };
    expect(await deletedIds()).toContain(id);
    await deleteDaysAgo(id, 90.001);
    expect(await deletedIds()).not.toContain(id);
    const gone = { status: 404, body: { code: "NOT_FOUND" } };
    expect(await post("restore", { id })).toMatchObject(gone);
    expect(await post("get", { id })).toMatchObject(gone);
    await deleteDaysAgo(id, 89.99);
    expect(await post("restore", { id })).toMatchObject({ status: 200, body: { deletedAt: null } });
    expect(await deletedIds()).not.toContain(id);
    const live = await get(id);
    expect(await post("restore", { id }), "a live one stays as it is").toMatchObject({ status: 200, body: live });
  });

  test("7.7: unknown, deleted and other organizations' websites are answered {error, code}, and nothing else", async () => {
    const deleted = await create();
    await post("delete", { id: deleted.id });
    for (const id of [randomUUID(), deleted.id, other.websiteId]) {
      const answer = await post("delete", { id });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        error: expect.stringContaining("POST /websites/"),
        code: "NOT_FOUND",
        requestId: answer.headers.get("x-request-id"),
      });
    }
  });

  test("stops the active monitors; the restoration starts these again", async () => {
    const { id } = await create();
    const monitor = async (more: object) => {
      const body = { websiteId: id, url: "https://shop.invalid/", interval: "24h", ...more };
      return (await send("POST", "/uptime/monitors/create", { body, apiKey: owner.apiKey })).body as { id: string };
    };
    const uptime = (path: string, body: object) =>
      send("POST", `/uptime/monitors/${path}`, { body, apiKey: owner.apiKey });
    const [active, paused] = await Promise.all([monitor({ name: "a" }), monitor({ name: "b" })]);
    await uptime("pause", { id: paused.id });
    const stateOf = async () =>
      await inDatabase(async (database) => {
        const { rows } = await database.query<{ status: string; notified: boolean; times: number }>(
          `SELECT status, notified_revision = revision AS notified,
             (SELECT count(*)::int FROM monitor_schedules WHERE monitor_id = id AND until_at IS NULL) AS times
           FROM monitors WHERE website_id = $1 ORDER BY options ->> 'name'`,
          [id],
        );
        return rows;
      });

    await post("delete", { id });
    expect(await stateOf()).toEqual([
      { status: "stopped", notified: true, times: 0 },
      { status: "paused", notified: true, times: 0 },
    ]);
    for (const monitorId of [active.id, paused.id])
      expect(await uptime("resume", { id: monitorId })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect(await uptime("update", { id: active.id, status: "active" })).toMatchObject({ status: 409 });

    await post("restore", { id });
    expect(await stateOf()).toEqual([
      { status: "active", notified: true, times: 1 },
      { status: "paused", notified: true, times: 0 },
    ]);
    expect(await uptime("resume", { id: paused.id })).toMatchObject({ status: 200, body: { status: "active" } });
  });

  test("no monitor stays active if monitors are created while their website is deleted", async () => {
    const { id } = await create();
    const body = { websiteId: id, url: "https://shop.invalid/", interval: "24h" };
    const make = () => send("POST", "/uptime/monitors/create", { body, apiKey: owner.apiKey });
    const answers = await Promise.all([make(), make(), post("delete", { id }), make(), make()]);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 404, 409].includes(status))).toEqual([]);
    const { rows } = await inDatabase((database) =>
      database.query("SELECT id FROM monitors WHERE website_id = $1 AND status = 'active'", [id]),
    );
    expect(rows).toEqual([]);
  });

  test("a deleted website cannot be changed", async () => {
    const { id } = await create();
    await post("delete", { id });
    for (const [path, more] of [
      ["update", { name: "New" }],
      ["retention", { retention: { rawEventsDays: 30 } }],
    ] as const)
      expect(await post(path, { id, ...more })).toMatchObject({
        status: 404,
        body: { success: false, code: "NOT_FOUND", error: expect.stringContaining("/websites/restore") },
      });
  });
});
