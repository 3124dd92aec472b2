import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { panels } from "../../web/app/src/pages/dashboard/panels/panels.ts";
import type { AnyRow, PanelList } from "../../web/app/src/pages/dashboard/panels/panelTypes.ts";
import { csvOf } from "../../web/app/src/pages/dashboard/panels/sheet/csv.ts";
import { csvTable } from "../../web/app/src/pages/dashboard/panels/sheet/csvRows.ts";
import { found, inOrder, nextSorting, pageOf } from "../../web/app/src/pages/dashboard/panels/sheet/sheetRows.ts";
import { columnsOf, haveMost, shareOf, sortedRows } from "../../web/app/src/pages/dashboard/panels/shownRows.ts";
import { flags, iconOf, symbols } from "../../web/app/src/ui/icons/iconOf.ts";

const sprite = readFileSync(new URL("../../web/app/src/ui/icons/sprite.svg", import.meta.url), "utf8");

function listOf(type: string): PanelList {
  const list = panels.flatMap(({ lists }) => lists).find((each) => each.type === type);
  if (list === undefined) throw new Error(`no panel has ${type}`);
  return list;
}

const rowOf = (name: string, visitors: number, pageviews: number, sessions = visitors) =>
  ({ name, visitors, pageviews, sessions }) as unknown as AnyRow;

const namesOf = (rows: readonly { readonly row: AnyRow }[]) => rows.map(({ row }) => (row as { name: string }).name);

test("the sprite has the symbols of all names, no others, and at most 15 kB", () => {
  const drawn = [...sprite.matchAll(/<symbol id="([\w-]+)"/g)].map(([, id]) => id);
  expect(drawn.toSorted()).toEqual([...Object.values(symbols).flat(), ...flags].toSorted());
  expect(sprite.length).toBeLessThanOrEqual(15_000);
  // The page's policy allows no styles and scripts in it, and no other origin.
  expect(sprite.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/<style|<script|style=|http|url\(/);
});

test("values have icons: symbols, flags, or letters where there is none", () => {
  expect([
    iconOf("referrer_group", "search"),
    iconOf("referrer_group", "constructor"),
    iconOf("country", "DE"),
    iconOf("country", "KZ"),
    iconOf("country", "Unknown"),
    iconOf("referrer", "Direct"),
    iconOf("path", "/"),
  ]).toEqual([
    { symbol: "search" },
    { letters: "?", tone: "grey" },
    { symbol: "de", isFlag: true },
    { letters: "KZ", tone: "grey" },
    { letters: "?", tone: "grey" },
    { symbol: "direct" },
    undefined,
  ]);
});

test.each([
  ["news.ycombinator.com", "Y"],
  ["t.co", "X"],
  ["www.google.co.uk", "G"],
  ["shop.example.org", "E"],
  ["constructor", "C"],
  ["", "?"],
])("the source %j has the letter %s", (source, letters) => {
  expect(iconOf("referrer", source)).toMatchObject({ letters });
});

test("rows are sorted by visitors, equal ones by what comes next, and keep the row that they are compared with", () => {
  const rows = [rowOf("a", 1, 9), rowOf("b", 3, 8), rowOf("c", 3, 7, 4), rowOf("d", 1, 9)];
  const data = rows.map((row) => ({ ...row, visitors: 0 }));
  const sorted = sortedRows(listOf("browsers"), rows, { isComplete: true, data });
  expect(namesOf(sorted)).toEqual(["c", "b", "a", "d"]);
  expect(sorted.map(({ before }) => (before as { name: string }).name)).toEqual(["c", "b", "a", "d"]);
  const unknown = sortedRows(listOf("browsers"), rows, { isComplete: false, data });
  expect(unknown.map(({ before }) => before)).toEqual([null, null, null, null]);
});

test("rows asked for are enough if no later one can have more visitors", () => {
  const list = listOf("browsers");
  const rows = [rowOf("a", 5, 20), rowOf("b", 9, 10)];
  expect(haveMost(list, rows, 1, 3)).toBe(true);
  expect(haveMost(list, rows, 1, 2)).toBe(false);
  expect(haveMost(list, [rowOf("a", 12, 20), rowOf("b", 9, 10)], 1, 2)).toBe(true);
});

test("a share is of all visitors of the range, and unknown where these are", () => {
  expect([shareOf(1, 4), shareOf(0, 4), shareOf(5, 4)]).toEqual([25, 0, 100]);
  expect([shareOf(1, 0), shareOf(1, null), shareOf(1, undefined), shareOf(null, 4)]).toEqual([null, null, null, null]);
});

test("filters without page views take away their column", () => {
  const fieldsOf = (value: string) =>
    columnsOf(listOf("browsers"), [{ field: "event_name", op: "eq", value }]).map(({ field }) => field);
  expect(fieldsOf("page_view")).toEqual(["visitors", "sessions", "pageviews"]);
  expect(fieldsOf("sign_up")).toEqual(["visitors", "sessions"]);
});

test("a sheet is sorted by any column: unknown figures are last in both directions", () => {
  const rows = [
    { name: "b10", figure: null },
    { name: "a", figure: 2 },
    { name: "b9", figure: 1 },
  ];
  const label = ({ name }: (typeof rows)[number]) => name;
  const sorted = (isDescending: boolean, figure?: (row: (typeof rows)[number]) => number | null) =>
    inOrder(rows, { by: "", isDescending }, { label, figure, language: "en" }).map(label);
  expect(sorted(true, (row) => row.figure)).toEqual(["a", "b9", "b10"]);
  expect(sorted(false, (row) => row.figure)).toEqual(["b9", "a", "b10"]);
  expect(sorted(false)).toEqual(["a", "b9", "b10"]);
  expect(nextSorting({ by: "visitors", isDescending: true }, "visitors")).toEqual({
    by: "visitors",
    isDescending: false,
  });
  expect(nextSorting({ by: "visitors", isDescending: true }, "names")).toEqual({ by: "names", isDescending: false });
  expect(found(rows, " B", label).map(label)).toEqual(["b10", "b9"]);
});

test("a sheet has pages, and the last one where fewer are left", () => {
  const rows = Array.from({ length: 101 }, (_, index) => index);
  expect(pageOf(rows, 1)).toMatchObject({ page: 1, count: 3 });
  expect(pageOf(rows, 9)).toEqual({ rows: [100], page: 2, count: 3 });
  expect(pageOf([], 0)).toEqual({ rows: [], page: 0, count: 1 });
});

test("a file has the names and the figures of the API, and no text that a spreadsheet would run", () => {
  const list = listOf("cities");
  const row = {
    name: 'a "b", c',
    region: "=1+1",
    country: "DE",
    visitors: 1,
    sessions: 2,
    pageviews: 3,
    conversions: 1,
  };
  const { header, rows } = csvTable(list, [row], true);
  expect(csvOf(header, rows)).toBe(
    'name,region,country,visitors,sessions,pageviews,conversions,conversion_rate\r\n"a ""b"", c","\'=1+1","DE",1,2,3,1,\r\n',
  );
  expect(csvTable(list, [row], false).header).not.toContain("conversions");
});
