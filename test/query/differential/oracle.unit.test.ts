import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectedValue, oracleAnswer } from "../../kit/oracle/oracleAnswer.ts";
import { OracleTables } from "../../kit/oracle/oracleTables.ts";
import { oracleTypes } from "../../kit/oracle/oracleTypes.ts";
import type { RandomQuery } from "../../kit/oracle/randomQuery.ts";
import { handMadeVisits } from "./handMadeVisits.ts";

let tables: OracleTables;

beforeAll(async () => {
  tables = await OracleTables.open(handMadeVisits);
});

afterAll(() => tables.close());

/** Values of these fields in the oracle's answer about some days of March; a condition is "field op value". */
async function rows(typeName: string, days: string, fields: string, ...conditions: string[]) {
  const type = oracleTypes.find(({ name }) => name === typeName);
  if (type === undefined) throw new Error(`no type ${typeName}`);
  const [start = "", end = start] = days.split("-").map((day) => `2026-03-0${day}`);
  const filters = conditions.map((condition) => {
    const [field = "", op = "", value = ""] = condition.split(" ");
    return { field, op, values: [value] };
  });
  const query: RandomQuery = { type, start, end, zone: "UTC", unit: "day", filters, limit: 100, page: 1 };
  const facts = await oracleAnswer(query, tables);
  return facts.map((fact) =>
    fields.split(" ").map((name) => {
      const field = type.fields.find((one) => one.name === name);
      if (field === undefined) throw new Error(`${typeName} has no field ${name}`);
      return expectedValue(field.from, fact, query);
    }),
  );
}

const audience = "name pageviews visitors sessions";

