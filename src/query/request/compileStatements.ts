import type { BoundValue } from "../../store/questdb/questdbReader.ts";
import type { ParameterPlan } from "../plan/parameterPlan.ts";
import type { CompilePlan } from "../plan/planCompile.ts";
import { fieldColumn } from "../shapes/fieldColumn.ts";
import { type Statement, statementsOf } from "../shapes/measuredStatement.ts";
import { prepare } from "../shapes/prepare.ts";
import { Bindings } from "../sql/bindings.ts";
import { bucketsOf } from "../sql/buckets.ts";

export type CompiledStatement = {
  readonly sql: string;
  readonly values: readonly BoundValue[];
  readonly columns: readonly { name: string; fields: string[] }[];
};

/** The statements that answer a query, and the labels of the buckets of a series. Pure: nothing is read. */
export function compileStatements(
  { work, isPage }: CompilePlan,
  websiteIds: readonly string[],
  eventShare = 0,
): { readonly statements: readonly CompiledStatement[]; readonly buckets: readonly string[] } {
  const plan = { ...work, websiteIds, eventShare };
  const { kind } = plan.type.shape;
  if (kind === "series") {
    const buckets = bucketsOf(plan.range, plan.bucketUnit, plan.zone);
    const statements = statementsOf(plan, buckets).map((statement) =>
      explained(pageOfBuckets(statement, plan, isPage), plan),
    );
    return { statements, buckets: buckets.labels };
  }
  if (kind === "summary" || kind === "table")
    return { statements: statementsOf(plan, undefined).map((statement) => explained(statement, plan)), buckets: [] };
  return { statements: prepare(plan).statements.map((statement) => ({ ...statement, columns: [] })), buckets: [] };
}

/** Several statements as one text; the parameters of each are numbered after those of the ones before. */
export function joined(
  statements: readonly Pick<CompiledStatement, "sql" | "values">[],
): Pick<CompiledStatement, "sql" | "values"> {
  const values: BoundValue[] = [];
  const texts = statements.map((statement) => {
    const before = values.length;
    values.push(...statement.values);
    // The text holds no values, so a dollar sign before a number is always a parameter.
    return statement.sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
  });
  return { sql: texts.join(";\n"), values };
}

function explained(statement: Statement, { type }: ParameterPlan): CompiledStatement {
  const columns = new Map<string, string[]>();
  for (const { name, from } of type.fields) {
    const column = fieldColumn(from, statement.measures);
    const names = column === undefined ? [] : "share" in from ? [column, "total"] : [column];
    for (const one of names) columns.set(one, [...(columns.get(one) ?? []), name]);
  }
  return {
    sql: statement.sql,
    values: statement.values,
    columns: [...columns].map(([name, fields]) => ({ name, fields })),
  };
}

/** The requested page and order. Without them a series has every bucket with rows, in no order. */
function pageOfBuckets(
  statement: Statement,
  { type, order, limit, offset }: ParameterPlan,
  isPage: boolean,
): Statement {
  if (order === undefined && !isPage) return statement;
  const bindings = new Bindings();
  for (const value of statement.values) bindings.bind(value);
  const chosen = type.fields.find(({ name }) => name === order?.field);
  const column = chosen === undefined ? undefined : fieldColumn(chosen.from, statement.measures);
  const all = `SELECT * FROM (${statement.sql})`;
  const first = bindings.bind(offset);
  const end = bindings.bind(offset + limit);
  const sql =
    order === undefined
      ? `${all} WHERE k0 >= ${first} AND k0 < ${end} ORDER BY k0`
      : `${all} ORDER BY ${[...(column === undefined ? [] : [`${column}${order.descending ? " DESC" : ""}`]), "k0"].join(", ")} LIMIT ${first}, ${end}`;
  return { ...statement, sql, values: bindings.values };
}
