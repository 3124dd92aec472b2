import { randomUUID } from "node:crypto";
import { expect, inject, test } from "vitest";
import { handlers } from "../../../src/main/handlers.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { createGate } from "../../kit/servers/gate.ts";
import { startOwnServer } from "../../kit/stack/ownServer.ts";
import { whenOthersKnow } from "../../kit/stack/whenOthersKnow.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { insertMonitor, writeChecks } from "../../kit/stores/monitorFixture.ts";

const dayMs = 86_400_000;
const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
const { baseUrl } = inject("lookout");

const newSlug = () => `page-${randomUUID().slice(0, 12)}`;

/** A call that succeeds; resolves to its answer, when all APIs show what it changed. */
async function call(path: string, apiKey: string, body: object): Promise<Record<string, unknown>> {
  const answer = await send("POST", path, { apiKey, body });
  expect(answer.body).not.toHaveProperty("error");
  expect(answer.status).toBe(200);
  if (!path.endsWith("/list")) await whenOthersKnow();
  return answer.body as Record<string, unknown>;
}

async function get(path: string, headers: Record<string, string> = {}, from = baseUrl) {
  const answer = await fetch(from + path, { headers: { "accept-language": "en", ...headers }, redirect: "manual" });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** A monitor that was up until now: with slots a day apart, the last one is that of today. */
async function upMonitor(website: TestWebsite, name: string) {
  const schedules = [{ fromMs: todayMs - 2 * dayMs, untilMs: null }];
  const monitor = await insertMonitor(website, { name, status: "active", intervalMs: dayMs, phaseMs: 0, schedules });
  await writeChecks(
    monitor,
    [-2, 0].map((day) => ({ dueMs: todayMs + day * dayMs, region: "local", status: "up" })),
  );
  return monitor;
}

test("a published page shows title, groups, days with coverage, reports and maintenance without script", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  const shop = await upMonitor(website, "Shop <b>");
  const hidden = await insertMonitor(website, { name: "Internal database" });
  const slug = newSlug();
  const page = await call("/uptime/status-pages/create", apiKey, {
    websiteId,
    slug,
    title: "Example status",
    logoText: "Example & Sons",
    description: "Our services",
    groups: [{ name: "Customers", monitorIds: [shop.id] }],
  });
  expect(page).toMatchObject({ slug, published: false, url: `${baseUrl}/status/${slug}` });
  // A draft is answered like a page that does not exist.
  const missing = await get(`/status/${newSlug()}`);
  expect(missing.status).toBe(404);
  const draft = await get(`/status/${slug}`);
  expect({ status: draft.status, text: draft.text }).toEqual({ status: 404, text: missing.text });
  expect((await get(`/status/${slug}/feed.atom`)).status).toBe(404);

  await call("/uptime/status-pages/update", apiKey, { id: page["id"], published: true });
  const report = await call("/uptime/status-reports/create", apiKey, {
    pageId: page["id"],
    title: "Slow payments",
    status: "investigating",
    text: "We look into it.\n<script>alert(1)</script>",
    monitorIds: [shop.id],
  });
  await call("/uptime/maintenance/create", apiKey, {
    websiteId,
    title: "New disks",
    startsAt: new Date(Date.now() + dayMs).toISOString(),
    endsAt: new Date(Date.now() + 2 * dayMs).toISOString(),
  });
  await call("/uptime/status-reports/update", apiKey, { id: report["id"], status: "identified", text: "Found it." });
  const shown = await get(`/status/${slug}`);
  expect(shown.status).toBe(200);
  const policy = shown.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect(shown.text).not.toMatch(/<script|style=|<b>/);
  for (const text of [
    "Example &#38; Sons",
    "Our services",
    "Customers",
    "Shop &#60;b&#62;",
    "Slow payments",
    "Found it.",
  ])
    expect(shown.text).toContain(text);
  expect(shown.text).toContain("<h2>Slow payments</h2>");
  expect(shown.text).not.toContain("Internal database");
  expect(shown.text).not.toContain(hidden.id);
  expect(shown.text).not.toContain("shop.invalid");
  // 87 days and yesterday were not checked, two days were up.
  expect(shown.text.match(/<g>/g)).toHaveLength(90);
  expect(shown.text.match(/class="fill-up"/g)).toHaveLength(2);
  expect(shown.text.match(/class="fill-unknown"/g)).toHaveLength(88);

  await call("/uptime/status-reports/update", apiKey, { id: report["id"], status: "resolved", text: "It is fixed." });
  const resolved = await get(`/status/${slug}`);
  expect(resolved.text).toContain("All systems are up");
  const german = await get(`/status/${slug}`, { "accept-language": "nl, de;q=0.8, en;q=0.5" });
  expect(german.headers.get("content-language")).toBe("de");
  expect(german.text).toContain("Alle Systeme laufen");
  expect((await get(`/status/${slug}?lang=de`)).text).toContain("Alle Systeme laufen");

  // Times are those of the reader's zone where it is known, with UTC beside them.
  expect(resolved.text).toContain("Times are UTC.");
  const chosen = await get(`/status/${slug}?tz=asia/tokyo`);
  expect(chosen.text).toContain("Times are those of Asia/Tokyo.");
  expect(chosen.text).toMatch(/<time datetime="[^"]+" title="[^"]+ UTC">[^<]+<\/time><br>Asia\/Tokyo \([^<]+ UTC\)/);
  const regional = await get(`/status/${slug}`, { "accept-language": "de-AT,de;q=0.9" });
  expect(regional.text).toContain("Zeiten gelten für Europe/Vienna, nach der Sprache Ihres Browsers.");
  for (const name of ["Nowhere/Town", "%2B02:00", "<b>"])
    expect((await get(`/status/${slug}?tz=${name}`)).text).toContain("Times are UTC.");

  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(shown.text)?.[1] ?? "";
  const sheet = await get(`/status/${style}`);
  expect(sheet.headers.get("cache-control")).toContain("immutable");
  expect(sheet.text).toContain("--accent");
});

