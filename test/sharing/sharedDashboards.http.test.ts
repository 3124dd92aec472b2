import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { requirementOf } from "../../src/access/requirement.ts";
import { services } from "../../src/gen/lookout/services.ts";
import { QueryService } from "../../src/gen/lookout/v1/query_pb.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { send } from "../kit/calls/request.ts";
import { share, sharedAccess } from "../kit/calls/sharedAccess.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { sendEvents } from "../kit/calls/websiteCalls.ts";
import { inDatabase } from "../kit/stores/inDatabase.ts";

let site: TestWebsite;
beforeAll(async () => {
  site = await createWebsite();
  const view = (path: string, visitor: string) => ({
    name: "page_view",
    path,
    anonymousId: visitor,
    sessionId: visitor,
  });
  const events = [view("/de", "a"), view("/de", "b"), view("/us", "c")];
  expect((await sendEvents(site.websiteId, events)).status).toBe(200);
});

const today = { preset: "today", timezone: "UTC" };

/** A query by the reader of a shared dashboard. */
function ask(access: string, parameters: readonly string[], more: object = {}, where = `website_id=${site.websiteId}`) {
  const body = { preset: "today", parameters, ...more };
  return send("POST", `/v1/query?${where}`, { body, headers: { "x-shared-dashboard": access } });
}

async function rowsOf(access: string, type: string, more: object = {}): Promise<unknown> {
  const { body } = await ask(access, [type], more);
  return (body as { data: { data: unknown }[] }).data[0]?.data;
}

const open = (token: string, password?: string) =>
  send("POST", "/v1/shared-dashboards/open", { body: { token, ...(password === undefined ? {} : { password }) } });

/** Other processes, and the cache of this one, know a change within a second. */
const within = { timeout: 10_000 };

