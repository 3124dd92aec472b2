import { expect, test, vi } from "vitest";
import { utcDayOf } from "../../src/time/utcDay.ts";
import { receiptOf, shown, startErasure } from "../kit/calls/erasureCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import type { decisions } from "./audienceDecisions.ts";

vi.setConfig({ testTimeout: 240_000 });

const smallestGroup = 5;
/** Rows are rounded up to multiples of it. */
const step = 10 * smallestGroup;
const sentence = "this website measures its audience only, by its setting privacy.audienceOnly";
const day = utcDayOf(noonDaysAgo(3));

let website: TestWebsite;

const post = (path: string, body: object) => send("POST", path, { apiKey: website.apiKey, body });

test("a website with 23 page views of 7 visitors measures its audience only", async () => {
  website = await createWebsite();
  const { websiteId } = website;
  const view = { name: "page_view", path: "/", timestamp: noonDaysAgo(3) };
  const body = Array.from({ length: 23 }, (_, index) => ({ ...view, anonymousId: `visitor ${index % 7}` }));
  expect((await post(`/batch?website_id=${websiteId}`, body)).body).toMatchObject({ status: "success" });
  await storedRows("events", websiteId, 23);
  const privacy = { place: "country", ids: "day", audienceOnly: true, smallestGroup };
  expect((await post("/websites/update", { id: websiteId, privacy })).status).toBe(200);
});

type Sentence = (typeof decisions.sentence)[number];

test("4.4 to 4.18: calls that would answer from rows of visitors say why they do not", async () => {
  const { websiteId } = website;
  const days = { startDate: day, endDate: day };
  const query = `?website_id=${websiteId}`;
  const custom = { table: "events", selects: [{ field: "*", aggregate: "count", alias: "n" }] };
  const kinds = ["events", "sessions", "errors", "performance", "aggregated", "excluded_traffic"];
  const exported = { format: "csv", data_types: kinds, start_date: day, end_date: day };
  const calls: Readonly<Record<Sentence, readonly [string, object]>> = {
    AnalyzeFunnel: [`/v1/query/funnel${query}`, { ...days, steps: [{ page: "/" }, { page: "/a" }] }],
    AnalyzeGoals: [`/v1/query/goals${query}`, { ...days, goals: [{ page: "/" }] }],
    AnalyzeJourneys: [`/v1/query/journeys${query}`, days],
    CompileQuery: [`/v1/query/compile${query}`, { type: "countries", from: day, to: day }],
    CreateExport: [`/v1/websites/${websiteId}/export`, exported],
    CustomQuery: [`/v1/query/custom${query}`, { ...days, query: custom }],
    PreviewRules: ["/websites/rules/preview", { id: websiteId, rules: { paths: ["/"] } }],
  };
  for (const [name, [path, body]] of Object.entries(calls)) {
    const answer = await post(path, body);
    expect([name, answer.status, JSON.stringify(answer.body)]).toEqual([name, 409, expect.stringContaining(sentence)]);
  }
  for (const kind of kinds) {
    const answer = await post(`/v1/websites/${websiteId}/export`, { ...exported, data_types: [kind] });
    expect([kind, answer.status]).toEqual([kind, 409]);
  }
});

const erased = { start_date: day, end_date: day, data_types: ["events", "errors"] };

test("4.17: a preview rounds rows up, and has none of one visitor", async () => {
  const path = `/v1/websites/${website.websiteId}/data/preview`;
  expect((await post(path, erased)).body).toMatchObject({ rows: { events: step, errors: 0 } });
  const ofOne = await post(path, { ...erased, anonymous_id: "visitor 1" });
  expect([ofOne.status, JSON.stringify(ofOne.body)]).toEqual([409, expect.stringContaining(sentence)]);
});

test("part 8: shorter periods round what they would erase, wherever it is answered", async () => {
  const { websiteId: id, apiKey } = website;
  const retention = { rawEventsDays: 1 };
  const preview = await post("/websites/retention/preview", { id, retention });
  expect(preview.body).toMatchObject({ wouldErase: { events: step, errors: 0 } });
  expect((await post("/websites/retention", { id, retention })).body).toMatchObject({
    pendingRetention: { wouldErase: { events: step } },
  });
  const [listed] = ((await post("/websites/list", {})).body as { websites: object[] }).websites;
  expect(listed).toMatchObject({ pendingRetention: { wouldErase: { events: step } } });
  expect((await post("/websites/get", { id })).body).toMatchObject({
    pendingRetention: { wouldErase: { events: step } },
  });
  expect((await post("/websites/retention/cancel", { id })).status).toBe(200);
  expect((await send("POST", "/websites/retention/runs", { apiKey, body: { id } })).status).toBe(200);
});

test("the privacy report rounds what it counts and says so", async () => {
  const { websiteId, apiKey } = website;
  const { body } = await send("GET", `/v1/websites/${websiteId}/privacy-report`, { apiKey });
  const { points, disclaimer } = body as {
    points: { id: string; counts: { name: string; value?: number; oldest_at?: string }[] }[];
    disclaimer: string;
  };
  const counts = points.flatMap((point) => point.counts);
  const rows = counts.filter(({ name }) => name.startsWith("rows.") || /^(ids|ids_sent|events|sessions)$/.test(name));
  expect(rows.map(({ name, value }) => [name, (value ?? 0) % step])).toEqual(rows.map(({ name }) => [name, 0]));
  expect(new Map(rows.map(({ name, value }) => [name, value])).get("ids")).toBe(step);
  for (const { oldest_at: at } of counts) if (at !== undefined) expect(at).toMatch(/T00:00:00\.000Z$/);
  expect(disclaimer).toContain(`rounded up to multiples of ${step}`);
});

test("4.17: an erasure of one visitor shows neither how many rows it erased nor of which days, also in the audit log", async () => {
  const { deletion_id: id, deleted } = await startErasure(website, { ...erased, anonymous_id: "visitor 1" });
  expect(deleted).toMatchObject({ events: step, errors: 0 });
  const receipt = await receiptOf(website, id);
  expect(receipt.tables.find(({ table }) => table === "events")).toEqual({
    table: "events",
    rows_before: step,
    rows_after: 0,
  });
  expect(receipt.days).toEqual([]);
  expect(await shown(website, id)).toMatchObject({ days_done: 0, days_total: 0, receipt });
  const listed = await send("GET", `/v1/websites/${website.websiteId}/deletions`, { apiKey: website.apiKey });
  expect(listed.body).toMatchObject({ deletions: [{ deletion_id: id, days_total: 0, receipt }] });
  const { entries } = (await post("/audit/list", {})).body as { entries: { action: string; after?: object }[] };
  const after = (action: string) => entries.find((entry) => entry.action === action)?.after;
  expect(after("data.erase")).toMatchObject({ deleted: { events: step } });
  expect(JSON.stringify(after("data.erased"))).toContain(`"rowsBefore":${step}`);
});
