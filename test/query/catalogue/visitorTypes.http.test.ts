import { expect, test } from "vitest";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";
import { sessionEventsStatement } from "../../../src/query/shapes/sessionEvents.ts";
import { send } from "../../kit/calls/request.ts";
import { createWebsite } from "../../kit/calls/website.ts";

// Yesterday, since older events may be past the website's retention.
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const atMs = Date.parse(`${day}T12:00:00Z`);
const at = (minutes: number) => new Date(atMs + minutes * 60_000).toISOString();

test("A1 profiles: a visitor's sessions come with their events and web vitals", async () => {
  const website = await createWebsite();
  const { websiteId, apiKey } = website;
  const ids = { anonymousId: "ann", sessionId: "s1" };
  const view = (minutes: number, path: string) => ({
    ...ids,
    name: "page_view",
    path,
    timestamp: atMs + minutes * 60_000,
  });
  const batch = [
    view(0, "/a"),
    { ...ids, name: "signup", path: "/a", properties: { plan: "pro", seats: 3 }, timestamp: atMs + 60_000 },
    view(2, "/b"),
    // 30 minutes later under the same id: another session.
    view(40, "/c"),
    { ...view(1, "/a"), anonymousId: "bob", sessionId: "s2" },
    {
      type: "outgoing_link",
      payload: { ...ids, eventId: "out", href: "https://docs.example/x", text: "Docs", timestamp: atMs + 90_000 },
    },
  ];
  const { body: answer } = await send("POST", `/batch?website_id=${websiteId}`, { apiKey, body: batch });
  expect(answer).toMatchObject({ processed: batch.length, batched: { track: batch.length - 1, outgoing_link: 1 } });
  const vital = { ...ids, path: "/a", metricName: "LCP" };
  await send("POST", `/vitals?website_id=${websiteId}`, {
    apiKey,
    body: [
      { ...vital, metricValue: 900, timestamp: atMs + 5_000 },
      { ...vital, path: "/c", metricValue: 1_200.5, timestamp: atMs + 41 * 60_000 },
    ],
  });
  const ask = async (parameters: string[], filters: unknown[]) => {
    const { body } = await send("POST", `/v1/query?website_id=${websiteId}`, {
      apiKey,
      body: { parameters, startDate: day, endDate: day, filters },
    });
    expect(body).toMatchObject({ success: true });
    return (body as { data: { success: boolean; error: string | null; data: unknown }[] }).data;
  };
  const ofAnn = [{ field: "anonymous_id", op: "eq", value: "ann" }];
  await expect
    .poll(async () => (await ask(["profile_sessions"], ofAnn))[0]?.data)
    .toMatchObject([
      {
        session_id: "s1",
        session_name: "Session 2",
        first_visit: at(40),
        page_views: 1,
        duration: 0,
        duration_formatted: "0s",
        events: [{ event_name: "page_view", path: "/c", time: at(40), properties: null }],
        web_vitals: [{ metric_name: "LCP", value: 1_200.5, path: "/c", time: at(41) }],
      },
      {
        session_name: "Session 1",
        first_visit: at(0),
        last_visit: at(2),
        page_views: 2,
        unique_pages: 2,
        duration: 120,
        duration_formatted: "2m 0s",
        events: [
          { path: "/a", event_type: "page_view" },
          { event_name: "signup", event_type: "custom", properties: { plan: "pro", seats: 3 }, href: "" },
          { event_id: "out", event_type: "outgoing_link", href: "https://docs.example/x", text: "Docs", time: at(1.5) },
          { path: "/b" },
        ],
        web_vitals: [{ metric_name: "LCP", value: 900, path: "/a" }],
      },
    ]);
  const withLink = { events: expect.arrayContaining([expect.objectContaining({ event_id: "out" })]) };
  const [list1, events1] = await ask(["session_list", "session_events"], ofAnn);
  expect(list1?.data).toMatchObject([{ session_id: "s1", page_views: 1 }, withLink]);
  expect(events1?.data).toHaveLength(5);
  expect(events1?.data).toMatchObject({ 2: { event_id: "out", event_type: "outgoing_link", text: "Docs" } });
  const [detail] = await ask(["profile_detail"], ofAnn);
  expect(detail?.data).toMatchObject([
    {
      visitor_id: "ann",
      first_visit: at(0),
      last_visit: at(40),
      total_sessions: 2,
      total_pageviews: 3,
      total_duration: 120,
      total_duration_formatted: "2m 0s",
    },
  ]);
  const bySeats = [{ field: "properties.seats", op: "eq", value: 3 }];
  const [list, missing, hard] = await ask(["session_list", "profile_detail", "custom_events_recent"], bySeats);
  expect(list?.data).toMatchObject([{ session_id: "s1", first_visit: at(0), visitor_id: "ann" }]);
  expect(missing).toMatchObject({
    success: false,
    error: expect.stringContaining("needs a filter on anonymous_id with eq or in"),
  });
  expect(hard?.data).toMatchObject([{ event_name: "signup", path: "/a", timestamp: at(1) }]);
});

test("5.1 a public website shows no lists of sessions and visitors and no property values, not even by filters", async () => {
  const { websiteId } = await createWebsite({ publicAccess: true });
  const lists = [...catalogue.values()].filter(
    ({ name, category }) =>
      category === "profiles" || category === "custom-events" || name === "session_list" || name === "session_events",
  );
  expect(lists.length).toBeGreaterThan(15);
  for (const { name } of lists) {
    const { status } = await send("POST", `/v1/query?website_id=${websiteId}`, {
      body: {
        parameters: [name],
        startDate: day,
        endDate: day,
        filters: [{ field: "anonymous_id", op: "eq", value: "ann" }],
      },
    });
    expect(status, name).toBe(401);
  }
  for (const field of ["anonymous_id", "session_id", "properties.email"]) {
    const { status } = await send("POST", `/v1/query?website_id=${websiteId}`, {
      body: {
        parameters: ["top_pages"],
        startDate: day,
        endDate: day,
        filters: [{ field, op: "starts_with", value: "a" }],
      },
    });
    expect(status, field).toBe(401);
  }
  const { status } = await send("POST", `/v1/query?website_id=${websiteId}`, {
    body: { parameters: ["session_duration_distribution", "retention_cohorts"], startDate: day, endDate: day },
  });
  expect(status).toBe(200);
});

test("A1 sessions with more events than an answer may hold are refused with advice", () => {
  const plan = { websiteIds: ["w"], range: { startMs: 0, endMs: 1 } };
  const sessions = [
    { session_key: 1, stored_events: 30_000 },
    { session_key: 2, stored_events: 20_001 },
  ];
  expect(() => sessionEventsStatement(plan, sessions)).toThrow(
    "These 2 sessions have 50001 events, and an answer shows at most 50000. Lower limit or use session_events",
  );
});
