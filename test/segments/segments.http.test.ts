import { beforeAll, describe, expect, test } from "vitest";
import type { Role } from "../../src/call/caller.ts";
import { type Browser, createPerson, openBrowser, signedIn } from "../kit/calls/person.ts";
import { type JsonAnswer, send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

type ShownSegment = {
  readonly id: string;
  readonly name: string;
  readonly shared: boolean;
  readonly filters: object[];
};

let owner: TestWebsite;

const phones = [{ field: "device_type", op: "eq", value: "mobile" }];
const germans = [{ field: "country", op: "in", value: ["DE", "AT"] }];

beforeAll(async () => {
  owner = await createWebsite();
});

async function person(role: Role, { organizationId }: TestWebsite = owner): Promise<Browser> {
  return await signedIn(await createPerson({ organizationId, role }));
}

async function save(browser: Browser, more: object, websiteId = owner.websiteId): Promise<JsonAnswer> {
  const name = crypto.randomUUID();
  return await browser.call("/v1/segments/create", { websiteId, name, filters: phones, ...more });
}

async function saved(browser: Browser, more: object, websiteId?: string): Promise<ShownSegment> {
  const answer = await save(browser, more, websiteId);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as ShownSegment;
}

async function listed(browser: Browser, websiteId = owner.websiteId): Promise<ShownSegment[]> {
  const answer = await browser.call(`/v1/segments?website_id=${websiteId}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return (answer.body as { segments: ShownSegment[] }).segments;
}

const namesOf = (segments: readonly ShownSegment[]) => segments.map(({ name }) => name);
const byKey = (path: string, body: object, apiKey = owner.apiKey) =>
  send("POST", `/v1/segments/${path}`, { body, apiKey });
const wrong = (field: string, message: RegExp | string) => ({
  status: 400,
  body: { code: "VALIDATION_ERROR", details: [{ field, message: expect.stringMatching(message) }] },
});

describe("who sees a segment and who changes it", () => {
  test("a personal segment is its owner's alone, whatever the role of others, and programs do not see it", async () => {
    const [viewer, admin] = [await person("viewer"), await person("owner")];
    const own = await saved(viewer, {});
    expect(own).toMatchObject({ shared: false, filters: phones, websiteId: owner.websiteId });
    expect(namesOf(await listed(viewer))).toContain(own.name);
    expect(namesOf(await listed(admin))).not.toContain(own.name);
    const keys = await send("GET", `/v1/segments?website_id=${owner.websiteId}`, { apiKey: owner.apiKey });
    expect(JSON.stringify(keys.body)).not.toContain(own.id);
    const missing = { status: 404, body: { code: "NOT_FOUND" } };
    for (const [path, body] of [
      ["update", { id: own.id, name: "Mine now" }],
      ["delete", { id: own.id }],
    ] as const) {
      expect(await admin.call(`/v1/segments/${path}`, body), path).toMatchObject(missing);
      expect(await byKey(path, body), path).toMatchObject(missing);
    }
    const renamed = await viewer.call("/v1/segments/update", { id: own.id, name: " Phones of mine " });
    expect(renamed).toMatchObject({ status: 200, body: { name: "Phones of mine", filters: phones, shared: false } });
    expect(await viewer.call("/v1/segments/delete", { id: own.id })).toMatchObject({ body: { success: true } });
    expect(await viewer.call("/v1/segments/delete", { id: own.id })).toMatchObject(missing);
    expect(namesOf(await listed(viewer))).not.toContain("Phones of mine");
  });

  test("a shared segment is seen by all of the organization, and changed only with the scope update", async () => {
    const [viewer, admin] = [await person("viewer"), await person("admin")];
    const denied = { status: 403, body: { code: "ACCESS_DENIED", error: expect.stringContaining("scope update") } };
    expect(await save(viewer, { shared: true })).toMatchObject(denied);
    const shared = await saved(admin, { shared: true, filters: germans });
    expect(await listed(viewer)).toContainEqual(
      expect.objectContaining({ id: shared.id, filters: germans, shared: true }),
    );
    expect(await viewer.call("/v1/segments/update", { id: shared.id, filters: phones })).toMatchObject(denied);
    expect(await viewer.call("/v1/segments/delete", { id: shared.id })).toMatchObject(denied);
    const own = await saved(viewer, {});
    expect(await viewer.call("/v1/segments/update", { id: own.id, shared: true })).toMatchObject(denied);
    const reader = await createKey({ organizationId: owner.organizationId, scopes: ["read:data"] });
    expect(await byKey("delete", { id: shared.id }, reader)).toMatchObject(denied);
    expect(await admin.call("/v1/segments/update", { id: shared.id, filters: phones })).toMatchObject({
      body: { name: shared.name, filters: phones },
    });
    expect(await byKey("delete", { id: shared.id })).toMatchObject({ status: 200 });
  });

  test("a person's own becomes shared and their own again; a key has none of its own", async () => {
    const [admin, viewer] = [await person("admin"), await person("viewer")];
    const { id, name } = await saved(admin, {});
    expect(await admin.call("/v1/segments/update", { id, shared: true })).toMatchObject({ body: { shared: true } });
    expect(namesOf(await listed(viewer))).toContain(name);
    expect(await byKey("update", { id, shared: false })).toMatchObject(wrong("shared", "API key"));
    expect(await admin.call("/v1/segments/update", { id, shared: false })).toMatchObject({ body: { shared: false } });
    expect(namesOf(await listed(viewer))).not.toContain(name);
    const body = { websiteId: owner.websiteId, name: "A program's", filters: phones };
    expect(await byKey("create", body)).toMatchObject(wrong("shared", "API key"));
  });

  test("a public dashboard lists shared segments that it can use, a private one none", async () => {
    const open = await createWebsite({ publicAccess: true });
    const admin = await person("admin", open);
    const shown = await saved(admin, { shared: true }, open.websiteId);
    await saved(admin, {}, open.websiteId);
    await saved(
      admin,
      { shared: true, filters: [{ field: "properties.plan", op: "eq", value: "pro" }] },
      open.websiteId,
    );
    const stranger = await person("owner", await createWebsite());
    for (const visitor of [openBrowser(), stranger])
      expect((await listed(visitor, open.websiteId)).map(({ id }) => id)).toEqual([shown.id]);
    expect((await listed(admin, open.websiteId)).length).toBe(3);
    const refused = { status: 401, body: { code: "AUTH_REQUIRED" } };
    expect(await openBrowser().call(`/v1/segments?website_id=${owner.websiteId}`)).toMatchObject(refused);
    expect(await save(openBrowser(), {}, open.websiteId)).toMatchObject(refused);
    expect(await save(stranger, {}, open.websiteId)).toMatchObject({ status: 404 });
  });
});

describe("what is saved", () => {
  test("names are read without spaces around them, differ within shared ones and one's own, and stay free for others", async () => {
    const [one, other] = [await person("member"), await person("member")];
    const name = `Customers ${crypto.randomUUID()}`;
    await saved(one, { name: ` ${name} ` });
    const taken = { status: 409, body: { code: "CONFLICT", details: [{ field: "name", message: "is taken" }] } };
    expect(await save(one, { name: name.toUpperCase() })).toMatchObject(taken);
    await saved(other, { name });
    const second = await saved(one, {});
    expect(await one.call("/v1/segments/update", { id: second.id, name })).toMatchObject(taken);
    expect(await save(one, { name: "  " })).toMatchObject(wrong("name", "blank"));
  });

  test("wrong filters are named, with the nearest name", async () => {
    const viewer = await person("viewer");
    const [unknown, long] = [
      [{ field: "contry", op: "eq", value: "DE" }],
      [{ field: "country", op: "eq", value: ["DE", "AT"] }],
    ];
    const answer = await save(viewer, { filters: unknown });
    expect(answer).toMatchObject(wrong("filters[0].field", "contry"));
    expect(answer.body).toMatchObject({ details: [{ suggestion: "country" }] });
    expect(await save(viewer, { filters: long })).toMatchObject(wrong("filters[0].value", "in or not_in"));
    expect(await save(viewer, { filters: [] })).toMatchObject({
      status: 400,
      body: { details: [{ field: "filters" }] },
    });
  });

  test("filters come back as they were sent: several values, none, properties and any text", async () => {
    const viewer = await person("viewer");
    const filters = [
      { field: "properties.plan: a, b", op: "eq", value: 'pro "x" \\ ü' },
      { field: "utm_campaign", op: "is empty" },
      ...germans,
    ];
    const { id } = await saved(viewer, { filters });
    expect((await listed(viewer)).find((one) => one.id === id)?.filters).toEqual(
      filters.map((filter) => ({ ...filter, op: filter.op.replace(" ", "_") })),
    );
  });

  test("there are 100 shared ones at most, also when several are saved at once", async () => {
    const own = await createWebsite();
    await inDatabase((database) =>
      database.query(
        `INSERT INTO segments (id, website_id, organization_id, name, filters)
         SELECT gen_random_uuid(), $1, $2, 'Segment ' || number, '[]' FROM generate_series(1, 99) AS number`,
        [own.websiteId, own.organizationId],
      ),
    );
    const body = { websiteId: own.websiteId, filters: phones, shared: true };
    const answers = await Promise.all(["A", "B", "C"].map((name) => byKey("create", { ...body, name }, own.apiKey)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });
});

describe("what ends a segment", () => {
  test("segments of a deleted website are gone with it and come back when it is restored", async () => {
    const own = await createWebsite();
    const admin = await person("owner", own);
    const { id } = await saved(admin, { shared: true }, own.websiteId);
    await admin.call("/websites/delete", { id: own.websiteId });
    const missing = { status: 404, body: { code: "NOT_FOUND" } };
    expect(await admin.call(`/v1/segments?website_id=${own.websiteId}`)).toMatchObject(missing);
    expect(await admin.call("/v1/segments/update", { id, name: "Late" })).toMatchObject(missing);
    expect(await save(admin, {}, own.websiteId)).toMatchObject(missing);
    await admin.call("/websites/restore", { id: own.websiteId });
    expect((await listed(admin, own.websiteId)).map((segment) => segment.id)).toEqual([id]);
  });

  test("a person who leaves takes their own along, and shared ones stay", async () => {
    const own = await createWebsite();
    const admin = await person("owner", own);
    const leaving = await createPerson({ organizationId: own.organizationId, role: "member" });
    const browser = await signedIn(leaving);
    const { id } = await saved(browser, {}, own.websiteId);
    const shared = await saved(admin, { shared: true }, own.websiteId);
    const left = await browser.call("/auth/organization/leave", { organizationId: own.organizationId });
    expect(left.status, JSON.stringify(left.body)).toBe(200);
    const kept = await inDatabase((database) =>
      database.query<{ id: string }>("SELECT id FROM segments WHERE website_id = $1", [own.websiteId]),
    );
    expect(kept.rows).toEqual([{ id: shared.id }]);
    expect(id).not.toBe(shared.id);
  });
});

test("the audit log has each change, and nothing of what a personal segment holds", async () => {
  const own = await createWebsite();
  const admin = await person("owner", own);
  const shared = await saved(admin, { name: "All see it", shared: true }, own.websiteId);
  await admin.call("/v1/segments/update", { id: shared.id, name: "All see it still" });
  await admin.call("/v1/segments/delete", { id: shared.id });
  const personal = await saved(admin, { name: "My secret", filters: germans }, own.websiteId);
  await admin.call("/v1/segments/update", { id: personal.id, name: "My other secret" });
  const { body } = await admin.call("/audit/list", { websiteId: own.websiteId });
  const { entries } = body as { entries: { action: string; objectId: string }[] };
  expect(entries.map(({ action, objectId }) => [action, objectId])).toEqual([
    ["segment.update", personal.id],
    ["segment.create", personal.id],
    ["segment.delete", shared.id],
    ["segment.update", shared.id],
    ["segment.create", shared.id],
  ]);
  expect(entries[3]).toMatchObject({ before: { name: "All see it" }, after: { name: "All see it still" } });
  const text = JSON.stringify(body);
  expect(text).not.toContain("secret");
  expect(text).not.toContain("AT");
});
