import type { JsonObject } from "@bufbuild/protobuf";
import { eachInSlices, sortInSlices } from "../../concurrency/timeSlices.ts";
import type { Row } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { PreparedAnswer } from "../plan/preparedAnswer.ts";
import { Bindings } from "../sql/bindings.ts";
import { allOf, filterSql } from "../sql/filters.ts";
import { rowsOf } from "../sql/rowScope.ts";
import { columnRows } from "./columnRows.ts";

/** Agents use the same few lists of tools again and again; more different ones than this are not read. */
const maxToolLists = 10_000;

/**
 * The tools that calls of language models used, most used first. QuestDB cannot take arrays apart, so it counts equal
 * lists, and their names are counted here.
 */
export function prepareToolNames(plan: ParameterPlan): PreparedAnswer {
  const bindings = new Bindings();
  const chosen = filterSql(plan.filters, "llm_calls", bindings);
  const rows = allOf([rowsOf("llm_calls", plan, bindings), "tool_names IS NOT NULL", chosen]);
  const sql =
    `SELECT tool_names, count() AS calls FROM ${rows} ` +
    `GROUP BY tool_names ORDER BY calls DESC, tool_names LIMIT ${maxToolLists}`;
  return { statements: [{ sql, values: bindings.values }], rows: ([lists = []]) => pageOf(plan, lists) };
}

async function pageOf({ type, offset, limit }: ParameterPlan, lists: readonly Row[]): Promise<JsonObject[]> {
  const calls = new Map<string, number>();
  await eachInSlices(lists, ({ tool_names: names, calls: count }) => {
    for (const name of namesIn(String(names))) calls.set(name, (calls.get(name) ?? 0) + Number(count));
  });
  const sorted = await sortInSlices(
    [...calls],
    ([name, count], [otherName, otherCount]) => otherCount - count || (name < otherName ? -1 : 1),
  );
  const rows = sorted.slice(offset, offset + limit).map(([tool_name, count]) => ({ tool_name, calls: count }));
  return columnRows(type.fields, rows);
}

function namesIn(text: string): string[] {
  const names: unknown = JSON.parse(text);
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
