import { afterAll, expect, test, vi } from "vitest";
import { tools } from "../../src/mcp/tools/tools.ts";
import { catalogue } from "../../src/query/catalogue/catalogue.ts";
import { utcDayOf } from "../../src/time/utcDay.ts";
import { create as createLink } from "../kit/calls/linkCalls.ts";
import { send } from "../kit/calls/request.ts";
import { createWebsite, type TestWebsite } from "../kit/calls/website.ts";
import { insertMonitor } from "../kit/stores/monitorFixture.ts";
import { noonDaysAgo } from "../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../kit/stores/storedRows.ts";
import { type Assistant, connectAssistant, type ToolAnswer } from "./mcpClient.ts";

vi.setConfig({ testTimeout: 240_000 });

const smallestGroup = 5;
const sentence = "this website measures its audience only, by its setting privacy.audienceOnly";
/** What only one visitor has, whose country and page no tool may answer. */
const secret = { country: "IS", path: "/only-ada", anonymousId: "ada-1815", sessionId: "visit-1815" };

type Row = Readonly<Record<string, unknown>>;

let website: TestWebsite;
let assistant: Assistant;
let monitorId: string;
let slug: string;

const days = { startDate: utcDayOf(noonDaysAgo(2)), endDate: utcDayOf(Date.now()) };

test("a website of which one visitor has a country and a page alone measures its audience only", async () => {
  website = await createWebsite({ firstEventOn: "2020-01-01" });
  const { websiteId, apiKey } = website;
  const view = (name: string, ago: number) => ({
    name: "page_view",
    path: "/",
    country: "DE",
    anonymousId: name,
    sessionId: name,
    timestamp: ago === 0 ? Date.now() : noonDaysAgo(ago),
  });
  const others = Array.from({ length: 12 }, (_, index) => view(`visitor ${index}`, 2));
  const body = [...others, { ...view("", 2), ...secret }, { ...view("", 0), ...secret }];
  const sent = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body });
  expect(sent.body).toMatchObject({ status: "success" });
  await storedRows("events", websiteId, body.length);
  monitorId = (await insertMonitor(website, { name: "Shop" })).id;
  slug = (await createLink({ websiteId, targetUrl: "https://example.com/offer" }, website)).slug;
  const privacy = { place: "country", ids: "day", audienceOnly: true, smallestGroup };
  expect((await send("POST", "/websites/update", { apiKey, body: { id: websiteId, privacy } })).status).toBe(200);
  assistant = await connectAssistant(apiKey);
});
afterAll(() => assistant?.client.close());

/** What a tool answered, in which nothing is of the one visitor. */
async function use(name: string, given: Record<string, unknown>): Promise<ToolAnswer> {
  const answer = await assistant.use(name, given);
  const text = `${JSON.stringify(answer.content)}${answer.failure}`;
  for (const value of [secret.path, secret.anonymousId, secret.sessionId, '"IS"', "Iceland"])
    expect([name, given, text.includes(value)]).toEqual([name, given, false]);
  return answer;
}

/** Refused with the sentence. */
async function refused(name: string, given: Record<string, unknown>): Promise<void> {
  expect([name, (await use(name, given)).failure]).toEqual([name, expect.stringContaining(sentence)]);
}

/** What is expected of each tool that reads; tools that change something answer with no figures. */
const expected: Readonly<Record<string, () => Promise<void>>> = {
  list_websites: async () => {
    const { websites } = (await use("list_websites", {})).content as { websites: Row[] };
    expect(Object.keys(websites[0] ?? {}).sort()).toEqual(["domain", "id", "name", "timezone"]);
  },
  all_websites: async () => {
    const figures = { now: null, visitorsToday: null, visitsToday: null };
    expect((await use("all_websites", {})).content).toMatchObject({
      websites: [{ ...figures, usualVisitors: null }],
      total: figures,
    });
  },
  describe_query_types: async () => {
    expect((await use("describe_query_types", { search: "countries" })).content).toMatchObject({
      types: expect.arrayContaining([expect.objectContaining({ name: "countries" })]),
    });
  },
  query: async () => {
    const { websiteId } = website;
    const names = [...catalogue.keys()];
    const answered = new Map<string, Row>();
    for (let at = 0; at < names.length; at += 10) {
      const types = names.slice(at, at + 10);
      const { answers } = (await use("query", { websiteId, types, ...days })).content as { answers: Row[] };
      for (const answer of answers) answered.set(String(answer["type"]), answer);
    }
    expect([...answered.keys()].sort()).toEqual(names.sort());
    const isOfVisitors = (name: string) => catalogue.get(name)?.table === "events";
    for (const [name, { error, rows }] of answered) {
      if (error !== undefined) expect([name, error]).toEqual([name, expect.stringContaining(sentence)]);
      for (const row of isOfVisitors(name) ? (rows as Row[]) : [])
        for (const field of ["visitors", "unique_visitors", "users", "active_users", "sessions"])
          if (typeof row[field] === "number") expect([name, Number(row[field]) >= smallestGroup]).toEqual([name, true]);
    }
    expect(answered.get("summary_metrics")).toMatchObject({ rows: [{ unique_visitors: 13, pageviews: 13 }] });
    expect(answered.get("session_list")?.["error"]).toContain(sentence);
    // The whole day as one group: twelve and one cannot be told apart.
    expect(answered.get("countries")).toMatchObject({ rows: [{ country: "other", visitors: 13 }] });
    const filters = [{ field: "country", op: "eq", value: "DE" }];
    for (const given of [{ filters }, { goal: { page: "/" } }]) {
      const asked = { websiteId, types: ["summary_metrics"], ...days, ...given };
      expect((await use("query", asked)).content).toMatchObject({
        answers: [{ rows: [], error: expect.stringContaining(sentence) }],
      });
    }
  },
  funnel: async () => {
    await refused("funnel", { websiteId: website.websiteId, ...days, steps: [{ page: "/" }, { page: "/a" }] });
  },
  goals: async () => {
    await refused("goals", { websiteId: website.websiteId, ...days, goals: [{ page: "/" }] });
  },
  uptime_status: async () => {
    const { content } = await use("uptime_status", { websiteId: website.websiteId });
    expect(content).toMatchObject({ monitors: [{ id: monitorId }] });
  },
  incidents: async () => {
    expect((await use("incidents", { monitorId })).content).toMatchObject({ incidents: [] });
  },
  list_links: async () => {
    expect((await use("list_links", {})).content).toMatchObject({ links: [{ slug }] });
  },
  link_clicks: async () => {
    expect((await use("link_clicks", { id: website.websiteId })).content).toMatchObject({ total: 0 });
    await refused("link_clicks", { id: website.websiteId, metric: "conversionRate" });
    await refused("link_clicks", { id: slug, metric: "conversionRate" });
  },
};

test("each tool that reads is asked", () => {
  const reading = tools.filter(({ scopeToChange }) => scopeToChange === undefined).map(({ name }) => name);
  expect(Object.keys(expected).sort()).toEqual(reading.sort());
});

test.each(Object.entries(expected))("%s tells nothing of one visitor", async (_, ask) => {
  await ask();
});
