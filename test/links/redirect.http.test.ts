import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { expect, inject, test, vi } from "vitest";
import { LinkService } from "../../src/gen/lookout/v1/links_pb.ts";
import { handlers } from "../../src/main/handlers.ts";
import { chrome, chromeOnAndroid, clicksOf, create, follow, post, safariOnIphone } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite } from "../kit/calls/website.ts";
import { startOwnServer } from "../kit/stack/ownServer.ts";

const seen = (id: string, key: { apiKey: string }, clicks: number) =>
  vi.waitFor(async () => expect(await clicksOf(id, key)).toBe(clicks), { timeout: 100_000, interval: 100 });

test("8.5: a link answers 302 and is not cached; visits of persons count, HEAD, prefetches and bots do not", async () => {
  const website = await createWebsite();
  const made = await create({ targetUrl: "https://target.example/ä?q=1#part" }, website);
  const first = await follow(made.slug);
  expect(first).toMatchObject({
    status: 302,
    location: "https://target.example/%C3%A4?q=1#part",
    headers: { "cache-control": "private, no-store", "x-request-id": expect.stringMatching(/^req_/) },
    text: "",
  });
  const uncounted = [
    await follow(made.slug, { method: "HEAD" }),
    await follow(made.slug, { headers: { "user-agent": "Mozilla/5.0 (compatible; Googlebot/2.1)" } }),
    await follow(made.slug, { headers: { "user-agent": "facebookexternalhit/1.1" } }),
    await follow(made.slug, { headers: { "sec-purpose": "prefetch;prerender" } }),
    await follow(made.slug, { headers: { purpose: "prefetch" } }),
    await follow(made.slug, { headers: { "x-moz": "prefetch" } }),
    await follow(made.slug, { headers: { dnt: "1" } }),
    await follow(made.slug, { headers: { "sec-gpc": "1" } }),
  ];
  for (const answer of uncounted) expect(answer).toMatchObject({ status: 302, location: first.location });
  await follow(made.slug);
  await seen(made.id, website, 2);
});

test("4.14: only browsers count as clicks and visitors: HTTP libraries, scanners and link previews are redirected uncounted", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  const programs = [
    ...["python-requests/2.32.3", "Go-http-client/1.1", "axios/1.7.2", "curl/8.5.0", "Wget/1.21.4", "okhttp/4.12.0"],
    ...["node", "Java/17.0.9", "Apache-HttpClient/4.5.14 (Java/17.0.9)", "Dart/3.4 (dart:io)", "PostmanRuntime/7.39.0"],
    ...[
      "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
      "WhatsApp/2.23.20.0",
      "TelegramBot (like TwitterBot)",
    ],
    ...["Mozilla/5.0 zgrab/0.x", "Mozilla/5.0 (compatible; CensysInspect/1.1)", "sqlmap/1.8", "BarracudaCentral/1.0"],
    ...["MyApp/1.0 CFNetwork/1410.0.3 Darwin/22.6.0", "Dalvik/2.1.0 (Linux; U; Android 13; Pixel 7)", ""],
  ];
  for (const agent of programs)
    expect(await follow(made.slug, { headers: { "user-agent": agent } })).toMatchObject({
      status: 302,
      location: "https://target.example/page",
    });
  await follow(made.slug);
  await follow(made.slug, { headers: { "user-agent": safariOnIphone } });
  await seen(made.id, website, 2);
  const today = new Date().toISOString().slice(0, 10);
  const visitors = await send("POST", "/analytics/query", {
    body: { websiteId: made.id, metric: "uniqueVisitors", dateFrom: today, dateTo: today },
    apiKey: website.apiKey,
  });
  expect(visitors.body).toMatchObject({ total: 2 });
});

