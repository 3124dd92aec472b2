import { expect, test } from "vitest";
import { compareRows } from "../../../src/query/answer/compareRows.ts";
import { catalogue } from "../../../src/query/catalogue/catalogue.ts";

const typeOf = (name: string) => {
  const type = catalogue.get(name);
  if (type === undefined) throw new Error(`there is no type ${name}`);
  return type;
};

const known = { isCut: false, isUnknown: false };

test("4.1 compare: a row of a table is compared with the row of its value, and with nothing where there is none", async () => {
  const type = typeOf("utm_sources");
  const rows = [
    { ...nullRow(type.fields), ...named(type.fields, "a") },
    { ...nullRow(type.fields), ...named(type.fields, "b") },
  ];
  const found = [{ ...nullRow(type.fields), ...named(type.fields, "b"), sessions: 7 }];
  const [first, second] = await compareRows(type, rows, { rows: found, ...known });
  expect(second).toEqual(found[0]);
  expect(first).toMatchObject({ ...named(type.fields, "a"), visitors: 0 });

  const [cut] = await compareRows(type, rows, { rows: found, ...known, isCut: true });
  expect(cut).toEqual({ ...nullRow(type.fields), ...named(type.fields, "a") });
  const unknown = await compareRows(type, rows, { rows: [], ...known, isUnknown: true });
  expect(unknown).toEqual(rows);
});

test("4.1 compare: a bucket is compared with the one at its place, and a summary with the summary", async () => {
  const series = typeOf("visitors");
  const rows = [
    { date: "2026-03-30", value: 3 },
    { date: "2026-03-31", value: 4 },
  ];
  const found = [{ date: "2026-02-27", value: 1 }];
  expect(await compareRows(series, rows, { rows: found, ...known })).toEqual([
    { date: "2026-02-27", value: 1 },
    nullRow(series.fields),
  ]);
  const summary = typeOf("summary_metrics");
  const figures = { ...nullRow(summary.fields), visitors: 2 };
  expect(await compareRows(summary, [figures], { rows: [{ ...figures, visitors: 1 }], ...known })).toMatchObject([
    { visitors: 1 },
  ]);
});

type Fields = ReturnType<typeof typeOf>["fields"];

function nullRow(fields: Fields) {
  return Object.fromEntries(fields.map(({ name }) => [name, null]));
}

function named(fields: Fields, value: string) {
  return Object.fromEntries(
    fields.flatMap(({ name, from }) => ("dimension" in from || "dimensions" in from ? [[name, value]] : [])),
  );
}