test("feeds, the state as JSON and badges of a page; its answers are cached with tags", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  const shop = await upMonitor(website, "Shop");
  const openMs = Date.now() - 3_600_000;
  const incidentId = `${shop.id}/${openMs}`;
  await inDatabase((database) =>
    database.query(
      `INSERT INTO incidents (id, monitor_id, started_at, first_error, checks_affected, regions)
       VALUES ($1, $2, to_timestamp($3::float8 / 1000), 'secret.internal refused', 1, '{local}')`,
      [incidentId, shop.id, openMs],
    ),
  );
  const slug = newSlug();
  const page = await call("/uptime/status-pages/create", apiKey, { websiteId, slug, title: "Shop", published: true });
  expect((await get(`/status/${slug}`)).text).toContain("Shop is not available");
  const report = await call("/uptime/status-reports/create", apiKey, {
    pageId: page["id"],
    title: "A disk is full",
    status: "identified",
    text: "We add another one & more.",
    incidentId,
  });
  expect(report).toMatchObject({ incidentId, monitorIds: [shop.id], startedAt: new Date(openMs).toISOString() });

  const shown = await get(`/status/${slug}`);
  expect(shown.text).toContain("A disk is full");
  expect(shown.text).not.toContain("Shop is not available");
  const atom = await get(`/status/${slug}/feed.atom`);
  expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  expect(atom.text).toContain("<title>A disk is full</title>");
  expect(atom.text).toContain("We add another one &#38; more.");
  expect(atom.text).toContain(`<link rel="self" href="${baseUrl}/status/${slug}/feed.atom"/>`);
  expect((await get(`/status/${slug}/feed.rss`)).text).toContain("<guid>");
  const feed = JSON.parse((await get(`/status/${slug}/feed.json`)).text);
  expect(feed).toMatchObject({ version: "https://jsonfeed.org/version/1.1", items: [{ title: "A disk is full" }] });
  const state = JSON.parse((await get(`/status/${slug}/status.json`)).text);
  expect(state).toMatchObject({
    status: "incident",
    isCurrent: true,
    groups: [{ monitors: [{ id: shop.id, status: "up", uptimePercent: 100 }] }],
    incidents: [{ title: "A disk is full", monitorNames: ["Shop"], resolvedAt: null }],
  });
  for (const text of [shown.text, atom.text, JSON.stringify(state)]) expect(text).not.toContain("secret.internal");

  const badge = await get(`/status/${slug}/badge/${shop.id}.svg`);
  expect(badge.headers.get("content-type")).toBe("image/svg+xml");
  expect(badge.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(badge.text).toContain('aria-label="Shop: Up"');
  expect((await get(`/status/${slug}/badge.svg`)).text).toContain("Degraded");
  const other = await insertMonitor(await createWebsite(), { name: "Other" });
  expect((await get(`/status/${slug}/badge/${other.id}.svg`)).status).toBe(404);

  expect(shown.headers.get("cache-control")).toBe("public, max-age=5, must-revalidate");
  const etag = shown.headers.get("etag") ?? "";
  // The page says the minute in which it was read, so a new minute may begin between the two.
  await expect.poll(async () => (await get(`/status/${slug}`, { "if-none-match": etag })).status).toBe(304);
  const slashed = await get(`/status/${slug}/`);
  expect([slashed.status, slashed.headers.get("location")]).toEqual([301, `../${slug}`]);
});

