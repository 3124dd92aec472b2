import { expect, test, vi } from "vitest";
import { utcDayOf } from "../../src/time/utcDay.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";

vi.setConfig({ testTimeout: 240_000 });

type Row = Readonly<Record<string, unknown>>;

const smallestGroup = 5;

let website: TestWebsite;
let stored = 0;

async function visit(names: readonly string[], timestamp?: number): Promise<void> {
  const { websiteId, apiKey } = website;
  const view = { name: "page_view", path: "/", country: "DE", ...(timestamp === undefined ? {} : { timestamp }) };
  const body = names.map((name) => ({ ...view, anonymousId: name, sessionId: name }));
  const answer = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body });
  expect(answer.body).toMatchObject({ status: "success" });
  stored += names.length;
  await storedRows("events", websiteId, stored);
}

/** The first row of each type about today. */
async function today(...parameters: string[]): Promise<Row[]> {
  const { websiteId, apiKey } = website;
  const body = { preset: "today", parameters };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  const { data } = answer.body as { data: { success: boolean; error?: string; data: Row[] }[] };
  for (const { success, error } of data) expect([success, error ?? ""]).toEqual([true, ""]);
  return data.map(({ data: [row] }) => row ?? {});
}

const ofToday = ["summary_metrics", "session_metrics", "websites_today", "websites_now", "active_stats"];
const visitors = (count: number, name = "today") => Array.from({ length: count }, (_, index) => `${name} ${index}`);

test("a website with earlier visitors measures its audience only", async () => {
  website = await createWebsite();
  await visit(visitors(7, "earlier"), noonDaysAgo(2));
  const privacy = { place: "country", ids: "day", audienceOnly: true, smallestGroup };
  const body = { id: website.websiteId, privacy };
  expect((await send("POST", "/websites/update", { apiKey: website.apiKey, body })).status).toBe(200);
});

test("4.1: one visitor more changes no figure of today, and a group of visitors does", async () => {
  await visit(visitors(4));
  const [tooFew, , ...presence] = await today(...ofToday);
  expect(tooFew).toMatchObject({ unique_visitors: null, pageviews: null, sessions: null });
  expect(presence).toMatchObject([
    { visitors: null, sessions: null, usual_visitors: null },
    { website_id: website.websiteId, active_users: null },
    { active_users: null },
  ]);

  await visit(visitors(8).slice(4));
  const before = await today(...ofToday);
  // Too few page views are unknown, not 0, and so is each rate of a day that is not over.
  expect(before[0]).toMatchObject({ unique_visitors: 5, sessions: 5, pageviews: null, bounce_rate: null });
  expect(before[2]).toMatchObject({ visitors: 5, sessions: 5 });
  expect(before.slice(3)).toMatchObject([{ active_users: 5 }, { active_users: 5 }]);

  await visit(["one more", "one more", "one more"]);
  expect(await today(...ofToday)).toEqual(before);

  await visit(visitors(12).slice(8));
  const [totals, , ofWebsite, ...now] = await today(...ofToday);
  expect(totals).toMatchObject({ unique_visitors: 10, sessions: 10 });
  expect(ofWebsite).toMatchObject({ visitors: 10, sessions: 10 });
  expect(now).toMatchObject([{ active_users: 10 }, { active_users: 10 }]);
});

test("4.1: a range with today has exact figures of the days before, and their rates", async () => {
  const { websiteId, apiKey } = website;
  const days = { startDate: utcDayOf(noonDaysAgo(2)), endDate: utcDayOf(Date.now()) };
  const body = { ...days, parameters: ["summary_metrics", "events_by_date"] };
  const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
  const [totals, series] = (answer.body as { data: { data: Row[] }[] }).data;
  expect(totals?.data).toMatchObject([{ unique_visitors: 17, sessions: 17, pageviews: 7, bounce_rate: 100 }]);
  expect(series?.data.map(({ visitors }) => visitors)).toEqual([7, null, 10]);
});

test("4.1: the order of websites tells no more than their figures", async () => {
  const { apiKey, organizationId } = website;
  // More than are shown of the website, and fewer than it has.
  const made = await send("POST", "/websites/create", { apiKey, body: { name: "Other", domain: "other.example" } });
  const { id } = made.body as { id: string };
  const view = { name: "page_view", path: "/" };
  const events = visitors(11, "other").map((anonymousId) => ({ ...view, anonymousId }));
  expect((await send("POST", `/batch?website_id=${id}`, { apiKey, body: events })).status).toBe(200);
  await storedRows("events", id, 11);
  const query = { preset: "today", parameters: ["websites_now", "websites_today"] };
  const answer = await send("POST", `/v1/query?organization_id=${organizationId}`, { apiKey, body: query });
  const [now, ofToday] = (answer.body as { data: { data: Row[] }[] }).data;
  const ids = [id, website.websiteId];
  expect(now?.data.map((row) => row["website_id"])).toEqual(ids);
  expect(ofToday?.data.map((row) => row["website_id"])).toEqual(ids);
});

test("4.1: what was left out has no figures of people, whose rules would be filters", async () => {
  const { websiteId, apiKey } = await createWebsite();
  const update = async (body: object) =>
    expect((await send("POST", "/websites/update", { apiKey, body: { id: websiteId, ...body } })).status).toBe(200);
  await update({ rules: { paths: ["/secret"] } });
  const view = { name: "page_view", path: "/secret", anonymousId: "one" };
  const userAgent = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
  const events = [view, { ...view, path: "/", userAgent }];
  expect((await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: events })).status).toBe(200);
  const ask = async () => {
    const body = { preset: "today", parameters: ["excluded_traffic", "excluded_traffic_by_day"] };
    const answer = await send("POST", `/v1/query?website_id=${websiteId}`, { apiKey, body });
    const [reasons, byDay] = (answer.body as { data: { data: Row[] }[] }).data;
    return { reasons: reasons?.data.map(({ reason }) => reason).sort(), day: byDay?.data[0] };
  };
  const polling = { timeout: 100_000, interval: 250 };
  await expect.poll(async () => (await ask()).reasons, polling).toEqual(["blocked_by_rule", "bot"]);
  expect((await ask()).day).toMatchObject({ count: 2, bots: 1, blocked_by_rule: 1 });
  await update({ privacy: { place: "country", ids: "day", audienceOnly: true, smallestGroup } });
  expect((await ask()).reasons).toEqual(["bot"]);
  expect((await ask()).day).toMatchObject({ count: 1, bots: 1, blocked_by_rule: null, do_not_track: null });
});