test("8.5: an unknown link is a small page for browsers, without scripts and external parts, and JSON for programs", async () => {
  const page = await follow("no-such-link-here");
  expect(page).toMatchObject({
    status: 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    },
  });
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; form-action/);
  expect(page.text).toContain("There is no link at this address");
  expect(page.text.length).toBeLessThan(2_000);
  expect(page.text).not.toMatch(/<script|src=|href=|@import|url\(/);
  for (const path of ["no-such-link-here", "%00", "a%20b", "..%2f", "constructor"]) {
    const answer = await send("GET", `/l/${path}`);
    expect(answer).toMatchObject({ status: 404, body: { success: false, code: "NOT_FOUND" } });
  }
  expect((await send("GET", `/l/${"x".repeat(65)}`)).status).toBe(400);
  expect((await send("PUT", "/l/x")).headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
});

test("8.5: an expired link is 410 or redirects to its expiry target; neither counts", async () => {
  const website = await createWebsite();
  const gone = await create({ expiresAt: "2020-01-01T00:00:00Z" }, website);
  expect(await follow(gone.slug)).toMatchObject({ status: 410, text: expect.stringContaining("has expired") });
  expect(await send("GET", `/l/${gone.slug}`)).toMatchObject({ status: 410, body: { code: "NOT_FOUND" } });
  const moved = await create({ expiresAt: "2020-01-01", expiredUrl: "https://later.example/" }, website);
  expect(await follow(moved.slug)).toMatchObject({ status: 302, location: "https://later.example/" });
  const soon = await create({ expiresAt: new Date(Date.now() + 1_500).toISOString() }, website);
  expect((await follow(soon.slug)).status).toBe(302);
  await expect.poll(async () => (await follow(soon.slug)).status).toBe(410);
  expect(await clicksOf(gone.id, website)).toBe(0);
  expect(await clicksOf(moved.id, website)).toBe(0);
});

test("8.5: exactly the limit of clicks pass, over two processes at the same time; a bot uses none", async () => {
  const website = await createWebsite();
  const [one, two] = [await startOwnServer(handlers), await startOwnServer(handlers)];
  try {
    const made = await create({ clickLimit: 25, expiredUrl: "https://used-up.example/" }, website);
    await follow(made.slug, { headers: { "user-agent": "Googlebot/2.1" } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => follow(made.slug, { baseUrl: [one, two][index % 2]?.baseUrl ?? "" })),
    );
    const targets = answers.map(({ location }) => location);
    expect(targets.filter((location) => location === "https://target.example/page")).toHaveLength(25);
    expect(targets.filter((location) => location === "https://used-up.example/")).toHaveLength(35);
    await seen(made.id, website, 25);
    await post("update", { id: made.id, clickLimit: 26 }, website);
    expect((await follow(made.slug)).location).toBe("https://target.example/page");
    expect((await follow(made.slug)).location).toBe("https://used-up.example/");
  } finally {
    await one.close();
    await two.close();
  }
});

test("8.5: a limit that is set later counts the clicks before it", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  for (let click = 0; click < 3; click += 1) await follow(made.slug);
  await seen(made.id, website, 3);
  await post("update", { id: made.id, clickLimit: 4 }, website);
  expect((await follow(made.slug)).status).toBe(302);
  expect((await follow(made.slug)).status).toBe(410);
});

test("8.5: a link redirects each device to its target, with the campaign appended", async () => {
  const website = await createWebsite();
  const made = await create(
    {
      targetUrl: "https://target.example/p?keep=a%20b&utm_source=old#top",
      iosUrl: "https://apps.example/ios",
      androidUrl: "https://apps.example/android",
      utm: { source: "mail", medium: "e & f" },
    },
    website,
  );
  const locationFor = async (agent: string) => (await follow(made.slug, { headers: { "user-agent": agent } })).location;
  expect(await locationFor(chrome)).toBe(
    "https://target.example/p?keep=a%20b&utm_source=mail&utm_medium=e%20%26%20f#top",
  );
  expect(await locationFor(safariOnIphone)).toBe("https://apps.example/ios?utm_source=mail&utm_medium=e%20%26%20f");
  expect(await locationFor(chromeOnAndroid)).toBe(
    "https://apps.example/android?utm_source=mail&utm_medium=e%20%26%20f",
  );
  await post("update", { id: made.id, desktopUrl: "https://desktop.example/", utm: {} }, website);
  expect(await locationFor(chrome)).toBe("https://desktop.example/");
});

