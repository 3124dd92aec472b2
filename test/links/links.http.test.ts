import { expect, inject, test } from "vitest";
import { create, follow, post, type ShownLink } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite } from "../kit/calls/website.ts";
import { instant } from "../kit/calls/websiteCalls.ts";

test("8.5: a link is created, shown, listed, changed and deleted, and each change is in the audit log", async () => {
  const website = await createWebsite({ domain: "shop.example" });
  const { baseUrl } = inject("lookout");
  const made = await create(
    {
      slug: `Spring-${website.websiteId.slice(0, 8)}`,
      name: " Spring sale ",
      targetUrl: "https://www.shop.example/sale?a=1#top",
      websiteId: website.websiteId,
      expiresAt: "2099-01-31",
      clickLimit: 5,
      utm: { source: "newsletter", campaign: "spring & more" },
      domain: "https://GO.shop.example/",
    },
    website,
  );
  expect(made).toEqual({
    id: expect.any(String),
    organizationId: website.organizationId,
    websiteId: website.websiteId,
    slug: `Spring-${website.websiteId.slice(0, 8)}`,
    name: "Spring sale",
    domain: "go.shop.example",
    shortUrl: `https://go.shop.example/l/${made.slug}`,
    targetUrl: "https://www.shop.example/sale?a=1#top",
    targetWebsiteId: website.websiteId,
    clicks: 0,
    clicksKnown: true,
    expiresAt: "2099-02-01T00:00:00.000Z",
    expiredUrl: null,
    clickLimit: 5,
    hasPassword: false,
    iosUrl: null,
    androidUrl: null,
    desktopUrl: null,
    utm: { source: "newsletter", campaign: "spring & more" },
    forwardQuery: true,
    createdAt: instant,
    updatedAt: instant,
  });
  expect((await post("get", { id: made.id }, website)).body).toEqual(made);
  const changed = await post(
    "update",
    { id: made.id, targetUrl: "https://elsewhere.example/", domain: "", expiresAt: "", clickLimit: 0, utm: {} },
    website,
  );
  expect(changed.body).toEqual({
    ...made,
    domain: null,
    shortUrl: `${baseUrl}/l/${made.slug}`,
    targetUrl: "https://elsewhere.example/",
    targetWebsiteId: null,
    expiresAt: null,
    clickLimit: null,
    utm: {},
    updatedAt: instant,
  });
  expect((await follow(made.slug)).location).toBe("https://elsewhere.example/");
  expect((await post("delete", { id: made.id }, website)).body).toEqual({ success: true });
  expect((await post("delete", { id: made.id }, website)).status).toBe(404);
  expect((await post("get", { id: made.id }, website)).status).toBe(404);
  expect((await follow(made.slug)).status).toBe(404);
  const log = await send("POST", "/audit/list", { apiKey: website.apiKey, body: { objectId: made.id } });
  expect(log.body).toMatchObject({
    entries: [
      { action: "link.delete", objectType: "link", websiteId: website.websiteId, before: { slug: made.slug } },
      { action: "link.update", before: { clickLimit: 5 }, after: { targetUrl: "https://elsewhere.example/" } },
      { action: "link.create", after: { slug: made.slug } },
    ],
  });
});

test("8.5: links are listed newest first, page by page, by website and by a text", async () => {
  const website = await createWebsite();
  const made: ShownLink[] = [];
  for (const name of ["first", "second", "third"]) made.push(await create({ name }, website));
  const own = await create({ websiteId: website.websiteId, targetUrl: "https://other.example/A-Page" }, website);
  const ids = (body: unknown) => (body as { links: ShownLink[] }).links.map(({ id }) => id);
  const first = await post("list", { limit: 3 }, website);
  expect(ids(first.body)).toEqual([own.id, made[2]?.id, made[1]?.id]);
  expect(first.body).toMatchObject({ total: 4, nextCursor: made[1]?.id });
  const second = await post("list", { limit: 3, cursor: made[1]?.id }, website);
  expect(ids(second.body)).toEqual([made[0]?.id]);
  expect(second.body).not.toHaveProperty("nextCursor");
  expect(ids((await post("list", { websiteId: website.websiteId }, website)).body)).toEqual([own.id]);
  expect(ids((await post("list", { search: "a-pAGE" }, website)).body)).toEqual([own.id]);
  expect((await post("list", { search: "100%_" }, website)).body).toMatchObject({ links: [], total: 0 });
});

