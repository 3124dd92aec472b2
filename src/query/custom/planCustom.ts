import type { IANAZone } from "luxon";
import { detail, Problems, quoted } from "../../errors/problems.ts";
import type {
  CustomCondition,
  CustomOrder,
  CustomQuery,
  CustomColumn as SentColumn,
} from "../../gen/lookout/v1/query_pb.ts";
import { nearest } from "../../text/nearest.ts";
import { readBounds } from "../../time/readRange.ts";
import { readZone } from "../../time/readZone.ts";
import { storedSpellings } from "../filters/storedSpellings.ts";
import { checkHourly, granularities, readBucketUnit } from "../plan/granularity.ts";
import type { Condition, CustomPlan, Output } from "./customPlan.ts";
import type { CustomColumn, CustomTable } from "./customTable.ts";
import { CustomOutputs } from "./outputs.ts";
import { readColumn, readTable } from "./readColumn.ts";
import { readCondition } from "./readCondition.ts";
import { placeKind } from "./statement.ts";

/** Specification 4.5 leaves it open; enough for a chart of hours over a month. */
const defaultLimit = 1_000;

/** Name of the field that the buckets of a granularity add. */
const bucketLabel = "date";

/**
 * Checks a structured query (specification 4.5) and turns it into work: every name is looked up in a list of known ones.
 *
 * Throws VALIDATION_ERROR with a detail for each wrong table, column, aggregate, operator, value, alias, order, date or time zone.
 */
export function planCustom({ query, startDate, endDate, timezone, granularity, limit }: CustomQuery): CustomPlan {
  const problems = new Problems();
  const zone = readZone(timezone, problems);
  const table = readTable(query?.table ?? "", "query.table", problems);
  const timeZone = table?.isDaily ? readZone("UTC", problems) : zone;
  const bounds = { start: startDate, end: endDate };
  const range = readBounds(bounds, { start: "startDate", end: "endDate" }, timeZone, problems);
  const bucketUnit = readBucketUnit(granularity, granularities, "granularity", problems);
  if (bucketUnit !== undefined) checkHourly(bucketUnit, range, timeZone, "granularity", problems);
  if (table === undefined || query === undefined || range === undefined) {
    problems.throwIfAny();
    throw new Error("what is missing was not noted");
  }
  const isGrouped =
    bucketUnit !== undefined || query.groupBy.length > 0 || query.selects.some(({ aggregate }) => Boolean(aggregate));
  const outputs = new CustomOutputs(problems);
  if (bucketUnit !== undefined) outputs.add(bucketLabel, { bucket: true }, "granularity");
  if (isGrouped) readGroups(table, query.groupBy, query.selects, outputs, problems);
  for (const [index, column] of query.selects.entries())
    readSelect(table, column, isGrouped, `query.selects[${index}]`, outputs, problems);
  const filters = query.filters.flatMap((sent, index) => {
    const where = `query.filters[${index}]`;
    const column = readColumn(table, sent.field, `${where}.field`, problems);
    const condition = column && readCondition(sent, column.kind, timeZone, where, problems);
    return column === undefined || condition === undefined
      ? []
      : [{ column, condition: withSpellings(column, condition) }];
  });
  const { keys, measures } = outputs;
  const plan = {
    table,
    range,
    zone: timeZone,
    bucketUnit,
    isGrouped,
    keys,
    measures,
    outputs: outputs.inOrder(),
    filters,
  };
  const having = isGrouped ? readHaving(plan, query.having, timeZone, problems) : noHaving(query.having, problems);
  const order = readOrders(plan.outputs, query.orderBy, problems);
  problems.throwIfAny();
  return { ...plan, having, order, limit: limit ?? defaultLimit };
}

/** Groups come first in the rows, unless a select names them. */
function readGroups(
  table: CustomTable,
  groupBy: readonly string[],
  selects: readonly SentColumn[],
  outputs: CustomOutputs,
  problems: Problems,
): void {
  const selected = selects
    .filter(({ aggregate }) => !aggregate)
    .map(({ field }) => table.columnAliases.get(field) ?? field);
  for (const [index, name] of groupBy.entries()) {
    const where = `query.groupBy[${index}]`;
    const column = readColumn(table, name, where, problems);
    if (column === undefined) continue;
    if (column.kind === "json") {
      problems.add(detail(where, `cannot be grouped by; use ${column.name}.<key>`));
      continue;
    }
    const key = outputs.addKey(column);
    if (!selected.includes(column.name)) outputs.add(name, { key }, where);
  }
}

function readSelect(
  table: CustomTable,
  { field, aggregate: aggregateName, alias }: SentColumn,
  isGrouped: boolean,
  where: string,
  outputs: CustomOutputs,
  problems: Problems,
): void {
  if (aggregateName) {
    outputs.addMeasure(table, { field, aggregateName, alias }, where);
    return;
  }
  const column = readColumn(table, field, `${where}.field`, problems);
  if (column === undefined) return;
  const known = outputs.keyOf(column);
  if (isGrouped && known === undefined) {
    const message = "must be in groupBy or have an aggregate, since other selects have one or rows are grouped";
    problems.add(detail(`${where}.field`, message));
    return;
  }
  outputs.add(alias || field, { key: known ?? outputs.addKey(column) }, alias ? `${where}.alias` : `${where}.field`);
}

function readHaving(
  plan: Pick<CustomPlan, "outputs" | "keys" | "measures">,
  having: readonly CustomCondition[],
  zone: IANAZone,
  problems: Problems,
): CustomPlan["having"] {
  return having.flatMap((sent, index) => {
    const where = `query.having[${index}]`;
    const output = readOutput(plan.outputs, sent.field, `${where}.field`, problems);
    if (output === undefined) return [];
    if ("bucket" in output.at) {
      problems.add(detail(`${where}.field`, "cannot be the bucket; narrow startDate and endDate instead"));
      return [];
    }
    const condition = readCondition(sent, placeKind(plan, output.at), zone, where, problems);
    if (condition === undefined) return [];
    const key = "key" in output.at ? plan.keys[output.at.key] : undefined;
    return [{ at: output.at, condition: withSpellings(key, condition) }];
  });
}

function withSpellings(column: CustomColumn | undefined, { comparison, values }: Condition): Condition {
  const stored = values.flatMap((value): readonly (string | number)[] =>
    typeof value === "string" && column !== undefined ? storedSpellings(column.name, value, comparison.by) : [value],
  );
  return { comparison, values: stored };
}

function noHaving(having: readonly CustomCondition[], problems: Problems): CustomPlan["having"] {
  if (having.length > 0)
    problems.add(detail("query.having", "needs groups; use filters for rows, or add an aggregate"));
  return [];
}

function readOrders(
  outputs: readonly Output[],
  orders: readonly CustomOrder[],
  problems: Problems,
): CustomPlan["order"] {
  return orders.flatMap(({ field, descending }, index) => {
    const output = readOutput(outputs, field, `query.orderBy[${index}].field`, problems);
    return output === undefined ? [] : [{ at: output.at, descending }];
  });
}

function readOutput(outputs: readonly Output[], label: string, where: string, problems: Problems): Output | undefined {
  const output = outputs.find((one) => one.label === label);
  if (output !== undefined) return output;
  const labels = outputs.map((one) => one.label);
  return problems.add(
    detail(
      where,
      `must be a field of the rows (${labels.map(quoted).join(", ")}), not ${quoted(label)}`,
      nearest(label, labels),
    ),
  );
}