test("8.5: a link with a password shows a form, redirects with the password, and slows guesses", async () => {
  const website = await createWebsite();
  const made = await create({ password: "Größe 1" }, website);
  expect(made).toMatchObject({ hasPassword: true });
  expect(JSON.stringify(made)).not.toContain("Größe");
  const form = await follow(made.slug);
  expect(form).toMatchObject({ status: 401, location: undefined });
  expect(form.text).toMatch(/<form method="post">.*<input type="password" name="password"/);
  const enter = (password: string) =>
    follow(made.slug, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ password }).toString(),
    });
  expect(await enter("Größe 1")).toMatchObject({ status: 303, location: "https://target.example/page" });
  const wrong = await enter("<b>guess</b>");
  expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining("This is not the password") });
  expect(wrong.text).not.toContain("guess");
  const json = await send("POST", `/l/${made.slug}`, { body: { password: "no" } });
  expect(json).toMatchObject({ status: 401, body: { code: "UNAUTHORIZED" } });
  for (let guess = 0; guess < 3; guess += 1) await enter(`guess ${guess}`);
  const refused = await enter("Größe 1");
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  await seen(made.id, website, 1);
  await post("update", { id: made.id, password: "" }, website);
  expect((await follow(made.slug)).status).toBe(302);
});

test("8.5: the link as a QR code, SVG or PNG of the requested size", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  const { baseUrl } = inject("lookout");
  const get = (query: string) => fetch(`${baseUrl}/l/${made.slug}/qr${query}`);
  const svg = await get("?size=300");
  expect(svg.headers.get("content-type")).toBe("image/svg+xml");
  expect(svg.headers.get("content-disposition")).toMatch(/^inline/);
  expect(await svg.text()).toMatch(/^<svg [^>]*width="300" height="300"/);
  const png = Buffer.from(await (await get("?format=png&size=512")).arrayBuffer());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  // Width and height are in the first chunk (PNG specification, section 11.2.2); whole modules leave a few pixels.
  expect(png.readUInt32BE(16)).toBe(512);
  expect((await get("?size=5000")).status).toBe(400);
  expect((await fetch(`${baseUrl}/l/no-such-link-here/qr`)).status).toBe(404);
});

