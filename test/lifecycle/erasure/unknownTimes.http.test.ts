import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { DateTime } from "luxon";
import { expect, test, vi } from "vitest";
import { recordServingTime } from "../../../src/ingest/servingTimes.ts";
import { receiptOf, startErasure } from "../../kit/calls/erasureCalls.ts";
import { send } from "../../kit/calls/request.ts";
import { createKey, createWebsite, type TestWebsite } from "../../kit/calls/website.ts";
import { inDatabase } from "../../kit/stores/inDatabase.ts";
import { noonDaysAgo } from "../../kit/stores/noonDaysAgo.ts";

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

test.concurrent("4.1 days before the first event have no figures, days without events after it have zeros", async () => {
  const website = await createWebsite();
  const before = await ask(website, 5, 1);
  expect(viewsOf(before)).toEqual([null, null, null, null, null]);
  expect(before.meta.unknown).toEqual([{ from: midnight(5), until: midnight(0), reason: "not_started" }]);

  await sendViews(website, [1, 3]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 5, 1))).toEqual([null, null, 1, 0, 1]), {
    timeout: 100_000,
    interval: 200,
  });
  const after = await ask(website, 5, 1);
  expect(after.meta.unknown).toEqual([{ from: midnight(5), until: midnight(3), reason: "not_started" }]);
  expect(after.data[0]?.data[0]).toMatchObject({ date: dayOf(5), visitors: null, sessions: null, bounce_rate: null });
  expect((await ask(website, 3, 1)).meta.unknown).toEqual([]);

  // An older event moves the start.
  await sendViews(website, [4]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 5, 1))).toEqual([null, 1, 1, 0, 1]), {
    timeout: 100_000,
    interval: 200,
  });
});

