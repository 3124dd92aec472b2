import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { handlers } from "../../src/main/handlers.ts";
import { send } from "../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { type OwnServer, startOwnServer } from "../kit/stack/ownServer.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

vi.setConfig({ testTimeout: 240_000 });

type Point = {
  id: string;
  state: string;
  broken_by: string[];
  counts: { name: string; value: number | null; oldest_at?: string }[];
  settings: { name: string; value: string }[];
};
type Report = { points: Point[]; policy_text: string; disclaimer: string; generated_at: string; language: string };

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const dayMs = 86_400_000;

const pathOf = ({ websiteId }: Pick<TestWebsite, "websiteId">) => `/v1/websites/${websiteId}/privacy-report`;

async function reportOf(website: Pick<TestWebsite, "websiteId" | "apiKey">, options: object = {}): Promise<Report> {
  const answer = await send("GET", pathOf(website), { apiKey: website.apiKey, ...options });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body as Report;
}

function pointIn({ points }: Report, id: string): Point {
  const found = points.find((point) => point.id === id);
  if (found === undefined) throw new Error(`The report lacks ${id}`);
  return found;
}

const countsIn = (report: Report) =>
  Object.fromEntries(report.points.flatMap(({ counts }) => counts.map(({ name, value }) => [name, value])));

async function sendTo({ websiteId, apiKey }: Pick<TestWebsite, "websiteId" | "apiKey">, events: readonly object[]) {
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: events });
  expect(answer.body).toMatchObject({ status: "success" });
}

const view = { name: "page_view", path: "/" };
const byHash = (visitors: number) =>
  Array.from({ length: visitors }, (_, index) => ({ ...view, ip: `81.2.69.${index + 1}`, userAgent: firefox }));

let otherSettings: OwnServer;
beforeAll(async () => {
  const { dataDir } = inject("lookout");
  const env = { DATA_DIR: dataDir, HONOR_DO_NOT_TRACK: "false", TRUSTED_PROXIES: "10.0.0.0/8", BACKUP_TO: "s3://b/f" };
  otherSettings = await startOwnServer(handlers, { ...env, S3_ENDPOINT: "https://s3.eu.example" });
});
afterAll(async () => {
  await otherSettings?.close();
});

test("a website whose tracker stores nothing, and how its points turn with its settings", async () => {
  const website = await createWebsite({ domain: "shop.example" });
  const { websiteId, apiKey } = website;
  expect(pointIn(await reportOf(website), "device_storage").state).toBe("unknown");
  await sendTo(website, byHash(12));
  await storedRows("events", websiteId, 12);

  const report = await reportOf(website);
  expect(countsIn(report)).toMatchObject({ ids: 12, ids_sent: 0, "rows.events": 12, "smallest_group.path": 12 });
  for (const id of ["device_storage", "tracker_life", "one_website", "data_age", "retention", "publisher_alone"])
    expect(pointIn(report, id), id).toMatchObject({ state: "fulfilled", broken_by: [] });
  expect(report.policy_text).toContain("shop.example");
  expect(report.policy_text).toContain("nothing is stored on your device");
  expect(report.disclaimer).toContain("no legal advice");
  expect(Math.abs(Date.parse(report.generated_at) - Date.now())).toBeLessThan(dayMs);

  const update = (body: object) => send("POST", "/websites/update", { apiKey, body: { id: websiteId, ...body } });
  expect((await update({ publicAccess: true, paths: { trailingSlash: "keep", queryParameters: ["id"] } })).status).toBe(
    200,
  );
  const retention = { aggregatedDays: 800 };
  expect((await send("POST", "/websites/retention", { apiKey, body: { id: websiteId, retention } })).status).toBe(200);
  const of = { ...view, anonymousId: "ada", sessionId: "a visit" };
  await sendTo(website, [
    { ...of, path: "/for/ada@example.org" },
    { ...of, path: "/for/ada%40example.org" },
    { ...of, path: "/@ada/40%" },
  ]);
  await storedRows("events", websiteId, 15);
  const link = { name: "Offer", targetUrl: "https://shop.example/offer", websiteId };
  expect((await send("POST", "/links/create", { apiKey, body: link })).status).toBe(200);

  const changed = await reportOf(website);
  const broken = Object.fromEntries(
    changed.points.filter(({ state }) => state === "broken").map(({ id, broken_by }) => [id, broken_by]),
  );
  expect(broken).toMatchObject({
    publisher_alone: ["publicAccess"],
    device_storage: ["data-visitor"],
    data_age: ["retention.aggregatedDays"],
    direct_identifiers: ["path"],
    no_crossing: ["privacy.audienceOnly"],
    small_groups: ["privacy.audienceOnly"],
  });
  expect(countsIn(changed)).toMatchObject({ ids: 13, ids_sent: 1, "smallest_group.path": 1, short_links: 1 });
  expect(countsIn(changed)).toMatchObject({ emails_in_path: 2, emails_in_anonymous_id: 0 });
  expect(changed.policy_text).toContain("800 days");
  expect(pointIn(changed, "data_age").settings).toContainEqual({ name: "retention.aggregatedDays", value: "800" });
});