test("pages and reports: validation, slugs of others, scopes, audit log, deletion", async () => {
  const [website, stranger] = await Promise.all([createWebsite(), createWebsite()]);
  const { websiteId, apiKey } = website;
  const slug = newSlug();
  const page = await call("/uptime/status-pages/create", apiKey, { websiteId, slug, title: "Mine", published: true });
  const create = (more: object, key = apiKey) =>
    send("POST", "/uptime/status-pages/create", {
      apiKey: key,
      body: { websiteId, slug: newSlug(), title: "T", ...more },
    });
  expect(await create({ slug })).toMatchObject({
    status: 409,
    body: { code: "CONFLICT", details: [{ field: "slug" }] },
  });
  expect(await create({ slug: "No-Capitals" })).toMatchObject({ status: 400, body: { details: [{ field: "slug" }] } });
  expect(await create({ title: " " })).toMatchObject({ status: 400, body: { details: [{ field: "title" }] } });
  const foreign = await insertMonitor(stranger, { name: "Other" });
  expect(await create({ groups: [{ name: "", monitorIds: [foreign.id] }] })).toMatchObject({
    status: 400,
    body: { details: [{ field: "groups[0].monitorIds[0]" }] },
  });
  const own = await insertMonitor(website, { name: "Own" });
  expect(await create({ groups: [{ monitorIds: [own.id] }, { monitorIds: [own.id] }] })).toMatchObject({
    status: 400,
    body: { details: [{ field: "groups[1].monitorIds[0]" }] },
  });
  const reader = await createKey({ organizationId: website.organizationId, scopes: ["read:uptime"] });
  expect((await create({}, reader)).status).toBe(403);
  expect(await call("/uptime/status-pages/list", reader, { websiteId })).toMatchObject({ pages: [{ id: page["id"] }] });
  // Also after its deletion an address stays with the organization that published it.
  const report = await call("/uptime/status-reports/create", apiKey, {
    pageId: page["id"],
    title: "Gone",
    status: "investigating",
    text: "What?",
  });
  expect(await call("/uptime/status-reports/list", reader, { pageId: page["id"] })).toMatchObject({
    reports: [{ id: report["id"], updates: [{ text: "What?" }] }],
  });
  await call("/uptime/status-reports/delete", apiKey, { id: report["id"] });
  expect((await get(`/status/${slug}`)).text).not.toContain("Gone");
  await call("/uptime/status-pages/delete", apiKey, { id: page["id"] });
  expect((await get(`/status/${slug}`)).status).toBe(404);
  const taken = { websiteId: stranger.websiteId, slug };
  expect(await create(taken, stranger.apiKey)).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
  await call("/uptime/status-pages/create", apiKey, { websiteId, slug, title: "Again" });
  const log = await call("/audit/list", apiKey, { websiteId });
  expect((log["entries"] as { action: string }[]).map(({ action }) => action).sort()).toEqual([
    "status_page.create",
    "status_page.create",
    "status_page.delete",
    "status_report.create",
    "status_report.delete",
  ]);
});

