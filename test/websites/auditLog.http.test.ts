import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, expect, inject, test } from "vitest";
import { AuditService } from "../../src/gen/lookout/v1/audit_log_pb.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let owner: TestWebsite;

beforeAll(async () => {
  owner = await createWebsite();
});

type Key = { apiKey: string };
type Entry = { id: string; action: string; before: Record<string, unknown>; after: Record<string, unknown> };
type Page = { entries: Entry[]; nextCursor: string | null };

const post = (path: string, body: unknown, { apiKey }: Key = owner) => send("POST", path, { body, apiKey });

async function list(body: object, key: Key = owner): Promise<Page> {
  const answer = await post("/audit/list", body, key);
  expect(answer.status).toBe(200);
  return answer.body as Page;
}

async function makeWebsite(): Promise<string> {
  const { body } = await post("/websites/create", { name: "Shop", domain: "shop.example" });
  return (body as { id: string }).id;
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("the audit log shows who did what to a website, when, and its fields before and after, newest first", async () => {
  const id = await makeWebsite();
  const update = await post("/websites/update", { id, name: "New", domain: "shop.example" });
  await post("/websites/retention", { id, retention: { rawEventsDays: 30 } });
  await post("/websites/delete", { id });
  await post("/websites/restore", { id });
  const { entries, nextCursor } = await list({ objectId: id });
  expect(nextCursor).toBeNull();
  expect(entries).toMatchObject([
    { action: "website.restore", before: { deletedAt: instant }, after: { deletedAt: null, monitorsStarted: [] } },
    { action: "website.delete", before: { deletedAt: null }, after: { deletedAt: instant, monitorsStopped: [] } },
    {
      action: "website.retention",
      before: { pendingRetention: null },
      after: { pendingRetention: { rawEventsDays: 30, effectiveAt: instant } },
    },
    { action: "website.update" },
    { action: "website.create", before: null, after: { name: "Shop", domain: "shop.example", timezone: "UTC" } },
  ]);
  const keyId = await inDatabase(
    async (database) =>
      (await database.query("SELECT id FROM api_keys WHERE organization_id = $1", [owner.organizationId])).rows[0].id,
  );
  expect(entries[3]).toEqual({
    id: expect.stringMatching(/^\d+$/),
    at: instant,
    actorType: "api_key",
    actorId: keyId,
    actorName: "Test",
    action: "website.update",
    objectType: "website",
    objectId: id,
    websiteId: id,
    before: { name: "Shop" },
    after: { name: "New" },
    requestId: update.headers.get("x-request-id"),
  });
});

test("concurrent changes are each recorded with the one before, so none was lost", async () => {
  const id = await makeWebsite();
  const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
  await Promise.all(names.map((name) => post("/websites/update", { id, name })));
  const { entries } = await list({ objectId: id, action: "website.update" });
  const oldestFirst = entries.toReversed();
  expect(oldestFirst.map(({ after }) => String(after["name"])).sort()).toEqual([...names].sort());
  expect(oldestFirst.map(({ before }) => before["name"])).toEqual([
    "Shop",
    ...oldestFirst.slice(0, -1).map(({ after }) => after["name"]),
  ]);
  expect((await post("/websites/get", { id })).body).toMatchObject({ name: oldestFirst.at(-1)?.after["name"] });
});

test("refused calls and calls that change nothing leave no entry", async () => {
  const id = await makeWebsite();
  await post("/websites/update", { id, name: "New", timezone: "Nowhere" });
  await post("/websites/update", { id, name: "Shop" });
  await post("/websites/restore", { id });
  expect((await list({ objectId: id })).entries).toMatchObject([{ action: "website.create" }]);
});

test("pages follow one another by their cursors and have each entry once", async () => {
  const id = await makeWebsite();
  for (const name of ["a", "b", "c", "d"]) await post("/websites/update", { id, name });
  const whole = await list({ objectId: id });
  const walked: Entry[] = [];
  const sizes: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Page = await list({ objectId: id, limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    walked.push(...page.entries);
    sizes.push(page.entries.length);
    cursor = page.nextCursor;
    // New entries come before the following pages.
    if (cursor !== null) await post("/websites/update", { id, name: `later ${cursor}` });
  }
  expect(sizes).toEqual([2, 2, 1]);
  expect(walked).toEqual(whole.entries);
  for (const cursor of ["x", "-1", "1;", "9".repeat(30)])
    expect(await post("/audit/list", { cursor })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field: "cursor" }] },
    });
  expect(await post("/audit/list", { limit: 1_001 })).toMatchObject({ status: 400 });
});

test("5: the log is the organization's, needs admin, and a limited key sees its websites' entries", async () => {
  const [mine, hidden] = [await makeWebsite(), await makeWebsite()];
  const other = await createWebsite();
  expect((await list({}, other)).entries).toEqual([]);
  expect((await list({ objectId: mine }, other)).entries).toEqual([]);
  const { organizationId } = owner;
  const limited = { apiKey: await createKey({ organizationId, websiteIds: [mine] }) };
  const seen = await list({ limit: 1_000 }, limited);
  expect(seen.entries).toMatchObject([{ action: "website.create", objectId: mine }]);
  expect((await list({ websiteId: hidden }, limited)).entries).toEqual([]);
  expect((await list({ websiteId: hidden })).entries).toMatchObject([{ objectId: hidden }]);
  const reader = { apiKey: await createKey({ organizationId, scopes: ["read:data", "update", "delete"] }) };
  expect(await post("/audit/list", {}, reader)).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
});

test("the audit log over gRPC", async () => {
  const id = await makeWebsite();
  const audit = createClient(AuditService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const { entries, nextCursor } = await audit.listAuditLog(
    { objectId: id },
    { headers: { "x-api-key": owner.apiKey } },
  );
  expect(nextCursor).toBeUndefined();
  expect(entries).toMatchObject([{ action: "website.create", after: { name: "Shop" } }]);
  expect(entries[0]?.before).toBeUndefined();
});
