import { absenceNote, capitalised, type FieldKind, type RowField, type RowType, rowTypes } from "./rowTypes.ts";

const header = `// Code generated from the catalogue of query types. DO NOT EDIT.

package querytype

import "time"
`;

/** The Go source of all query types: for each a struct and a `Type` of it. Not yet formatted by gofmt. */
export function goRowsText(): string {
  return [header, ...rowTypes().map(typeText)].join("\n");
}

function typeText({ query, name, description, fields }: RowType): string {
  const variable = capitalised(query);
  const members = fields.map((field) => `\t// ${field.note}${absenceNote(field, "Nil")}\n\t${memberText(field)}\n`);
  const values = fields.map((field) => `\t\t${capitalised(field.name)}: row.${readerOf(field)}("${field.name}"),\n`);
  return `// ${name} is a row of ${query}. ${description}
type ${name} struct {
${members.join("")}}

// ${variable} is the query type ${query}, whose rows are of the type [${name}]. ${description}
var ${variable} Type[${name}] = newType("${query}", read${name})

func read${name}(row fields) ${name} {
	return ${name}{
${values.join("")}	}
}
`;
}

function memberText(field: RowField): string {
  return `${capitalised(field.name)} ${goTypes[readerOf(field)]} \`json:"${field.name}"\``;
}

/** What each method of `fields` (packages/go/querytype/fields.go) returns. */
const goTypes = {
  text: "string",
  count: "int64",
  number: "float64",
  boolean: "bool",
  object: "map[string]any",
  array: "[]any",
  amounts: "[]Amount",
  textOrNil: "*string",
  timeOrNil: "*time.Time",
  countOrNil: "*int64",
  numberOrNil: "*float64",
  booleanOrNil: "*bool",
} as const;

const readers = {
  text: "text",
  // What an older service does not send is no time.
  time: "timeOrNil",
  count: "count",
  number: "number",
  boolean: "boolean",
  object: "object",
  array: "array",
  nothing: "text",
} as const satisfies Record<FieldKind, keyof typeof goTypes>;

/** The method of `fields` that reads a field. Maps and slices are nil by themselves. */
function readerOf({ name, kind, mayBeNull, isOfGoal }: RowField): keyof typeof goTypes {
  const reader = readers[kind];
  if (name === "revenue" && reader === "array") return "amounts";
  if (!(mayBeNull || isOfGoal) || reader === "object" || reader === "array" || reader === "timeOrNil") return reader;
  return `${reader}OrNil`;
}
