import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { ApiKeyService } from "../../src/gen/lookout/v1/api_keys_pb.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type ApiProcess, startApiProcess } from "../kit/stack/apiProcess.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let owner: TestWebsite;
let second: ApiProcess;

beforeAll(async () => {
  owner = await createWebsite();
  second = await startApiProcess({}, { values: { access: { keyUseMs: 100 } } });
});

afterAll(() => second?.stop());

type ShownKey = { id: string; name: string; prefix: string; expiresAt: string | null; revokedAt: string | null };
type Made = { apiKey: ShownKey; key: string };

const post = (path: string, body: unknown, apiKey = owner.apiKey, baseUrl?: string) =>
  send("POST", `/api-keys/${path}`, { body, apiKey, ...(baseUrl === undefined ? {} : { baseUrl }) });

async function make(body: object = {}, apiKey = owner.apiKey): Promise<Made> {
  const answer = await post("create", { name: "Reader", scopes: ["read:data"], ...body }, apiKey);
  expect(answer.body).toMatchObject({ key: expect.any(String) });
  return answer.body as Made;
}

const listed = async (apiKey = owner.apiKey) => (await post("list", {}, apiKey)).body as { apiKeys: ShownKey[] };

/** The HTTP status and error code of a query with a key. */
async function query(apiKey: string, websiteId = owner.websiteId, baseUrl?: string): Promise<[number, unknown]> {
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, {
    body: { parameters: ["page_views"], preset: "today" },
    apiKey,
    ...(baseUrl === undefined ? {} : { baseUrl }),
  });
  return [answer.status, (answer.body as { code?: string }).code];
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

test("part 5: a created key is shown once, works at once, and is stored only as a hash", async () => {
  const { apiKey, key } = await make();
  expect(apiKey).toEqual({
    id: expect.any(String),
    name: "Reader",
    prefix: key.slice(0, 9),
    scopes: ["read:data"],
    websiteIds: [],
    createdAt: instant,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  });
  expect(await query(key)).toEqual([200, undefined]);
  expect((await listed()).apiKeys).toContainEqual(expect.objectContaining({ id: apiKey.id }));
  expect(JSON.stringify(await listed())).not.toContain(key);
  const stored = await inDatabase((database) =>
    database.query(
      "SELECT k::text || coalesce(a.after::text, '') AS all FROM api_keys k, audit_log a WHERE a.object_id = k.id AND k.id = $1",
      [apiKey.id],
    ),
  );
  expect(stored.rows).toHaveLength(1);
  expect(stored.rows[0].all).not.toContain(key.slice(9));
});

test("part 5: a typing error in a key is distinguished from an unknown key", async () => {
  const { key } = await make();
  const last = key.at(-1) === "A" ? "B" : "A";
  const swapped = key.slice(0, 12) + key[13] + key[12] + key.slice(14);
  for (const mistyped of [key.slice(0, -1) + last, key.slice(0, -1), ...(key[12] === key[13] ? [] : [swapped])]) {
    const answer = await post("list", {}, mistyped);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: "INVALID_API_KEY", error: expect.stringMatching(/typing error/) });
  }
});

test("part 5: a revoked and a rotated key stop in every process, and the new text works", async () => {
  const revoked = await make();
  const rotated = await make();
  for (const { key } of [revoked, rotated])
    expect(await query(key, undefined, second.baseUrl)).toEqual([200, undefined]);
  const revocation = await post("revoke", { id: revoked.apiKey.id });
  expect(revocation.body).toMatchObject({ id: revoked.apiKey.id, revokedAt: instant });
  const rotation = (await post("rotate", { id: rotated.apiKey.id })).body as Made;
  for (const { key } of [revoked, rotated])
    for (const baseUrl of [undefined, second.baseUrl])
      await expect.poll(() => query(key, undefined, baseUrl)).toEqual([401, "INVALID_API_KEY"]);
  expect(await query(rotation.key, undefined, second.baseUrl)).toEqual([200, undefined]);
  expect(rotation.apiKey.id).toBe(rotated.apiKey.id);
  const again = await post("revoke", { id: revoked.apiKey.id });
  expect(again.body).toMatchObject({ revokedAt: (revocation.body as ShownKey).revokedAt });
  expect(await post("rotate", { id: revoked.apiKey.id })).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
});

test("part 5: a key stops working when it expires, and the answer says so", async () => {
  const { key } = await make({ expiresAt: new Date(Date.now() + 1_500).toISOString() });
  expect(await query(key)).toEqual([200, undefined]);
  await expect.poll(() => query(key)).toEqual([401, "INVALID_API_KEY"]);
  expect((await post("list", {}, key)).body).toMatchObject({ error: expect.stringMatching(/has expired/) });
});

test("part 5: a key reaches the websites it is limited to and no others", async () => {
  const { body } = await send("POST", "/websites/create", {
    body: { name: "Shop", domain: "shop.example" },
    apiKey: owner.apiKey,
  });
  const { id: other } = body as { id: string };
  const { key, apiKey } = await make({ websiteIds: [other] });
  expect(apiKey).toMatchObject({ websiteIds: [other] });
  expect(await query(key, other)).toEqual([200, undefined]);
  expect(await query(key, owner.websiteId)).toEqual([403, "ACCESS_DENIED"]);
});