describe("what a reader may ask", () => {
  test("only three calls take the access of a shared dashboard", () => {
    const taking = services.flatMap(({ methods }) =>
      methods.filter((method) => requirementOf(method).orSharedDashboard),
    );
    expect(taking.map(({ name }) => name).sort()).toEqual(["Query", "QueryColumns", "Watch"]);
  });

  test("exactly the chosen query types, of all that there are", async () => {
    const chosen = ["summary_metrics", "top_pages"];
    const access = await sharedAccess(site, chosen);
    const answered: string[] = [];
    for (const name of catalogue.keys()) {
      const { status, body } = await ask(access, [name]);
      if (status === 200) answered.push(name);
      else expect([name, status, body]).toMatchObject([name, 403, { code: "ACCESS_DENIED" }]);
    }
    expect(answered.sort()).toEqual(chosen);
    expect((await ask(access, ["top_pages", "countries"])).status).toBe(403);
  });

  test("nothing of another website, of a public one neither, nor of the organization", async () => {
    const access = await sharedAccess(site, ["summary_metrics"]);
    const other = await createWebsite({ publicAccess: true });
    const monitor = await send("POST", "/uptime/monitors/create", {
      body: { websiteId: site.websiteId, url: "https://example.com/", interval: "1h" },
      apiKey: site.apiKey,
    });
    for (const where of [
      `website_id=${other.websiteId}`,
      `website_ids=${site.websiteId}`,
      `organization_id=${site.organizationId}`,
      `schedule_id=${(monitor.body as { id: string }).id}`,
    ])
      expect([where, (await ask(access, ["summary_metrics"], {}, where)).status]).toEqual([
        where,
        where.startsWith("website_id=") ? 403 : 401,
      ]);
  });

  test("no goals, and no filters that select single visitors", async () => {
    const access = await sharedAccess(site, ["summary_metrics"]);
    const filter = { field: "anonymous_id", op: "eq", value: "a" };
    expect((await ask(access, ["summary_metrics"], { filters: [filter] })).status).toBe(403);
    expect((await ask(access, ["summary_metrics"], { goal: { page: "/de" } })).status).toBe(403);
  });

  test("an invented, changed or foreign access is refused, also where credentials are sent as well", async () => {
    const access = await sharedAccess(site, ["summary_metrics"]);
    const [id, until, signed] = access.split(".");
    for (const wrong of ["x", `${id}.${Number(until) + 1}.${signed}`, `${id}.${until}.AAAA`, `${access}.x`]) {
      const headers = { "x-shared-dashboard": wrong, "x-api-key": site.apiKey };
      const body = { ...today, parameters: ["summary_metrics"] };
      const answer = await send("POST", `/v1/query?website_id=${site.websiteId}`, { body, headers });
      expect([wrong, answer.status, answer.body]).toMatchObject([wrong, 401, { code: "AUTH_REQUIRED" }]);
    }
  });

  test("its fixed filters hold whatever the reader filters by, in batches, columns and streams too", async () => {
    const filters = [{ field: "path", op: "eq", value: "/de" }];
    const access = await sharedAccess(site, ["top_pages"], { filters });
    await expect.poll(() => rowsOf(access, "top_pages"), within).toMatchObject([{ name: "/de", visitors: 2 }]);
    for (const own of [[{ field: "path", op: "eq", value: "/us" }], [{ field: "path", op: "ne", value: "/de" }]])
      expect(await rowsOf(access, "top_pages", { filters: own })).toEqual([]);
    expect(
      await rowsOf(access, "top_pages", { filters: [{ field: "path", op: "in", value: ["/de", "/us"] }] }),
    ).toMatchObject([{ name: "/de" }]);
    const batch = await send("POST", `/v1/query?website_id=${site.websiteId}`, {
      body: [{ preset: "today", parameters: ["top_pages"] }],
      headers: { "x-shared-dashboard": access },
    });
    expect(JSON.stringify(batch.body)).toContain('"/de"');
    expect(JSON.stringify(batch.body)).not.toContain('"/us"');
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const question = { websiteId: site.websiteId, query: { preset: "today", parameters: [{ name: "top_pages" }] } };
    const headers = { "x-shared-dashboard": access };
    const columns = JSON.stringify(await client.queryColumns(question, { headers }));
    expect([columns.includes("/de"), columns.includes("/us")]).toEqual([true, false]);
    for await (const answer of client.watch(question, { headers })) {
      const text = JSON.stringify(answer);
      expect([text.includes("/de"), text.includes("/us")]).toEqual([true, false]);
      break;
    }
  });
});

