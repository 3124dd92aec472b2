import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eraseRange } from "../../../src/lifecycle/erasure/stores/eraseRange.ts";
import { findPartition } from "../../../src/store/questdb/partition.ts";
import type { QuestdbReader } from "../../../src/store/questdb/questdbReader.ts";
import type { TableName } from "../../../src/store/questdb/tables.ts";
import { whenApplied } from "../../../src/store/questdb/whenApplied.ts";
import { storedRow } from "../../kit/stores/retentionRows.ts";
import { openQuestdb, openRowWriter } from "../../kit/stores/testQuestdb.ts";

const { signal } = new AbortController();
// Monday to Monday, over the end of a year whose last days belong to its 53rd week.
const days = ["2015-12-28", "2015-12-31", "2016-01-01", "2016-01-03", "2016-01-04"];
const websiteId = randomUUID();
let questdb: QuestdbReader;
let rows: ReturnType<typeof openRowWriter>;

beforeAll(async () => {
  questdb = openQuestdb();
  rows = openRowWriter();
  await rows.write(
    ["uptime", "outgoing_links"].flatMap((kind) =>
      days.map((day) => storedRow({ websiteId, kind, tsUs: Date.parse(`${day}T12:00:00Z`) * 1_000 })),
    ),
  );
  for (const table of ["uptime_checks", "outgoing_links"] as const) await whenApplied(questdb, [table], signal);
});

afterAll(async () => {
  await rows.close();
  await questdb.close();
});

async function daysWhere(table: TableName, condition: string): Promise<string[]> {
  const found = await questdb.read(`SELECT ts FROM ${table} WHERE website_id = $1 AND ${condition}`, [websiteId]);
  return found.map(({ ts }) => new Date(Number(ts)).toISOString().slice(0, 10));
}

test("checks are partitioned by week: each day finds the partition of its week, and its condition all of its rows", async () => {
  for (const day of days) {
    const partition = await findPartition(questdb, "uptime_checks", day, signal);
    const isNewYear = day === "2016-01-04";
    expect(partition).toMatchObject({ name: isNewYear ? "2016-W01" : "2015-W53", isWeek: true, isParquet: false });
    expect(await daysWhere("uptime_checks", String(partition?.condition))).toEqual(
      isNewYear ? [day] : days.slice(0, 4),
    );
  }
});

test("other tables are partitioned by day", async () => {
  for (const day of days) {
    const partition = await findPartition(questdb, "outgoing_links", day, signal);
    expect(partition).toMatchObject({ name: day, isWeek: false });
    expect(await daysWhere("outgoing_links", String(partition?.condition))).toEqual([day]);
  }
  expect(await findPartition(questdb, "outgoing_links", "2015-12-29", signal)).toBeUndefined();
});

test("4.17: an erasure of one day removes that day's rows from the week's partition, and no others", async () => {
  const sql = "website_id = $1 AND ts >= '2015-12-29' AND ts < '2016-01-02'";
  const only = { table: "uptime_checks", sql, values: [websiteId] } as const;
  expect(await eraseRange(questdb, { ...only, day: "2015-12-31" }, signal)).toBe(true);
  expect(await daysWhere("uptime_checks", "true")).toEqual(["2015-12-28", "2016-01-03", "2016-01-04"]);
  expect(await eraseRange(questdb, { ...only, day: "2016-01-01" }, signal)).toBe(false);
});
