import { getOption } from "@bufbuild/protobuf";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { type Browser, createPerson, signedIn } from "../kit/calls/person.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";

/** Two websites of one organization, and an admin who is limited to the first. */
let site: TestWebsite;
let hidden: { readonly id: string; readonly ids: string[] };
let owner: Browser;
let limited: Browser;

/** What an organization has of a website. Returns the ids. */
async function fill(websiteId: string, apiKey: string): Promise<string[]> {
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await send("POST", path, { body: { websiteId, ...body }, apiKey });
    expect([path, answer.status, answer.body]).toEqual([path, 200, answer.body]);
    const { id, apiKey: key } = answer.body as { id: string; apiKey: { id: string } };
    return key?.id ?? id;
  };
  return [
    websiteId,
    await make("/uptime/monitors/create", { url: "https://example.com/", interval: "1h" }),
    await make("/links/create", { targetUrl: "https://example.com/" }),
    await make("/uptime/status-pages/create", { slug: `of-${websiteId}`, title: "Status" }),
    await make("/v1/segments/create", {
      name: "Germany",
      shared: true,
      filters: [{ field: "country", op: "eq", value: "DE" }],
    }),
  ];
}

beforeAll(async () => {
  site = await createWebsite();
  const { organizationId, apiKey, websiteId } = site;
  owner = await signedIn(await createPerson({ organizationId }));
  limited = await signedIn(await createPerson({ organizationId, role: "admin", websiteIds: [websiteId] }));
  const made = await owner.call("/websites/create", { name: "Hidden", domain: "hidden.example" });
  const { id } = made.body as { id: string };
  await fill(websiteId, apiKey);
  const key = await owner.call("/api-keys/create", { name: "Hidden", scopes: ["read:data"], websiteIds: [id] });
  const channel = await owner.call("/uptime/channels/create", {
    name: "Hidden",
    kind: "webhook",
    target: "https://example.com/hidden",
  });
  const { apiKey: made2 } = key.body as { apiKey: { id: string } };
  const { channel: made3 } = channel.body as { channel: { id: string } };
  hidden = { id, ids: [...(await fill(id, apiKey)), made2.id, made3.id] };
});

/** Calls that list without naming a website, by RPC: path and body. Each lists something of the hidden website to the owner. */
const lists = (): Readonly<Record<string, readonly [path: string, body?: object]>> => ({
  "WebsiteService.ListWebsites": ["/websites/list", {}],
  "QueryService.ListQueryWebsites": ["/v1/query/websites"],
  "LinkService.ListLinks": ["/links/list", {}],
  "ApiKeyService.ListApiKeys": ["/api-keys/list", {}],
  "AuditService.ListAuditLog": ["/audit/list", { limit: 1_000 }],
  "NotificationChannelService.ListNotificationChannels": ["/uptime/channels/list", {}],
  "QueryService.Query": [
    `/v1/query?organization_id=${site.organizationId}`,
    { preset: "today", parameters: ["websites"] },
  ],
});

/** RPCs that name no website and concern the person alone, or nothing that is stored. */
const own = [
  "AuthService.GetSession",
  "AuthService.ChangeLanguage",
  "AuthService.ListSessions",
  "AuthService.ChangePassword",
  "AuthService.EnableSecondFactor",
  "AuthService.VerifySecondFactor",
  "AuthService.DisableSecondFactor",
  "OrganizationService.GetOrganization",
  "OrganizationService.ListOrganizations",
];

/** RPCs that name a website within another message; tested below. */
const nested = ["UptimeService.TestMonitor"];

test("a new RPC is for the whole organization, names what it is about, or is tested here", () => {
  const known = new Set([...Object.keys(lists()), ...own, ...nested]);
  const forgotten = services.flatMap((service) =>
    service.methods.flatMap((method) => {
      const { open, wholeOrganization } = requirementOf(method);
      // Those that name an object are in foreignObjects.http.test.ts, which has a person limited to another website too.
      const namesObject = method.input.fields.some(({ name }) => /(^|_)ids?$/.test(name));
      const name = `${service.name}.${method.name}`;
      return open || wholeOrganization || namesObject || known.has(name) ? [] : [name];
    }),
  );
  expect(forgotten).toEqual([]);
});

test("part 5: lists show a limited person only what is of their websites, and the owner all", async () => {
  for (const [rpc, [path, body]] of Object.entries(lists())) {
    const [all, some] = [await owner.call(path, body), await limited.call(path, body)];
    expect([rpc, all.status, some.status]).toEqual([rpc, 200, 200]);
    const of = (answer: unknown) => hidden.ids.filter((id) => JSON.stringify(answer).includes(id));
    expect([rpc, of(some.body)]).toEqual([rpc, []]);
    if (rpc !== "QueryService.Query") expect([rpc, of(all.body)]).not.toEqual([rpc, []]);
  }
  expect((await limited.call("/websites/list", {})).body).toMatchObject({
    total: 1,
    websites: [{ id: site.websiteId }],
  });
});

test("part 5: a limited person tries out no monitor of another website", async () => {
  const monitor = { websiteId: hidden.id, url: "https://example.com/", interval: "1h" };
  expect((await limited.call("/uptime/monitors/test", { monitor })).status).toBe(404);
  expect((await limited.call("/uptime/monitors/test", { changes: { id: hidden.ids[1] } })).status).toBe(404);
});

test("part 5: what concerns the whole organization is refused to limited people as it is to limited keys", async () => {
  const whole = services.flatMap(({ methods }) => methods.filter((method) => requirementOf(method).wholeOrganization));
  expect(whole.length).toBeGreaterThan(12);
  for (const method of whole) {
    const path = String(getOption(method, http).pattern.value);
    expect([path, await limited.call(path, {})]).toMatchObject([
      path,
      { status: 403, body: { code: "ACCESS_DENIED", error: expect.stringContaining("You are limited to websites") } },
    ]);
  }
});