test("part 5: callers cannot create or rotate a key with more rights than their own", async () => {
  const admin = await createKey({ organizationId: owner.organizationId, scopes: ["admin", "read:data"] });
  expect(await post("create", { name: "More", scopes: ["delete:data"] }, admin)).toMatchObject({
    status: 403,
    body: { code: "ACCESS_DENIED", error: expect.stringMatching(/delete:data/) },
  });
  const strong = await make({ scopes: ["read:data", "delete:data"] });
  expect(await post("rotate", { id: strong.apiKey.id }, admin)).toMatchObject({ status: 403 });
  expect(await query(strong.key)).toEqual([200, undefined]);

  const limited = await createKey({ organizationId: owner.organizationId, websiteIds: [owner.websiteId] });
  expect(await post("create", { name: "All", scopes: ["read:data"] }, limited)).toMatchObject({ status: 403 });
  expect(await post("revoke", { id: strong.apiKey.id }, limited)).toMatchObject({ status: 404 });
  const { apiKey } = await make({ websiteIds: [owner.websiteId] }, limited);
  const shown = (await listed(limited)).apiKeys.map(({ id }) => id);
  expect(shown).toContain(apiKey.id);
  expect(shown).not.toContain(strong.apiKey.id);
});

test("part 5 rule 7: without the scope admin, and for keys of another organization, calls are refused and show nothing", async () => {
  const { apiKey, key } = await make();
  for (const path of ["create", "list", "revoke", "rotate"])
    expect(await post(path, { id: apiKey.id, name: "X", scopes: ["read:data"] }, key)).toMatchObject({
      status: 403,
      body: { code: "ACCESS_DENIED" },
    });
  const stranger = await createWebsite();
  for (const path of ["revoke", "rotate"])
    expect(await post(path, { id: apiKey.id }, stranger.apiKey)).toMatchObject({
      status: 404,
      body: { code: "NOT_FOUND" },
    });
  expect((await listed(stranger.apiKey)).apiKeys.map(({ id }) => id)).not.toContain(apiKey.id);
  expect(
    await post("create", { name: "X", scopes: ["read:data"], websiteIds: [owner.websiteId] }, stranger.apiKey),
  ).toMatchObject({
    status: 400,
    body: { details: [{ field: "websiteIds[0]" }] },
  });
  expect(await query(key)).toEqual([200, undefined]);
});

test("part 7: a wrong scope, name or expiry is named", async () => {
  const wrong = [
    [{ scopes: ["read:dat"] }, "scopes[0]"],
    [{ scopes: [] }, "scopes"],
    [{ name: " " }, "name"],
    [{ expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    [{ expiresAt: "tomorrow" }, "expiresAt"],
    [{ expiresAt: "2031-02-01" }, "expiresAt"],
  ] as const;
  for (const [body, field] of wrong)
    expect(await post("create", { name: "X", scopes: ["read:data"], ...body })).toMatchObject({
      status: 400,
      body: { code: "VALIDATION_ERROR", details: [{ field }] },
    });
});

test("the last use of a key is recorded", async () => {
  const { apiKey, key } = await make();
  await query(key, undefined, second.baseUrl);
  const lastUse = async () =>
    ((await listed()).apiKeys.find(({ id }) => id === apiKey.id) as { lastUsedAt?: string } | undefined)?.lastUsedAt;
  await expect.poll(lastUse).toEqual(instant);
  const first = await lastUse();
  await query(key, undefined, second.baseUrl);
  await expect.poll(lastUse).not.toBe(first);
});

test("part 5: creating, rotating and revoking are in the audit log", async () => {
  const { apiKey } = await make();
  await post("rotate", { id: apiKey.id });
  await post("revoke", { id: apiKey.id });
  const { body } = await send("POST", "/audit/list", { body: { objectId: apiKey.id }, apiKey: owner.apiKey });
  expect((body as { entries: { action: string }[] }).entries.map(({ action }) => action)).toEqual([
    "api_key.revoke",
    "api_key.rotate",
    "api_key.create",
  ]);
});

test("part 5: the same over gRPC", async () => {
  const client = createClient(
    ApiKeyService,
    createGrpcTransport({
      baseUrl: inject("lookout").baseUrl,
      interceptors: [
        (next) => (request) => {
          request.header.set("x-api-key", owner.apiKey);
          return next(request);
        },
      ],
    }),
  );
  const made = await client.createApiKey({ name: "Over gRPC", scopes: ["read:data"] });
  expect(await query(made.key)).toEqual([200, undefined]);
  const rotated = await client.rotateApiKey({ id: made.apiKey?.id ?? "" });
  expect(await query(rotated.key)).toEqual([200, undefined]);
  expect((await client.listApiKeys({})).apiKeys.map(({ id }) => id)).toContain(made.apiKey?.id);
  expect((await client.revokeApiKey({ id: made.apiKey?.id ?? "" })).apiKey?.revokedAt).toEqual(instant);
  await expect.poll(() => query(rotated.key)).toEqual([401, "INVALID_API_KEY"]);
});