test("while QuestDB is away a page shows the last known state as such, never as the current one, and new reports", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  await upMonitor(website, "Shop");
  const slug = newSlug();
  const page = await call("/uptime/status-pages/create", apiKey, { websiteId, slug, title: "Shop", published: true });
  const address = new URL(inject("lookout").questdbPg);
  const gate = await createGate(Number(address.port));
  address.port = String(gate.port);
  const server = await startOwnServer(handlers, { QUESTDB_PG: address.href });
  const other = await startOwnServer(handlers, { QUESTDB_PG: address.href });
  try {
    const before = await get(`/status/${slug}`, {}, server.baseUrl);
    expect(before.text).toContain("All systems are up");
    await gate.shut();
    const report = { pageId: page["id"], title: "No figures", status: "identified", text: "Back soon." };
    // A change makes this process read the page at once, which is otherwise due after some seconds.
    const posted = await send("POST", "/uptime/status-reports/create", {
      apiKey,
      body: report,
      baseUrl: server.baseUrl,
    });
    expect(posted.status).toBe(200);
    const after = await get(`/status/${slug}`, {}, server.baseUrl);
    expect(after.status).toBe(200);
    expect(after.text).toContain("The current state is not known");
    expect(after.text).toContain("Below is what was known at");
    expect(after.text).toContain("Last known: Up");
    expect(after.text).toContain("Back soon.");
    expect(after.text).not.toContain("All systems are up");
    expect(after.headers.get("cache-control")).toBe("no-store");
    expect((await get(`/status/${slug}/badge.svg`, {}, server.baseUrl)).text).toContain("Unknown");
    const state = JSON.parse((await get(`/status/${slug}/status.json`, {}, server.baseUrl)).text);
    expect(state).toMatchObject({ status: "unknown", isCurrent: false, incidents: [{ title: "No figures" }] });
    // A process that never knew a state shows none.
    const never = await get(`/status/${slug}`, {}, other.baseUrl);
    expect(never.text).toContain("no earlier one is known here");
    expect(never.text).toContain("Back soon.");
    expect(never.text).not.toContain('class="fill-up"');
  } finally {
    await Promise.all([server.close(), other.close()]);
    await gate.shut();
  }
});

test("while Temporal is away a page shows what was checked, and what was not checked since as unknown", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  await upMonitor(website, "Shop");
  // Its checks have stopped: the last one was an hour ago.
  const schedule = { intervalMs: 60_000, phaseMs: 0, schedules: [{ fromMs: todayMs - dayMs, untilMs: null }] };
  const late = await insertMonitor(website, { name: "Late", ...schedule });
  await inDatabase((database) => database.query("UPDATE monitors SET status = 'active' WHERE id = $1", [late.id]));
  const lastMs = Math.floor(Date.now() / 60_000 - 60) * 60_000;
  await writeChecks(late, [{ dueMs: lastMs, region: "local", status: "up" }]);
  const slug = newSlug();
  await call("/uptime/status-pages/create", apiKey, { websiteId, slug, title: "Shop", published: true });
  const gate = await createGate(Number(inject("lookout").temporalAddress.split(":")[1]));
  await gate.shut();
  const server = await startOwnServer(handlers, { TEMPORAL_ADDRESS: `127.0.0.1:${gate.port}` });
  try {
    const page = await get(`/status/${slug}`, {}, server.baseUrl);
    expect(page.status).toBe(200);
    expect(page.text).not.toContain("All systems are up");
    const { status, isCurrent, groups } = JSON.parse(
      (await get(`/status/${slug}/status.json`, {}, server.baseUrl)).text,
    );
    expect({ status, isCurrent }).toEqual({ status: "unknown", isCurrent: true });
    expect(groups[0].monitors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "Shop", status: "up" }),
        expect.objectContaining({ name: "Late", status: "unknown" }),
      ]),
    );
  } finally {
    await server.close();
    await gate.shut();
  }
});