test("part 5: a limited person gives a key no more than they have", async () => {
  const make = (body: object) => limited.call("/api-keys/create", { name: "Key", scopes: ["read:data"], ...body });
  expect(await make({})).toMatchObject({ status: 403, body: { code: "ACCESS_DENIED" } });
  expect(await make({ websiteIds: [hidden.id] })).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
  expect(await make({ websiteIds: [site.websiteId] })).toMatchObject({ status: 200 });
});

describe("limits", () => {
  /** A member, by a browser, and the calls of the owner about them. */
  async function member(role: "admin" | "member" | "viewer" = "member") {
    const person = await createPerson({ organizationId: site.organizationId, role });
    const { body } = await owner.call("/auth/members/list", {});
    const { id = "" } =
      (body as { members: { id: string; userId: string }[] }).members.find(({ userId }) => userId === person.userId) ??
      {};
    const limit = (limits: object) => owner.call("/auth/members/limit", { id, ...limits });
    return { id, browser: await signedIn(person), limit };
  }
  const seen = async (browser: Browser) =>
    ((await browser.call("/websites/list", {})).body as { websites: { id: string }[] }).websites.map(({ id }) => id);

  test("part 5: they count at once in open sessions, and are removed by an empty list", async () => {
    const { browser, limit } = await member();
    expect((await seen(browser)).toSorted()).toEqual([site.websiteId, hidden.id].toSorted());
    const set = await limit({ websiteIds: [hidden.id], scopes: ["read:data"] });
    expect(set).toMatchObject({ status: 200, body: { websiteIds: [hidden.id], scopes: ["read:data"] } });
    expect(await seen(browser)).toEqual([hidden.id]);
    expect((await browser.call("/auth/session")).body).toMatchObject({
      websiteIds: [hidden.id],
      scopes: ["read:data"],
    });
    expect(await browser.call("/websites/update", { id: hidden.id, name: "Mine" })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("Your membership lacks the scope update") },
    });
    expect((await browser.call("/websites/get", { id: site.websiteId })).status).toBe(404);
    expect(await limit({})).toMatchObject({ status: 200, body: { websiteIds: [], scopes: [] } });
    expect((await seen(browser)).length).toBe(2);
  });

  test("part 5: wrong ones are named", async () => {
    const { limit } = await member("viewer");
    const wrong = async (limits: object) => {
      const { status, body } = await limit(limits);
      return [status, (body as { details?: { field: string }[] }).details?.map(({ field }) => field)];
    };
    expect(await wrong({ scopes: ["read:data"] })).toEqual([400, ["websiteIds"]]);
    expect(await wrong({ websiteIds: ["nothing"] })).toEqual([400, ["websiteIds[0]"]]);
    expect(await wrong({ websiteIds: [hidden.id], scopes: ["read:data", "update"] })).toEqual([400, ["scopes[1]"]]);
    expect(await wrong({ websiteIds: [(await createWebsite()).websiteId] })).toEqual([400, ["websiteIds[0]"]]);
  });

  test("part 5: an owner has none, and a limited member becomes none", async () => {
    const { id, limit } = await member("admin");
    await limit({ websiteIds: [hidden.id] });
    expect(await owner.call("/auth/members/change-role", { id, role: "owner" })).toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    await limit({});
    expect((await owner.call("/auth/members/change-role", { id, role: "owner" })).status).toBe(200);
    expect(await limit({ websiteIds: [hidden.id] })).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } });
  });

  test("part 5: of the named rights those of the role count, also after another role was given", async () => {
    const { id, browser, limit } = await member();
    await limit({ websiteIds: [hidden.id], scopes: ["read:data", "update"] });
    await owner.call("/auth/members/change-role", { id, role: "viewer" });
    expect((await browser.call("/auth/session")).body).toMatchObject({ role: "viewer", scopes: ["read:data"] });
    await owner.call("/auth/members/change-role", { id, role: "admin" });
    expect((await browser.call("/auth/session")).body).toMatchObject({
      role: "admin",
      scopes: ["read:data", "update"],
    });
  });

  test("part 5: an invitation names them, and whoever accepts it has them", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const limits = { websiteIds: [hidden.id], scopes: ["read:data", "read:links"] };
    const invite = (body: object) => owner.call("/auth/invitations/create", { email, role: "member", ...body });
    expect(await invite({ role: "owner", ...limits })).toMatchObject({
      status: 400,
      body: { details: [{ field: "websiteIds" }] },
    });
    const invited = await invite(limits);
    expect(invited).toMatchObject({ status: 200, body: { invitation: limits } });
    const token = new URL((invited.body as { link: string }).link).hash.slice("#token=".length);
    const accepted = await send("POST", "/auth/invitations/accept", {
      body: { token, name: "Grace", password: "a password of mine" },
      headers: { origin: inject("lookout").baseUrl },
    });
    expect(accepted).toMatchObject({ status: 200, body: { role: "member", ...limits } });
  });

  test("part 5: the audit log has what they were and are", async () => {
    const { id, limit } = await member();
    await limit({ websiteIds: [hidden.id] });
    await limit({ websiteIds: [hidden.id] });
    await limit({ websiteIds: [site.websiteId], scopes: ["read:data"] });
    const { body } = await owner.call("/audit/list", { objectId: id, action: "member.limit" });
    expect(body).toMatchObject({
      entries: [
        {
          before: { websiteIds: [hidden.id], scopes: [] },
          after: { websiteIds: [site.websiteId], scopes: ["read:data"] },
        },
        { before: { websiteIds: [] }, after: { websiteIds: [hidden.id] } },
      ],
    });
  });
});