test("8.5: slugs avoid characters that look alike; upper and lower case are one link", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  expect(made.slug).toMatch(/^[23456789abcdefghjkmnpqrstvwxyz]{7}$/);
  expect((await follow(made.slug.toUpperCase())).location).toBe("https://target.example/page");
});

test("8.5: a taken slug is a conflict with a free suggestion, also if another organization deleted its link", async () => {
  const [own, other] = [await createWebsite(), await createWebsite()];
  const slug = `promo-${own.websiteId.slice(0, 8)}`;
  const made = await create({ slug }, own);
  const taken = await post("create", { slug: slug.toUpperCase(), targetUrl: "https://a.example/" }, other);
  expect(taken).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", details: [{ field: "slug", suggestion: `${slug.toUpperCase()}-2` }] },
  });
  await create({ slug: `${slug}-2` }, other);
  const third = await create({}, other);
  expect((await post("update", { id: third.id, slug }, other)).body).toMatchObject({
    code: "CONFLICT",
    details: [{ suggestion: `${slug}-3` }],
  });
  await post("delete", { id: made.id }, own);
  expect((await post("create", { slug, targetUrl: "https://a.example/" }, other)).status).toBe(409);
  expect((await post("update", { id: third.id, slug }, other)).status).toBe(409);
  const again = await create({ slug, targetUrl: "https://new.example/" }, own);
  expect((await follow(slug)).location).toBe("https://new.example/");
  expect(again.id).not.toBe(made.id);
});

test("8.5: of links created at the same time with one slug one succeeds", async () => {
  const website = await createWebsite();
  const slug = `race-${website.websiteId.slice(0, 8)}`;
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post("create", { slug, targetUrl: "https://a.example/" }, website)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
});

type Refused = [what: string, field: string, given: Record<string, unknown>, message: RegExp];

test.each<Refused>([
  ["a reserved word", "slug", { slug: "Admin" }, /reserved/],
  ["a slug with a space", "slug", { slug: "no spaces" }, /./],
  ["a script", "targetUrl", { targetUrl: "javascript:alert(1)" }, /./],
  ["another scheme", "targetUrl", { targetUrl: "ftp://a.example/" }, /./],
  ["a user name", "targetUrl", { targetUrl: "https://user:secret@a.example/" }, /user name/],
  ["no host", "targetUrl", { targetUrl: "https://" }, /./],
  [
    "an address that is too long once encoded",
    "targetUrl",
    { targetUrl: `https://a.example/${"é".repeat(500)}` },
    /2048/,
  ],
  ["a short link", "targetUrl", { targetUrl: "http://LOOKOUT/l/other" }, /short link again/],
  ["a short link for phones", "iosUrl", { iosUrl: "http://LOOKOUT//l/other" }, /short link again/],
  ["a short link on localhost", "targetUrl", { targetUrl: "http://LocalHost:PORT/l/other" }, /short link again/],
  [
    "a short link under a name of this computer",
    "desktopUrl",
    { desktopUrl: "http://a.localhost.:PORT/l/x" },
    /short link again/,
  ],
  [
    "a short link at a mapped address",
    "expiredUrl",
    { expiredUrl: "http://[::ffff:127.0.0.1]:PORT/l/x" },
    /short link again/,
  ],
  ["a short link at an IPv6 address", "androidUrl", { androidUrl: "http://[::1]:PORT/l/x" }, /short link again/],
  ["a short link at a number", "targetUrl", { targetUrl: "http://2130706433:PORT/l/x" }, /short link again/],
  ["a short link at a hexadecimal number", "targetUrl", { targetUrl: "http://0x7f.1:PORT/%6C/x" }, /short link again/],
  ["a short link at every address", "targetUrl", { targetUrl: "http://0.0.0.0:PORT/l/x" }, /short link again/],
  ...["targetUrl", "iosUrl", "androidUrl", "desktopUrl", "expiredUrl"].flatMap((field): Refused[] => [
    [`${field} without slashes`, field, { [field]: "https:a.example" }, /./],
    [`${field} with a line break`, field, { [field]: "https://a.example/a\nb" }, /./],
    [`${field} with another scheme`, field, { [field]: "app://open" }, /./],
    [`${field} with a user name`, field, { [field]: "https://me@a.example/" }, /user name/],
  ]),
  ["a mail address", "expiredUrl", { expiredUrl: "mailto:a@b.example" }, /http/],
  ["no date", "expiresAt", { expiresAt: "soon" }, /ISO 8601/],
  ["no domain", "domain", { domain: "not a domain" }, /domain/],
])("8.5: %s is refused by name", async (_, field, given, message) => {
  const website = await createWebsite();
  const { host, port } = new URL(inject("lookout").baseUrl);
  const body = JSON.stringify({ targetUrl: "https://a.example/", ...given })
    .replace("LOOKOUT", host)
    .replace("PORT", port);
  const answer = await post("create", JSON.parse(body), website);
  expect(answer).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_ERROR", details: [{ field, message: expect.stringMatching(message) }] },
  });
});

