import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { DataService } from "../../../src/gen/lookout/v1/data_pb.ts";
import { countsOf, dayOf, erase, receiptOf, type Shown, shown, startErasure } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { pageView, sendEvents } from "../../kit/calls/websiteCalls.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { storedRows } from "../../kit/stores/storedRows.ts";

let site: TestWebsite;
beforeAll(async () => {
  site = await createWebsite();
});

const today = dayOf(Date.now());
const request = (more: object) => ({
  start_date: "2026-01-01",
  end_date: "2026-01-31",
  data_types: ["events"],
  ...more,
});

describe("4.17: an invalid range is refused with its field", () => {
  const wrong = {
    "a reversed range": [
      { start_date: "2026-02-01" },
      "end_date",
      "must not be before start_date (2026-02-01); swap them",
    ],
    "a range to come": [
      { start_date: "2199-01-01", end_date: "2199-01-02" },
      "start_date",
      expect.stringContaining("must not be after today"),
    ],
    "a day that the calendar does not have": [
      { end_date: "2026-02-30" },
      "end_date",
      expect.stringContaining("a day of the calendar"),
    ],
    "an empty day": [{ start_date: "" }, "start_date", expect.any(String)],
    "no type": [{ data_types: [] }, "data_types", expect.any(String)],
  } as const;
  test.each(Object.entries(wrong))("%s", async (_, [more, field, message]) => {
    const { status, body } = await erase(site, request(more));
    expect(body).toMatchObject({ success: false, code: "VALIDATION_ERROR", details: [{ field, message }] });
    expect(status).toBe(400);
  });

  test("an unknown type, with the nearest known one", async () => {
    const { status, body } = await erase(site, request({ data_types: ["event"] }));
    expect(body).toMatchObject({
      code: "VALIDATION_ERROR",
      details: [{ field: "data_types[0]", suggestion: "events" }],
    });
    expect(status).toBe(400);
  });
});

test("5: another organization's website is not found, and a key needs the scope delete:data", async () => {
  const other = await createWebsite();
  const foreign = await erase({ websiteId: site.websiteId, apiKey: other.apiKey }, request({}));
  expect(foreign).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  const unknown = await erase({ websiteId: "none", apiKey: other.apiKey }, request({}));
  expect((unknown.body as { error: string }).error).toBe((foreign.body as { error: string }).error);
  const { organizationId, websiteId } = site;
  const reader = await createKey({ organizationId, scopes: ["read:data", "export:data"] });
  expect(await erase({ websiteId, apiKey: reader }, request({}))).toMatchObject({
    status: 403,
    body: { code: "ACCESS_DENIED" },
  });
  const { deletion_id: id } = await startErasure(site, request({}));
  const get = (apiKey: string) => send("GET", `/v1/deletions/${id}`, { apiKey });
  expect(await get(other.apiKey)).toMatchObject({ status: 404, body: { code: "NOT_FOUND" } });
  expect(await get(await createKey({ organizationId, websiteIds: [websiteId] }))).toMatchObject({ status: 200 });
  expect(await get(await createKey({ organizationId, websiteIds: ["another"] }))).toMatchObject({ status: 404 });
});

test.concurrent("4.17: a range of 10 years without data ends with an empty receipt, and both are in the audit log", async () => {
  const empty = await createWebsite();
  const { deletion_id: id, deleted } = await startErasure(empty, {
    start_date: "2017-01-01",
    end_date: today,
    data_types: ["events", "uptime"],
  });
  expect(deleted).toEqual({ events: 0, uptime: 0 });
  const receipt = await receiptOf(empty, id);
  expect(receipt).toMatchObject({ days: [], exports_withdrawn: [] });
  expect(new Set(Object.values(countsOf(receipt)).flat())).toEqual(new Set([0]));
  const { body } = await send("POST", "/audit/list", { apiKey: empty.apiKey, body: { objectId: id } });
  expect(body).toMatchObject({
    entries: [
      { action: "data.erased", actorType: "service", after: { receipt: { days: [] } } },
      { action: "data.erase", actorType: "api_key", after: { dataTypes: ["events", "uptime"], oneVisitor: false } },
    ],
  });
});

test.concurrent("WatchDeletion over gRPC streams the progress until the end", async () => {
  const watched = await createWebsite();
  const days = [2, 3, 4].map(noonDaysAgo);
  await sendEvents(
    watched.websiteId,
    days.map((timestamp) => pageView({ timestamp })),
  );
  await storedRows("events", watched.websiteId, 3);
  const { deletion_id: deletionId } = await startErasure(watched, {
    start_date: dayOf(noonDaysAgo(4)),
    end_date: dayOf(noonDaysAgo(2)),
    data_types: ["events"],
  });
  const client = createClient(DataService, createGrpcTransport({ baseUrl: inject("lookout").baseUrl }));
  const progress: number[] = [];
  let last: Partial<Shown> = {};
  for await (const { deletion } of client.watchDeletion({ deletionId }, { headers: { "x-api-key": watched.apiKey } })) {
    progress.push(deletion?.progress ?? -1);
    last = { status: deletion?.status ?? "", days_done: deletion?.daysDone ?? 0, days_total: deletion?.daysTotal ?? 0 };
    expect(deletion?.receipt === undefined).toBe(deletion?.status === "processing");
  }
  expect(progress).toEqual([...progress].sort((a, b) => a - b));
  expect(progress.length).toBeGreaterThan(2);
  expect(progress.at(-1)).toBe(100);
  expect(last).toEqual({ status: "completed", days_done: 3, days_total: 3 });
  expect(await shown(watched, deletionId)).toMatchObject({ status: "completed", progress: 100, phase: "done" });
});

test.concurrent("a preview counts what an erasure then erases, and the list has each erasure with its receipt", async () => {
  const website = await createWebsite();
  const day = dayOf(noonDaysAgo(2));
  await sendEvents(website.websiteId, [
    pageView({ timestamp: noonDaysAgo(2), anonymousId: "ada" }),
    pageView({ timestamp: noonDaysAgo(2), anonymousId: "bob" }),
  ]);
  await storedRows("events", website.websiteId, 2);
  const path = `/v1/websites/${website.websiteId}`;
  const call = async (verb: string, rest: string, body?: object) =>
    (await send(verb, path + rest, { apiKey: website.apiKey, ...(body === undefined ? {} : { body }) })).body;
  const all = { start_date: day, end_date: day, data_types: ["events"] };
  expect(await call("POST", "/data/preview", { ...all, anonymous_id: "ada" })).toEqual({
    success: true,
    rows: { events: 1 },
  });
  const { rows } = (await call("POST", "/data/preview", all)) as { rows: object };
  expect(rows).toEqual({ events: 2 });
  expect(await call("GET", "/deletions")).toEqual({ success: true, deletions: [], next_cursor: null });
  const first = await startErasure(website, { ...all, anonymous_id: "ada" });
  const second = await startErasure(website, all);
  expect(second.deleted).toEqual(rows);
  await receiptOf(website, first.deletion_id);
  await receiptOf(website, second.deletion_id);
  const newest = await call("GET", "/deletions?limit=1");
  expect(newest).toEqual({
    success: true,
    deletions: [await shown(website, second.deletion_id)],
    next_cursor: second.deletion_id,
  });
  expect(await call("GET", `/deletions?cursor=${second.deletion_id}`)).toMatchObject({
    deletions: [{ deletion_id: first.deletion_id, one_visitor: true, receipt: { spools_away: expect.any(Array) } }],
    next_cursor: null,
  });
});
