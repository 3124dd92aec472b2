import { expect, test } from "vitest";
import { allWebsites, describeWebsites } from "../../src/mcp/tools/allWebsites.ts";
import type { JsonObject } from "../../src/mcp/tools/tool.ts";

const websites = [
  { id: "a", name: "Bakery", timezone: "UTC", organizationId: "o" },
  { id: "b", name: "Shop", timezone: "UTC", organizationId: "o" },
];
const today = [
  { website_id: "b", visitors: 5, sessions: 6, usual_visitors: 4, usual_lowest: 3, usual_highest: 7 },
  { website_id: "a", visitors: 2, sessions: 3, usual_visitors: null },
];
const now = [{ website_id: "b", active_users: 1 }];
const incident = { id: "i", monitor_id: "m", monitor_name: "Start", started_at: "2026-11-16T14:09:41.908Z" };
const uptime = [
  { website_id: "a", state: "down", incidents: [incident] },
  { website_id: "b", state: "up", incidents: [] },
];

/** What the tool answers when some of its three questions fail. */
async function answerWith(rows: readonly (readonly JsonObject[] | undefined)[]): Promise<JsonObject> {
  return await allWebsites.run({}, async (rpc) =>
    rpc === "QueryService.Query"
      ? { data: rows.map((data) => (data === undefined ? { success: false, error: "away" } : { success: true, data })) }
      : { websites },
  );
}

test("all websites with the most visitors first, their sums and those that are down", async () => {
  expect(await answerWith([today, now, uptime])).toEqual({
    websites: [
      {
        id: "b",
        name: "Shop",
        timezone: "UTC",
        now: 1,
        visitorsToday: 5,
        visitsToday: 6,
        usualVisitors: 4,
        usualLowest: 3,
        usualHighest: 7,
        uptime: "up",
      },
      {
        ...{ id: "a", name: "Bakery", timezone: "UTC", now: 0, visitorsToday: 2, visitsToday: 3 },
        ...{ usualVisitors: null, usualLowest: null, usualHighest: null },
        ...{
          uptime: "down",
          incidents: [{ id: "i", monitorId: "m", monitorName: "Start", startedAt: "2026-11-16T14:09:41.908Z" }],
        },
      },
    ],
    total: { websites: 2, now: 1, visitorsToday: 7, visitsToday: 9 },
    down: ["Bakery"],
  });
});

test("the websites that are down are those whose state is down, with or without an open incident", async () => {
  const [bakery, shop] = [
    { ...uptime[0], state: "up" },
    { ...uptime[1], state: "down" },
  ];
  expect(await answerWith([today, now, [bakery, shop]])).toMatchObject({
    websites: [
      { name: "Shop", uptime: "down" },
      { name: "Bakery", uptime: "up" },
    ],
    down: ["Shop"],
  });
});

test("where the visitors now cannot be answered, they are null, also in the sum", async () => {
  expect(await answerWith([today, undefined, uptime])).toMatchObject({
    websites: [{ now: null }, { now: null }],
    total: { now: null, visitorsToday: 7 },
    down: ["Bakery"],
    unknown: ["websites_now"],
  });
});

test("where the state of the monitors cannot be answered, it is unknown which websites are down", async () => {
  expect(await answerWith([today, now, undefined])).toMatchObject({
    websites: [
      { uptime: null, incidents: null },
      { uptime: null, incidents: null },
    ],
    down: null,
    unknown: ["websites_uptime"],
  });
});

test("where the visitors of today cannot be answered, the websites are listed all the same", async () => {
  expect(await answerWith([undefined, now, uptime])).toMatchObject({
    websites: [
      { name: "Bakery", visitorsToday: null, visitsToday: null, usualVisitors: null, uptime: "down" },
      { name: "Shop", now: 1, visitorsToday: null },
    ],
    total: { websites: 2, now: 1, visitorsToday: null, visitsToday: null },
    down: ["Bakery"],
    unknown: ["websites_today"],
  });
});

test("a sum is that of the websites whose figure is known, and without websites it is 0", () => {
  const known = [today[0], { website_id: "a", visitors: null, sessions: null }] as JsonObject[];
  expect(describeWebsites(websites, [known, now, uptime])).toMatchObject({ total: { visitorsToday: 5 } });
  expect(describeWebsites([], [[], [], []])).toEqual({
    websites: [],
    total: { websites: 0, now: 0, visitorsToday: 0, visitsToday: 0 },
    down: [],
  });
});
