import { SenderBufferV1 } from "@questdb/nodejs-client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOf } from "../../src/store/questdb/lineProtocol.ts";
import {
  type ColumnKind,
  columnsOfTable,
  type TableName,
  type TableRow,
  tableNames,
} from "../../src/store/questdb/tables.ts";
import { encodeLoggedRows, loggedRow, recordOf } from "../../src/store/write/loggedRow.ts";

/** The client's line for a row whose values all fit their columns. */
function clientLine(row: TableRow): string {
  const buffer = new SenderBufferV1({ protocol: "http", protocol_version: "1" });
  const values = new Map(Object.entries(row.values));
  const columns = Object.entries<ColumnKind>(columnsOfTable[row.table]).filter(([name]) => name !== "ts");
  buffer.table(row.table);
  for (const [name, kind] of columns) {
    const value = values.get(name);
    if (kind === "SYMBOL" && typeof value === "string") buffer.symbol(name, value);
  }
  for (const [name, kind] of columns) {
    const value = values.get(name);
    if (kind === "SYMBOL" || value === undefined) continue;
    if (typeof value === "string") buffer.stringColumn(name, value);
    else if (kind === "TIMESTAMP") buffer.timestampColumn(name, value, "us");
    else if (kind === "LONG" || kind === "INT") buffer.intColumn(name, value);
    else buffer.floatColumn(name, value);
  }
  buffer.at(row.tsUs, "us");
  return buffer.toBufferNew()?.toString() ?? "";
}

const awkwardText = fc.string({
  unit: fc.oneof(fc.constantFrom(...' ,="\\\n\r\t{}é🙂'), fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 })),
  maxLength: 20,
});
const text = awkwardText.map((value) => value.replaceAll("\0", "")).filter((value) => value !== "");

const valueOfKind: Record<ColumnKind, fc.Arbitrary<string | number>> = {
  TIMESTAMP: fc.integer({ min: 0, max: 4_102_444_799_999_999 }),
  SYMBOL: text,
  VARCHAR: text,
  LONG: fc.maxSafeInteger(),
  // The smallest integer means null in QuestDB.
  INT: fc.integer({ min: -0x7fff_ffff }),
  DOUBLE: fc.double({ noNaN: true, min: -3.4e38, max: 3.4e38 }),
  FLOAT: fc.float({ noNaN: true, noDefaultInfinity: true, max: Math.fround(3.4e38), min: Math.fround(-3.4e38) }),
};

function rowOf(table: TableName): fc.Arbitrary<TableRow> {
  const columns = Object.entries<ColumnKind>(columnsOfTable[table]).flatMap(([name, kind]) =>
    name === "ts" ? [] : [[name, fc.option(valueOfKind[kind], { nil: undefined })] as const],
  );
  const values = fc
    .record(Object.fromEntries(columns))
    .filter((all) => Object.values(all).some((v) => v !== undefined));
  // Any column may be missing here, which the type of a row does not allow.
  return fc.record({ table: fc.constant(table), tsUs: fc.integer({ min: 1 }), values }) as fc.Arbitrary<TableRow>;
}

test.each(tableNames)("8: a line of %s equals the one of QuestDB's client", (table) => {
  fc.assert(
    fc.property(rowOf(table), (row) => {
      expect(lineOf(row)).toBe(clientLine(row));
    }),
    { numRuns: 300 },
  );
});

test.each(tableNames)("8: a row of %s read from the log gives the same line, with its time at that moment", (table) => {
  fc.assert(
    fc.property(rowOf(table), fc.integer({ min: 1 }), (row, tsUs) => {
      const logged = loggedRow(row, 5);
      expect(encodeLoggedRows([logged, logged]).toString()).toBe(`${lineOf(row)}`.repeat(2));
      expect(encodeLoggedRows([{ ...logged, tsUs }]).toString()).toBe(lineOf({ ...row, tsUs }));
    }),
    { numRuns: 100 },
  );
});

test("8: the log keeps what the commit steps need to know of a row", () => {
  const row: TableRow = {
    table: "events",
    tsUs: -7,
    values: { website_id: "w", event_key: 2 ** 52 - 1, visitor_key: 0, name: "line\nbreak" },
    claimCheck: -(2 ** 31),
  };
  expect(loggedRow(row, 5)).toMatchObject({
    table: "events",
    tsUs: -7,
    values: { website_id: "w", event_key: 2 ** 52 - 1, visitor_key: 0 },
    claimCheck: -(2 ** 31),
  });
  const bare = loggedRow({ ...row, claimCheck: undefined, values: { website_id: "w", event_key: 1 } }, 5);
  expect([bare.claimCheck, bare.values.visitor_key]).toEqual([undefined, undefined]);
  expect(() => recordOf({ ...row, tsUs: Number.NaN }, 5)).toThrow(RangeError);
});

test("8: values that a column cannot hold are left out, a row without a time has no line", () => {
  const row: TableRow = {
    table: "events",
    tsUs: 7,
    values: {
      website_id: "w",
      event_key: 1,
      name: "a\0b",
      browser: "\0",
      path: "",
      title: "\0",
      rtt_ms: Number.NaN,
      downlink_mbps: Number.POSITIVE_INFINITY,
      page_count: 3e9,
      visitor_key: 1.5,
    },
  };
  expect(lineOf(row)).toBe('events,website_id=w event_key=1i,name="ab" 7000\n');
  expect(lineOf({ ...row, tsUs: Number.NaN })).toBeUndefined();
  // JSON holds no such time.
  expect(lineOf(JSON.parse(JSON.stringify({ ...row, tsUs: Number.NaN })))).toBeUndefined();
  expect(lineOf(JSON.parse(JSON.stringify(row)))).toBe(lineOf(row));
});