test("8.5: targets may be other services on this computer and pages of this one", async () => {
  const website = await createWebsite();
  const { port } = new URL(inject("lookout").baseUrl);
  for (const targetUrl of [
    `http://localhost:${Number(port) - 1}/l/x`,
    `http://localhost:${port}/list`,
    "https://a.example/l/x",
  ])
    expect(await create({ targetUrl }, website)).toMatchObject({ targetUrl });
  const spaced = await create({ targetUrl: "https://t.example/a b?region=Fort Worth" }, website);
  expect(spaced).toMatchObject({ targetUrl: "https://t.example/a%20b?region=Fort%20Worth" });
});

test("8.5: targets on a domain of short links are refused", async () => {
  const website = await createWebsite();
  await create({ domain: `go-${website.websiteId}.example` }, website);
  const answer = await post("create", { targetUrl: `https://GO-${website.websiteId}.example./l/x` }, website);
  expect(answer.body).toMatchObject({ details: [{ field: "targetUrl" }] });
});

test("5: links of another organization look like unknown links; keys need the scope and reach their websites only", async () => {
  const [own, other] = [await createWebsite(), await createWebsite()];
  const theirs = await create({ websiteId: other.websiteId }, other);
  for (const path of ["get", "update", "delete"] as const) {
    const [found, missing] = [await post(path, { id: theirs.id }, own), await post(path, { id: "none" }, own)];
    expect(found.status).toBe(404);
    expect({ ...(found.body as object), requestId: "" }).toEqual({ ...(missing.body as object), requestId: "" });
  }
  expect((await post("list", {}, own)).body).toMatchObject({ links: [], total: 0 });
  expect((await post("list", { websiteId: other.websiteId }, own)).status).toBe(404);
  expect((await post("create", { websiteId: other.websiteId, targetUrl: "https://a.example/" }, own)).status).toBe(404);
  const limited = {
    apiKey: await createKey({ organizationId: other.organizationId, websiteIds: [other.websiteId] }),
  };
  const ofNone = await create({}, other);
  expect((await post("get", { id: theirs.id }, limited)).status).toBe(200);
  expect((await post("get", { id: ofNone.id }, limited)).status).toBe(404);
  expect((await post("list", {}, limited)).body).toMatchObject({ total: 1 });
  expect((await post("create", { targetUrl: "https://a.example/" }, limited)).body).toMatchObject({
    code: "ACCESS_DENIED",
  });
  const reader = { apiKey: await createKey({ organizationId: other.organizationId, scopes: ["read:links"] }) };
  expect((await post("get", { id: theirs.id }, reader)).status).toBe(200);
  expect((await post("update", { id: theirs.id }, reader)).body).toMatchObject({ code: "ACCESS_DENIED" });
  expect((await send("POST", "/links/list", { body: {} })).body).toMatchObject({ code: "AUTH_REQUIRED" });
});

test("8.5: links of a deleted website do not redirect until it is restored", async () => {
  const website = await createWebsite();
  const made = await create({ websiteId: website.websiteId }, website);
  expect((await follow(made.slug)).status).toBe(302);
  const change = (path: string) =>
    send("POST", `/websites/${path}`, { body: { id: website.websiteId }, apiKey: website.apiKey });
  expect((await change("delete")).status).toBe(200);
  await expect.poll(async () => (await follow(made.slug)).status).toBe(404);
  expect((await post("list", {}, website)).body).toMatchObject({ total: 0 });
  expect((await change("restore")).status).toBe(200);
  await expect.poll(async () => (await follow(made.slug)).status).toBe(302);
});
