import { expect, test, vi } from "vitest";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";
import { receiptOf, startErasure } from "./erasureCalls.ts";

const dayOf = (days: number) => new Date(noonDaysAgo(days)).toISOString().slice(0, 10);
const midnight = (days: number) => `${dayOf(days)}T00:00:00.000Z`;

type Answer = {
  readonly data: readonly { readonly data: readonly Record<string, unknown>[] }[];
  readonly meta: { readonly unknown: readonly unknown[] };
};

async function ask(website: TestWebsite, from: number, to: number, parameters = ["events_by_date"]): Promise<Answer> {
  const { body, status } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: { parameters, startDate: dayOf(from), endDate: dayOf(to) },
  });
  expect(status).toBe(200);
  return body as Answer;
}

async function sendViews(website: TestWebsite, days: readonly number[]): Promise<void> {
  const body = days.map((day) => ({
    name: "screen_view",
    path: "/",
    title: "Title",
    referrer: "",
    screen_resolution: "1920x1080",
    viewport_size: "1280x720",
    timezone: "UTC",
    language: "en",
    anonymousId: "visitor",
    sessionId: `s${day}`,
    sessionStartTime: noonDaysAgo(day),
    timestamp: noonDaysAgo(day),
  }));
  const answer = await send("POST", `/batch?website_id=${website.websiteId}`, {
    body: body.map((payload) => ({ type: "track", payload })),
  });
  expect(answer.body).toMatchObject({ results: days.map(() => ({ status: "success" })) });
}

const viewsOf = ({ data: [answer] }: Answer) => answer?.data.map(({ pageviews }) => pageviews);

test("4.1 days before the first event have no figures, days without events after it have zeros", async () => {
  const website = await createWebsite();
  const before = await ask(website, 5, 1);
  expect(viewsOf(before)).toEqual([null, null, null, null, null]);
  expect(before.meta.unknown).toEqual([{ from: midnight(5), until: midnight(0), reason: "not_started" }]);

  await sendViews(website, [1, 3]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 5, 1))).toEqual([null, null, 1, 0, 1]), {
    timeout: 60_000,
    interval: 200,
  });
  const after = await ask(website, 5, 1);
  expect(after.meta.unknown).toEqual([{ from: midnight(5), until: midnight(3), reason: "not_started" }]);
  expect(after.data[0]?.data[0]).toMatchObject({ date: dayOf(5), visitors: null, sessions: null, bounce_rate: null });
  expect((await ask(website, 3, 1)).meta.unknown).toEqual([]);

  // An older event moves the start.
  await sendViews(website, [4]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 5, 1))).toEqual([null, 1, 1, 0, 1]), {
    timeout: 60_000,
    interval: 200,
  });
});

test("4.17 days of which all events were erased have no figures; those of a person's erasure have", async () => {
  const website = await createWebsite();
  await sendViews(website, [4, 3, 2]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 4, 2))).toEqual([1, 1, 1]), {
    timeout: 60_000,
    interval: 200,
  });
  const key = {
    websiteId: website.websiteId,
    apiKey: await createKey({ organizationId: website.organizationId, scopes: ["delete:data"] }),
  };
  const erase = async (day: number, more: { anonymous_id?: string }) => {
    const range = { start_date: dayOf(day), end_date: dayOf(day), data_types: ["events", "sessions"] };
    const { deletion_id } = await startErasure(key, { ...range, ...more });
    await receiptOf(key, deletion_id);
  };
  await erase(3, {});
  await erase(4, { anonymous_id: "somebody else" });
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 4, 2))).toEqual([1, null, 1]), {
    timeout: 60_000,
    interval: 200,
  });
  expect((await ask(website, 4, 2)).meta.unknown).toEqual([
    { from: midnight(3), until: midnight(2), reason: "erased" },
  ]);
});
