import { things } from "./alwaysSet.ts";
import { rowTypes } from "./rowTypes.ts";
import { plural } from "./valueNames.ts";
import type { ValueSet } from "./valueSets.ts";

const header = `// Code generated from the contract's validation rules. DO NOT EDIT.

package lookouttest

import (
	"google.golang.org/protobuf/reflect/protoreflect"
	"lookout.dev/client/values"
)
`;

/**
 * The Go source of what the test double checks: the values of texts, the fields that requests need and those that answers have, all as
 * `<message>.<name in the proto>`, and the query types. Not yet formatted.
 */
export function goTestRulesText(sets: readonly ValueSet[], required: ReadonlySet<string>): string {
  const allowed = sets
    .flatMap(({ name, fields }) => fields.map((field) => [field, plural(name)] as const))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([field, values]) => `\t${nameText(field)}: values.${values},\n`);
  const needed = [...required].toSorted().map((field) => `\t${nameText(field)}: true,\n`);
  const answered = [...things].toSorted().map((field) => `\t${nameText(field)}: true,\n`);
  const types = rowTypes().map(({ query }) => `\t${JSON.stringify(query)},\n`);
  return [
    header,
    `// allowed are the values that a text may have.\nvar allowed = map[protoreflect.FullName][]string{\n${allowed.join("")}}\n`,
    `// required are the fields that a request is refused without.\nvar required = map[protoreflect.FullName]bool{\n${needed.join("")}}\n`,
    `// answered are the things that answers always have.\nvar answered = map[protoreflect.FullName]bool{\n${answered.join("")}}\n`,
    `// queryTypes are the names of all of them.\nvar queryTypes = []string{\n${types.join("")}}\n`,
  ].join("\n");
}

function nameText(field: string): string {
  return JSON.stringify(`lookout.v1.${field}`);
}