describe("who may open it", () => {
  test("whoever has the token, of which PostgreSQL has only a hash", async () => {
    const { id, token, url } = await share(site, ["summary_metrics"]);
    expect(url).toBe(`${new URL(url).origin}/shared/${site.websiteId}/${id}#${token}`);
    expect(await open(token)).toMatchObject({
      status: 200,
      body: { websiteId: site.websiteId, types: ["summary_metrics"], access: expect.any(String) },
    });
    expect((await open(`${token}x`)).status).toBe(404);
    expect((await open(id)).status).toBe(404);
    const { rows } = await inDatabase((database) =>
      database.query("SELECT row_to_json(one)::text AS text FROM shared_dashboards one WHERE id = $1", [id]),
    );
    expect(rows[0].text).not.toContain(token);
    const listed = await send("GET", `/v1/shared-dashboards?website_id=${site.websiteId}`, { apiKey: site.apiKey });
    expect(JSON.stringify(listed.body)).toContain(id);
    expect(JSON.stringify(listed.body)).not.toContain(token);
  });

  test("with a password only whoever knows it, and guesses have to wait", async () => {
    const { token } = await share(site, ["summary_metrics"], { password: "open sesame" });
    expect(await open(token)).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
    expect(await open(token, "open sesame")).toMatchObject({ status: 200 });
    const guesses: number[] = [];
    for (let guess = 0; guess < 8; guess += 1) guesses.push((await open(token, `guess ${guess}`)).status);
    expect(guesses[0]).toBe(401);
    expect(guesses.at(-1)).toBe(429);
    expect((await open(token, "open sesame")).status, "the right one waits too").toBe(429);
  });

  test("another password ends what the former one has opened, and an empty one removes it", async () => {
    const { id, token } = await share(site, ["summary_metrics"], { password: "open sesame" });
    const { access } = (await open(token, "open sesame")).body as { access: string };
    expect((await ask(access, ["summary_metrics"])).status).toBe(200);
    const update = (more: object) =>
      send("POST", "/v1/shared-dashboards/update", {
        apiKey: site.apiKey,
        body: { id, name: "Customer", types: ["summary_metrics"], ...more },
      });
    expect(await update({})).toMatchObject({ status: 200, body: { hasPassword: true } });
    expect((await ask(access, ["summary_metrics"])).status, "it stays where it is left out").toBe(200);
    expect(await update({ password: "short" })).toMatchObject({
      status: 400,
      body: { details: [{ field: "password" }] },
    });
    await update({ password: "open barley" });
    await expect.poll(async () => (await ask(access, ["summary_metrics"])).status, within).toBe(401);
    expect(await update({ password: "" })).toMatchObject({ status: 200, body: { hasPassword: false } });
    expect((await open(token)).status).toBe(200);
  });

  test.each([
    ["it is revoked", async (id: string) => void (await remove(id))],
    ["it expires", async (id: string) => void (await expire(id))],
  ])("nobody once %s, in open streams too", async (_, end) => {
    const { id, token } = await share(site, ["summary_metrics"], { expiresAt: "2099-01-01T00:00:00Z" });
    const { access } = (await open(token)).body as { access: string };
    expect((await ask(access, ["summary_metrics"])).status).toBe(200);
    const client = createClient(QueryService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
    const question = {
      websiteId: site.websiteId,
      query: { preset: "today", parameters: [{ name: "summary_metrics" }] },
    };
    const watching = (async () => {
      for await (const _answer of client.watch(question, { headers: { "x-shared-dashboard": access } }));
    })();
    const ended = expect(watching).rejects.toMatchObject({ rawMessage: expect.stringContaining("has ended") });
    await end(id);
    await ended;
    await expect.poll(async () => (await ask(access, ["summary_metrics"])).status, within).toBe(401);
    expect((await open(token)).status).toBe(404);
  });

  const remove = (id: string) => send("POST", "/v1/shared-dashboards/delete", { body: { id }, apiKey: site.apiKey });
  const expire = (id: string) =>
    inDatabase((database) => database.query("UPDATE shared_dashboards SET expires_at = now() WHERE id = $1", [id]));

  test("nobody once the website is deleted", async () => {
    const own = await createWebsite();
    const { token } = await share(own, ["summary_metrics"]);
    const { access } = (await open(token)).body as { access: string };
    await send("POST", "/websites/delete", { body: { id: own.websiteId }, apiKey: own.apiKey });
    await expect
      .poll(async () => (await ask(access, ["summary_metrics"], {}, `website_id=${own.websiteId}`)).status, within)
      .toBe(403);
    await expect.poll(async () => (await open(token)).status, within).toBe(404);
  });
});

describe("who may frame its page", () => {
  const policyOf = (headers: Headers) =>
    /frame-ancestors ([^;]*)/.exec(headers.get("content-security-policy") ?? "")?.[1];

  test("pages of the allowed origins, without a cookie and without anything of a person", async () => {
    const origins = ["https://a.example", "https://b.example:8443"];
    const { id } = await share(site, ["summary_metrics"], { origins });
    const { status, headers, body } = await send("GET", `/shared/${site.websiteId}/${id}`);
    expect(status).toBe(200);
    expect(policyOf(headers)).toBe(origins.join(" "));
    expect([headers.get("x-frame-options"), headers.getSetCookie()]).toEqual([null, []]);
    expect(String(body)).toContain('{"session":null}');
  });

  test("nobody without an origin, for another website, an unknown or revoked dashboard, and for all other pages", async () => {
    const { id } = await share(site, ["summary_metrics"]);
    const allowed = await share(site, ["summary_metrics"], { origins: ["https://a.example"] });
    const other = await createWebsite();
    for (const path of [
      `/shared/${site.websiteId}/${id}`,
      `/shared/${other.websiteId}/${allowed.id}`,
      `/shared/${site.websiteId}/nothing`,
      `/shared/${site.websiteId}/${allowed.id}/more`,
      `/shared/${site.websiteId}`,
      `/dashboard/${site.websiteId}/${allowed.id}`,
    ]) {
      const { headers } = await send("GET", path);
      expect([path, policyOf(headers), headers.get("x-frame-options")]).toEqual([path, "'none'", "DENY"]);
    }
    await send("POST", "/v1/shared-dashboards/delete", { body: { id: allowed.id }, apiKey: site.apiKey });
    const page = async () => policyOf((await send("GET", `/shared/${site.websiteId}/${allowed.id}`)).headers);
    await expect.poll(page, within).toBe("'none'");
  });
});

test("what cannot be shared is named", async () => {
  const wrong = async (more: object) => {
    const body = { websiteId: site.websiteId, name: "Customer", types: ["summary_metrics"], ...more };
    const answer = await send("POST", "/v1/shared-dashboards/create", { body, apiKey: site.apiKey });
    const { details = [] } = answer.body as { details?: { field: string; suggestion?: string }[] };
    return [
      answer.status,
      ...details.map(({ field, suggestion }) => (suggestion === undefined ? field : [field, suggestion])),
    ];
  };
  expect(await wrong({ types: [] })).toEqual([400, "types"]);
  expect(await wrong({ types: ["summary_metrics", "top_pagez"] })).toEqual([400, ["types[1]", "top_pages"]]);
  expect(await wrong({ types: ["recent_errors"] })).toEqual([400, "types[0]"]);
  expect(await wrong({ filters: [{ field: "anonymous_id", op: "eq", value: "a" }] })).toEqual([
    400,
    "filters[0].field",
  ]);
  expect(await wrong({ filters: [{ field: "countri", op: "eq", value: "DE" }] })).toEqual([400, "filters[0].field"]);
  for (const origin of [
    "https://a.example/path",
    "a.example",
    "https://*.example",
    "javascript:alert(1)",
    "https://a.example; script-src *",
    "https://a.example;sandbox",
    "https://'self'",
    "https://A.example",
  ])
    expect([origin, await wrong({ origins: [origin] })]).toEqual([origin, [400, "origins[0]"]]);
  expect(await wrong({ expiresAt: "2001-01-01T00:00:00Z" })).toEqual([400, "expiresAt"]);
  expect(await wrong({ name: " " })).toEqual([400, "name"]);
});

test("sharing, changes and revocations are in the audit log, without secrets", async () => {
  const { id, token } = await share(site, ["summary_metrics"], { password: "open sesame" });
  const body = { id, name: "Customer", types: ["top_pages"] };
  await send("POST", "/v1/shared-dashboards/update", { body, apiKey: site.apiKey });
  await send("POST", "/v1/shared-dashboards/delete", { body: { id }, apiKey: site.apiKey });
  const { body: log } = await send("POST", "/audit/list", { body: { objectId: id }, apiKey: site.apiKey });
  expect(log).toMatchObject({
    entries: [
      { action: "shared_dashboard.delete", websiteId: site.websiteId },
      { action: "shared_dashboard.update", before: { types: ["summary_metrics"] }, after: { types: ["top_pages"] } },
      { action: "shared_dashboard.create", after: { name: "Customer", isProtected: true } },
    ],
  });
  for (const secret of [token, "open sesame"]) expect(JSON.stringify(log)).not.toContain(secret);
});
