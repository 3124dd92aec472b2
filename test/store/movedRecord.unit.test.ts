import { expect, test } from "vitest";
import type { LogRecord } from "../../src/durableLog/durableLog.ts";
import { movedRecord, recordOf, rowOf } from "../../src/store/write/loggedRow.ts";

const values = { website_id: "w", event_key: 7, event_type: "track", name: "page_view", path: "/ü, \n" };
const row = { table: "events", tsUs: 1_700_000_000_000_000, values, claimCheck: -5 } as const;
const logged = ({ payload, ...record }: ReturnType<typeof recordOf>): LogRecord => ({
  ...record,
  payload: Buffer.from(payload),
});

test("a record that goes to the log of another shard is the same row, marked", () => {
  const record = logged(recordOf(row, 99));
  const moved = logged(movedRecord(record, "row"));
  expect(moved).toMatchObject({ receivedMs: 99, websiteId: "w", key: 7 });
  expect(rowOf(moved)).toEqual({ ...rowOf(record), moved: "row" });
});

test("one that goes there for its id alone has no fields", () => {
  const moved = rowOf(logged(movedRecord(logged(recordOf(row, 99)), "id")));
  expect(moved).toMatchObject({ tsUs: row.tsUs, claimCheck: -5, values: { event_key: 7 }, moved: "id" });
  expect(moved.fields).toHaveLength(0);
});

test("a record that came from another shard may go to a third one", () => {
  const copy = logged(recordOf(row, 99, "copy"));
  expect(rowOf(copy).moved).toBe("copy");
  expect(rowOf(logged(movedRecord(copy, "row"))).moved).toBe("row");
});