test("8.5: over gRPC the same calls answer messages; a click counts if the visitor's User-Agent is passed on", async () => {
  const website = await createWebsite();
  const links = createClient(LinkService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const headers = { authorization: `Bearer ${website.apiKey}` };
  const { link } = await links.createLink({ targetUrl: "https://target.example/", password: "open" }, { headers });
  await expect(links.followLink({ slug: link?.slug ?? "" })).rejects.toThrow(/needs a password/);
  const unlock = { slug: link?.slug ?? "", password: "open" };
  expect((await links.unlockLink(unlock)).targetUrl).toBe("https://target.example/");
  expect((await links.unlockLink(unlock, { headers: { "user-agent": chrome } })).targetUrl).toBe(
    "https://target.example/",
  );
  await seen(link?.id ?? "", website, 1);
  const parts = links.getLinkQr({ slug: link?.slug ?? "" });
  for await (const part of parts) expect(part.contentType).toBe("image/svg+xml");
  const answer = await links
    .queryLinkAnalytics(
      { websiteId: website.organizationId, metric: "clicks", dateFrom: "2026-01-01", dateTo: "2199-01-01T00:00:00Z" },
      { headers },
    )
    .catch((error: unknown) => error);
  expect(String(answer)).toContain("at most 10 years");
});

test("8.5: a changed or deleted link stops within a second in another process, and a new one is found there", async () => {
  const website = await createWebsite();
  const other = await startOwnServer(handlers);
  try {
    const slug = `other-${website.websiteId.slice(0, 8)}`;
    const at = () => follow(slug, { baseUrl: other.baseUrl });
    expect((await at()).status).toBe(404);
    const made = await create({ slug }, website);
    await expect.poll(async () => (await at()).status).toBe(302);
    await post("update", { id: made.id, targetUrl: "https://changed.example/" }, website);
    await expect.poll(async () => (await at()).location).toBe("https://changed.example/");
    await post("delete", { id: made.id }, website);
    await expect.poll(async () => (await at()).status).toBe(404);
    // In the process that made the change it applies at once.
    expect((await follow(slug)).status).toBe(404);
  } finally {
    await other.close();
  }
});

test("8.5: parameters of the short link go to the target, unless it has them or the link says otherwise", async () => {
  const website = await createWebsite();
  const made = await create({ targetUrl: "https://target.example/p?own=1", utm: { source: "mail" } }, website);
  const asked = `${made.slug}?own=2&utm_source=x&ref=poster`;
  const passed = "https://target.example/p?own=1&utm_source=mail&ref=poster";
  expect(await follow(asked)).toMatchObject({ status: 302, location: passed });
  await post("update", { id: made.id, password: "open" }, website);
  const unlocked = await fetch(`${inject("lookout").baseUrl}/l/${asked}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", "user-agent": chrome },
    body: "password=open",
  });
  expect(unlocked.headers.get("location")).toBe(passed);
  const changed = await post("update", { id: made.id, password: "", forwardQuery: false }, website);
  expect(changed.body).toMatchObject({ forwardQuery: false });
  expect(await follow(asked)).toMatchObject({ location: "https://target.example/p?own=1&utm_source=mail" });
  const other = await create({ forwardQuery: false, expiredUrl: "https://target.example/over" }, website);
  expect(other).toMatchObject({ forwardQuery: false });
  await post("update", { id: other.id, forwardQuery: true, expiresAt: "2020-01-01" }, website);
  expect(await follow(`${other.slug}?ref=a`)).toMatchObject({ location: "https://target.example/over" });
});

test("8.5: what a sentence ends with belongs to no short link", async () => {
  const website = await createWebsite();
  const made = await create({}, website);
  for (const end of ["", ".", "/", "./", "/?x=1", "..."])
    expect(await follow(`${made.slug}${end}`), end).toMatchObject({ status: 302 });
  for (const end of ["//", ".a", "/a", "%2F"])
    expect(await follow(`${made.slug}${end}`), end).toMatchObject({ status: 404 });
  await seen(made.id, website, 6);
});

test("rules of a link's website: whom they exclude is redirected and is no click, and uses up no click of a limit", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  /** A link that is followed for the first time while these rules are in force. */
  const withRules = async (rules: object, clickLimit: number) => {
    const changed = await send("POST", "/websites/update", { apiKey, body: { id: websiteId, rules } });
    expect(changed.status).toBe(200);
    return await create({ websiteId, clickLimit }, website);
  };
  const made = await withRules(
    { userAgents: ["kioskview/3"], referrers: ["intranet.example"], hosts: ["staging.example"], paths: ["/page*"] },
    1,
  );
  const kiosk = `${chrome} KioskView/3.1`;
  const excluded: Record<string, string>[] = [
    { "user-agent": kiosk },
    { referer: "https://intranet.example/wiki" },
    { "user-agent": kiosk, referer: "https://intranet.example/" },
  ];
  const redirected = { status: 302, location: "https://target.example/page" };
  for (const headers of excluded) expect(await follow(made.slug, { headers })).toMatchObject(redirected);
  // Rules about pages do not concern links.
  expect(await follow(made.slug, { headers: { referer: "https://staging.example/" } })).toMatchObject(redirected);
  expect((await follow(made.slug)).status).toBe(410);
  await seen(made.id, website, 1);

  const other = await withRules({ networks: ["127.0.0.0/8", "::1"] }, 1);
  for (let time = 0; time < 2; time++) expect(await follow(other.slug)).toMatchObject(redirected);

  const byKind = async () => {
    const body = { preset: "today", parameters: ["excluded_traffic"] };
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
    const [first] = (answer.body as { data: { data: { reason: string; kind: string; count: number }[] }[] }).data;
    return Object.fromEntries((first?.data ?? []).map(({ reason, kind, count }) => [`${reason} ${kind}`, count]));
  };
  await expect.poll(byKind, { timeout: 100_000 }).toEqual({
    "blocked_by_rule user_agent": 2,
    "blocked_by_rule referrer": 1,
    "blocked_by_rule network": 2,
  });
  expect(await clicksOf(other.id, website)).toBe(0);
});