test.concurrent.for(["Pacific/Honolulu", "Pacific/Auckland"])(
  "4.1 the first day is one of the website's time zone: %s",
  async (timezone) => {
    const website = await createWebsite({ timezone });
    await sendViews(website, [3]);
    const first = DateTime.fromMillis(noonDaysAgo(3), { zone: timezone }).startOf("day");
    const asked = async () => {
      const [startDate, endDate] = [first.minus({ days: 2 }).toISODate(), first.toISODate()];
      const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}&timezone=${timezone}`, {
        apiKey: website.apiKey,
        body: { parameters: ["events_by_date"], startDate, endDate },
      });
      return body as Answer;
    };
    await vi.waitFor(async () => expect(viewsOf(await asked())).toEqual([null, null, 1]), {
      timeout: 100_000,
      interval: 200,
    });
    const [from, until] = [first.minus({ days: 2 }), first].map((day) => day.toUTC().toISO());
    expect((await asked()).meta.unknown).toEqual([{ from, until, reason: "not_started" }]);
  },
);

test.concurrent("4.1 errors and vitals before the first event have no figures, unless there are some, nor past their own retention", async () => {
  const website = await createWebsite();
  const report = async (days: number) => {
    const own = { path: "/", timestamp: noonDaysAgo(days), anonymousId: "visitor" };
    const sent = await send("POST", `/errors?website_id=${website.websiteId}`, { body: [{ ...own, message: "no" }] });
    expect(sent.status).toBe(200);
  };
  const errorsOf = ({ data: [answer] }: Answer) => answer?.data.map(({ errors }) => errors);
  const askErrors = () => ask(website, 5, 1, ["error_trends"]);
  await report(2);
  // Nothing says that errors of a website without any event are missing.
  await vi.waitFor(async () => expect(errorsOf(await askErrors())).toEqual([0, 0, 0, 1, 0]), { timeout: 100_000 });
  expect((await askErrors()).meta.unknown).toEqual([]);
  await sendViews(website, [3]);
  await vi.waitFor(async () => expect(errorsOf(await askErrors())).toEqual([null, null, 0, 1, 0]), {
    timeout: 100_000,
  });
  expect((await askErrors()).meta.unknown).toEqual([{ from: midnight(5), until: midnight(3), reason: "not_started" }]);
  await report(5);
  await vi.waitFor(async () => expect(errorsOf(await askErrors())).toEqual([1, null, 0, 1, 0]), { timeout: 100_000 });

  await inDatabase((database) =>
    database.query("UPDATE websites SET performance_days = 2 WHERE id = $1", [website.websiteId]),
  );
  expect((await ask(website, 3, 1, ["vitals_overview"])).meta.unknown).toEqual([
    { from: midnight(3), until: midnight(2), reason: "retention" },
  ]);
  expect((await ask(website, 3, 1, ["error_trends"])).meta.unknown).toEqual([]);
});

test.concurrent("4.17 days of which all events were erased have no figures; those of a person's erasure have", async () => {
  const website = await createWebsite();
  await sendViews(website, [4, 3, 2]);
  await vi.waitFor(async () => expect(viewsOf(await ask(website, 4, 2))).toEqual([1, 1, 1]), {
    timeout: 100_000,
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
    timeout: 100_000,
    interval: 200,
  });
  expect((await ask(website, 4, 2)).meta.unknown).toEqual([
    { from: midnight(3), until: midnight(2), reason: "erased" },
  ]);
});

test("4.1 times in which the service took no events have no figures, and are named", async () => {
  const website = await createWebsite({ firstEventOn: "2019-12-01" });
  await inDatabase(async (database) => {
    await database.query("UPDATE websites SET raw_events_days = 3650 WHERE id = $1", [website.websiteId]);
    // The second one lasts until now, since it is that of all tests.
    await database.query(
      "INSERT INTO serving_times VALUES ('2020-02-01T00:00Z', '2020-02-02T06:00Z'), ('2020-02-04T12:00Z', now())",
    );
  });
  const { body } = await send("POST", `/v1/query?website_id=${website.websiteId}`, {
    apiKey: website.apiKey,
    body: {
      parameters: ["events_by_date", "summary_metrics"],
      startDate: "2020-02-01",
      endDate: "2020-02-05",
      compare: { startDate: "2020-03-01", endDate: "2020-03-05" },
    },
  });
  const { data, meta } = body as Answer & { data: { comparison: object }[] };
  expect(viewsOf({ data, meta })).toEqual([0, 0, null, 0, 0]);
  expect(data[1]).toMatchObject({ data: [{ pageviews: 0 }], comparison: { complete: false, unknown: [] } });
  const gap = { from: "2020-02-02T06:00:00.000Z", until: "2020-02-04T12:00:00.000Z", reason: "not_recorded" };
  expect(meta.unknown).toEqual([gap]);
});

test("the time in which processes take events is recorded, with the interruptions of an hour and more", async () => {
  const schema = `serving_${randomUUID().replaceAll("-", "")}`;
  await inDatabase(async (database) => {
    await database.query(`CREATE SCHEMA ${schema}`);
    await database.query(`SET search_path = ${schema}`);
    await database.query(await readFile("src/store/postgres/migrations/0023_serving_times.sql", "utf8"));
    const at = (time: string) => Date.parse(`2026-03-01T${time}Z`);
    const record = (from: string, until: string) => recordServingTime(database, at(from), at(until));
    const { rows: none } = await database.query("SELECT * FROM serving_times");
    expect(none).toEqual([]);
    await record("08:00", "08:00");
    await record("08:00", "08:01");
    // Another process, which began later.
    await record("08:00:30", "08:01:30");
    // A restart.
    await record("08:30", "08:31");
    // PostgreSQL did not answer for two hours, in which events were taken.
    await record("08:31", "10:31");
    await record("11:32", "11:32");
    // A clock that is late takes nothing away.
    await record("11:31", "11:31:30");
    const { rows } = await database.query("SELECT * FROM serving_times ORDER BY from_at");
    const shown = rows.map((row) => [row.from_at, row.until_at].map((time: Date) => time.toISOString().slice(11, 19)));
    expect(shown).toEqual([
      ["08:00:00", "10:31:00"],
      ["11:32:00", "11:32:00"],
    ]);
    await database.query(`DROP SCHEMA ${schema} CASCADE`);
  });
});