describe("2 the oracle of queries counts by hand-made visits", () => {
  test("a visit is whole and belongs to the day it began", async () => {
    const figures =
      "pageviews unique_visitors sessions total_events bounce_rate avg_session_duration pages_per_session";
    // A 1,020 s, B 5 s, C 60 s, E 0 s. Of events without a visitor one is on each day.
    expect(await rows("summary_metrics", "1", figures)).toEqual([[5, 3, 4, 8, 25, 271.25, 1.25]]);
    expect(await rows("summary_metrics", "2", figures)).toEqual([[3, 1, 1, 3, 0, 0, 2]]);
    expect(await rows("summary_metrics", "1", "median_session_duration")).toEqual([[5]]);
    const series = await rows("events_by_date", "1-5", "value pageviews visitors sessions avg_session_duration");
    expect(series).toEqual([
      [8, 5, 3, 4, 271.25],
      [3, 3, 1, 1, 0],
      [50, 0, 1, 1, 85_260],
      [0, 0, 0, 0, null],
      [2, 0, 1, 1, 1_740],
    ]);
  });

  test("a visit has the value of its first event that has one", async () => {
    expect(await rows("referrers", "1", audience)).toEqual([
      ["g.example", 3, 1, 1],
      ["Direct", 2, 2, 3],
    ]);
    expect(await rows("languages", "1", audience)).toEqual([
      ["de-DE", 3, 1, 1],
      ["Unknown", 2, 2, 3],
    ]);
    expect(await rows("sessions_by_country", "1", "name sessions visitors")).toEqual([
      ["Unknown", 3, 2],
      ["DE", 1, 1],
    ]);
  });

  test("direct are only visits without any other source", async () => {
    expect(await rows("traffic_sources", "1-2", audience)).toEqual([
      ["direct", 4, 3, 3],
      ["search", 3, 1, 1],
      ["referral", 1, 1, 1],
    ]);
  });

  test("campaigns leave out visits without one, and events without a visitor are only page views", async () => {
    expect(await rows("utm_campaigns", "1-2", audience)).toEqual([
      ["spring", 3, 1, 1],
      ["autumn", 1, 0, 0],
    ]);
  });

  test("visits and events without a value are a row of their own", async () => {
    expect(await rows("countries", "1-2", audience)).toEqual([
      ["Unknown", 5, 3, 4],
      ["DE", 3, 1, 1],
      ["US", 0, 0, 0],
    ]);
  });

  test("a filter on a visit field selects whole visits, and events without a visitor by their own value", async () => {
    const figures = "pageviews unique_visitors sessions total_events pages_per_session";
    expect(await rows("summary_metrics", "1-2", figures, "utm_campaign eq spring")).toEqual([[3, 1, 1, 4, 3]]);
    expect(await rows("summary_metrics", "1-2", figures, "utm_campaign eq autumn")).toEqual([[1, 0, 0, 1, null]]);
    expect(await rows("summary_metrics", "1-2", figures, "entry_page eq /lone")).toEqual([[1, 0, 0, 1, null]]);
    expect(await rows("summary_metrics", "1-2", figures, "entry_page eq /")).toEqual([[4, 2, 2, 5, 2]]);
    expect(await rows("summary_metrics", "1-2", figures, "exit_page eq /y")).toEqual([[2, 1, 1, 2, 2]]);
    expect(await rows("summary_metrics", "1-2", figures, "country ne DE")).toEqual([[5, 3, 4, 7, 1]]);
    expect(await rows("summary_metrics", "1-2", figures, "referrer_group eq direct")).toEqual([[4, 3, 3, 5, 1]]);
    expect(await rows("summary_metrics", "1-2", figures, "anonymous_id eq v5")).toEqual([[2, 1, 1, 2, 2]]);
    expect(await rows("summary_metrics", "1-2", figures, "anonymous_id eq v9")).toEqual([[0, 0, 0, 0, null]]);
    expect(await rows("top_pages", "1", "path pageviews visitors", "language eq de-DE")).toEqual([
      ["/", 1, 1],
      ["/late", 1, 1],
      ["/pricing", 1, 1],
    ]);
  });

  test("a filter on an event field selects events, and the whole visits that contain one", async () => {
    const figures = "pageviews unique_visitors sessions total_events avg_session_duration pages_per_session";
    expect(await rows("summary_metrics", "1", figures, "path eq /pricing")).toEqual([[1, 1, 1, 2, 1_020, null]]);
    expect(await rows("summary_metrics", "1", figures, "event_name eq buy")).toEqual([[0, 1, 1, 2, 60, null]]);
    expect(await rows("summary_metrics", "1", figures, "event_type eq page_exit")).toEqual([[0, 0, 0, 0, null, null]]);
    // Of one event both must be true.
    const both = ["path eq /docs", "event_name eq buy"];
    expect(await rows("summary_metrics", "1", figures, ...both)).toEqual([[0, 1, 1, 1, 60, null]]);
    const apart = ["path eq /", "event_name eq sign_up"];
    expect(await rows("summary_metrics", "1", figures, ...apart)).toEqual([[0, 0, 0, 0, null, null]]);
    const mixed = ["path eq /pricing", "country eq DE"];
    expect(await rows("summary_metrics", "1", figures, ...mixed)).toEqual([[1, 1, 1, 2, 1_020, null]]);
    expect(await rows("traffic_sources", "1", audience, "event_name eq buy")).toEqual([
      ["referral", 0, 1, 1],
      ["direct", 0, 0, 0],
    ]);
  });

  test("entry and exit pages are those of visits with a page view, filtered by any of their events", async () => {
    expect(await rows("entry_pages", "1-2", "path sessions visitors")).toEqual([
      ["/", 2, 2],
      ["/docs", 1, 1],
      ["/x", 1, 1],
    ]);
    expect(await rows("exit_pages", "1-2", "path sessions visitors")).toEqual([
      ["/", 1, 1],
      ["/docs", 1, 1],
      ["/late", 1, 1],
      ["/y", 1, 1],
    ]);
    expect(await rows("entry_pages", "1-2", "path sessions", "event_name eq sign_up")).toEqual([["/", 1]]);
    expect(await rows("exit_pages", "1-2", "path sessions", "event_name eq sign_up")).toEqual([["/late", 1]]);
  });

  test("events and pages belong where their visit began, with their own visitors", async () => {
    expect(await rows("top_pages", "1", "path pageviews visitors")).toEqual([
      ["/", 2, 2],
      ["/docs", 1, 1],
      ["/late", 1, 1],
      ["/pricing", 1, 1],
    ]);
    expect(await rows("top_pages", "2", "path pageviews visitors", "anonymous_id ne v7")).toEqual([
      ["/x", 1, 1],
      ["/y", 1, 1],
      ["/lone", 1, 0],
    ]);
    expect(await rows("custom_events", "1", "name total_events unique_users unique_sessions last_occurrence")).toEqual([
      ["buy", 2, 1, 1, "2026-03-01T13:00:00.000Z"],
      ["sign_up", 1, 1, 1, "2026-03-02T00:05:00.000Z"],
    ]);
    const figures = "total_events unique_event_types unique_users unique_sessions unique_pages";
    expect(await rows("custom_events_summary", "1", figures)).toEqual([[3, 2, 2, 2, 3]]);
    expect(await rows("custom_events_summary", "1", figures, "path eq /docs")).toEqual([[1, 1, 1, 1, 1]]);
    expect(await rows("page_time_series", "1-2", "pageviews visitors")).toEqual([
      [5, 2],
      [3, 1],
    ]);
  });

  test("links belong where their visit began and have its fields", async () => {
    const figures = "domain total_clicks unique_users unique_links";
    expect(await rows("outbound_domains", "1", figures)).toEqual([["out.example", 3, 2, 2]]);
    expect(await rows("outbound_domains", "2", figures)).toEqual([]);
    expect(await rows("outbound_domains", "1", figures, "country eq DE")).toEqual([["out.example", 1, 1, 1]]);
    expect(await rows("outbound_domains", "1", figures, "country ne DE")).toEqual([["out.example", 2, 1, 2]]);
    expect(await rows("outbound_domains", "1", figures, "anonymous_id eq lone")).toEqual([["out.example", 1, 0, 1]]);
    expect(await rows("outbound_domains", "1", figures, "path eq /")).toEqual([["out.example", 2, 1, 2]]);
  });
});