test("rows past their period, an id that lives too long, and one of two websites", async () => {
  const website = await createWebsite();
  const { apiKey, websiteId } = website;
  const made = await send("POST", "/websites/create", { apiKey, body: { name: "Other", domain: "other.example" } });
  const otherId = (made.body as { id: string }).id;
  const atMs = (daysAgo: number) => ({ ...view, anonymousId: "ada", timestamp: noonDaysAgo(daysAgo) });
  await sendTo(website, [atMs(400), atMs(1)]);
  await sendTo({ websiteId: otherId, apiKey }, [atMs(2)]);
  await storedRows("events", websiteId, 2);
  await storedRows("events", otherId, 1);

  const report = await reportOf(website);
  expect(pointIn(report, "tracker_life")).toMatchObject({
    state: "broken",
    counts: [{ name: "longest_id_days", value: 399 }],
  });
  expect(pointIn(report, "retention")).toMatchObject({ state: "broken", broken_by: ["retention.rawEventsDays"] });
  expect(pointIn(report, "one_website")).toMatchObject({
    state: "broken",
    counts: [
      { name: "ids_on_other_websites", value: 1 },
      { name: "websites_of_one_id", value: 2 },
    ],
  });
  const limited = await createKey({ organizationId: website.organizationId, websiteIds: [websiteId] });
  expect(pointIn(await reportOf({ websiteId, apiKey: limited }), "one_website").state).toBe("unknown");
});

test("visits are joined with clicks only where the settings allow it", async () => {
  const website = await createWebsite({ domain: "shop.example" });
  const { websiteId, apiKey } = website;
  const crossing = async () => {
    const point = pointIn(await reportOf(website), "no_crossing");
    const [views, links] = point.counts.map(({ value }) => value);
    const { state, broken_by, finding } = point as Point & { finding: string };
    return { state, broken_by, finding, views, links };
  };
  const turn = async (audienceOnly: boolean) => {
    const privacy = { place: "country", ids: "day", audienceOnly, smallestGroup: 10 };
    const body = { id: websiteId, privacy };
    expect((await send("POST", "/websites/update", { apiKey, body })).status).toBe(200);
  };
  const broken = { state: "broken", broken_by: ["privacy.audienceOnly"] };
  const fulfilled = { state: "fulfilled", broken_by: [] };
  expect(await crossing()).toMatchObject({ ...fulfilled, views: 0, links: 0 });

  const link = { name: "Offer", targetUrl: "https://shop.example/offer", websiteId };
  const made = (await send("POST", "/links/create", { apiKey, body: link })).body as { id: string };
  expect(await crossing()).toMatchObject({
    ...broken,
    views: 0,
    links: 1,
    finding: expect.stringContaining("will be"),
  });
  await turn(true);
  expect(await crossing()).toMatchObject({ ...fulfilled, views: 0, links: 1 });

  await turn(false);
  const arrival = { ...view, path: "/offer", ip: "81.2.69.7", userAgent: firefox };
  const joined = async () => {
    // The service learns within a second that links lead to the website.
    await sendTo(website, [arrival]);
    return Number((await crossing()).views) > 0;
  };
  await expect.poll(joined, { timeout: 100_000, interval: 500 }).toBe(true);
  expect(await crossing()).toMatchObject({ ...broken, finding: expect.stringContaining("can be joined") });
  await turn(true);
  expect(await crossing()).toMatchObject({ ...fulfilled, finding: expect.stringContaining("still hold") });

  // Clicks of a deleted link are still there, and what they are joined by.
  await turn(false);
  expect((await send("POST", "/links/delete", { apiKey, body: { id: made.id } })).status).toBe(200);
  expect(await crossing()).toMatchObject({ ...broken, links: 0 });
});

test("settings of the operator turn their points", async () => {
  const website = await createWebsite();
  const usual = await reportOf(website);
  expect(pointIn(usual, "objection_signals").state).toBe("fulfilled");
  expect(pointIn(usual, "addresses").state).toBe("fulfilled");
  expect(pointIn(usual, "recipients").state).toBe("fulfilled");
  const { baseUrl } = otherSettings;
  const other = await reportOf(website, { baseUrl });
  expect(pointIn(other, "objection_signals")).toMatchObject({ state: "broken", broken_by: ["HONOR_DO_NOT_TRACK"] });
  expect(pointIn(other, "addresses")).toMatchObject({ state: "unknown" });
  expect(pointIn(other, "recipients")).toMatchObject({
    state: "unknown",
    settings: [{ name: "BACKUP_TO", value: "s3.eu.example" }],
  });
  expect(other.policy_text).toContain("proxy");
  expect(other.policy_text).toContain("s3.eu.example");
});

describe("the form of the report", () => {
  const html = { accept: "text/html,application/xhtml+xml" };
  const ask = async (website: TestWebsite, query: string, headers: Record<string, string>) => {
    const answer = await fetch(`${inject("lookout").baseUrl}${pathOf(website)}${query}`, {
      headers: { "x-api-key": website.apiKey, ...headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  test("a page by Accept or format, in the language of the browser or the one named", async () => {
    const website = await createWebsite();
    const page = await ask(website, "", { ...html, "accept-language": "de-AT, en;q=0.5" });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("vary")).toContain("Accept");
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain("keine Rechtsberatung");
    const named = await ask(website, "?format=html&language=fr", { accept: "application/json" });
    expect(named.text).toContain('<html lang="fr">');
    const json = await ask(website, "?format=json&language=de", html);
    expect(json.headers.get("content-type")).toContain("application/json");
    expect(JSON.parse(json.text)).toMatchObject({ language: "de" });
    expect(json.text).not.toContain('"page"');
    expect(JSON.parse((await ask(website, "", {})).text)).toMatchObject({ language: "en" });
  });

  test("a wrong format or language is named", async () => {
    const website = await createWebsite();
    const answer = await ask(website, "?format=pdf&language=xx", {});
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('"field":"format"');
    expect(answer.text).toContain('"field":"language"');
  });
});
