import { type FieldKind, noteWithGoal, type RowField, type RowType, rowTypes } from "./rowTypes.ts";

const header = `"""Every query type with the type of its rows. A query asks its parameter(), and rows() finds the rows in the answer:

    TOP_PAGES.parameter()
    pages = TOP_PAGES.rows(answer.single)
"""
# Code generated from the catalogue of query types. Do not edit.

from __future__ import annotations

from datetime import datetime
from typing import Any, TypedDict

from lookout._query_type import QueryType
`;

/** The Python source of all query types: for each a TypedDict and a \`QueryType\` of it. */
export function pythonRowsText(): string {
  return [header, ...rowTypes().map(typeText)].join("\n\n");
}

function typeText({ query, name, description, fields }: RowType): string {
  const members = fields.map(
    (field) =>
      `    ${field.name}: ${typeOf(field)}\n    """${noteWithGoal(field)}${field.isOfGoal ? " Else None." : ""}"""\n`,
  );
  return `class ${name}(TypedDict):
    """A row of ${query}. ${description}"""

${members.join("")}

${query.toUpperCase()} = QueryType[${name}]("${query}"${timesOf(fields)}${goalsOf(fields)})
"""${description}"""
`;
}

/** The names of the times, which are text on the wire. */
function timesOf(fields: readonly RowField[]): string {
  const times = fields.filter(({ kind }) => kind === "time").map(({ name }) => `"${name}"`);
  return times.length === 0 ? "" : `, times=(${times.join(", ")},)`;
}

/** The figures of a goal, which are None without one: a key that may be absent is an error of type checkers wherever it is read. */
function goalsOf(fields: readonly RowField[]): string {
  const names = fields.filter(({ isOfGoal }) => isOfGoal).map(({ name }) => `"${name}"`);
  return names.length === 0 ? "" : `, of_goal=(${names.join(", ")},)`;
}

const pythonTypes = {
  text: "str",
  time: "datetime",
  count: "int",
  number: "float",
  boolean: "bool",
  object: "dict[str, Any]",
  array: "list[Any]",
  nothing: "None",
} as const satisfies Record<FieldKind, string>;

function typeOf({ kind, mayBeNull, isOfGoal }: RowField): string {
  const isNullable = (mayBeNull || isOfGoal) && kind !== "nothing";
  return `${pythonTypes[kind]}${isNullable ? " | None" : ""}`;
}
