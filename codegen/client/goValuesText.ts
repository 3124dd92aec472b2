import { capitalised } from "./rowTypes.ts";
import { namesOfValues, plural } from "./valueNames.ts";
import type { ValueSet } from "./valueSets.ts";

const header = `// Code generated from the contract's validation rules. DO NOT EDIT.

// Package values has a constant for each value that the contract restricts a text to, such as [Interval1m]. They are texts, as the fields of
// messages are; a field that is a pointer takes proto.String(values.Interval1m). Later versions of the service may answer further values.
package values
`;

/** The Go source of a constant for each value: of \`LinkMetric\` \`LinkMetricClicks\`. Not yet formatted by gofmt. */
export function goValuesText(sets: readonly ValueSet[]): string {
  return [header, ...sets.map(setText)].join("\n");
}

function setText({ name, comment, values, fields }: ValueSet): string {
  const constants = namesOfValues(values).map(
    ([words, value]) => `\t${name}${words.map(capitalised).join("")} = ${JSON.stringify(value)}\n`,
  );
  return `// ${comment} In ${fields.join(", ")}.
const (
${constants.join("")})

// ${plural(name)} are all values of ${fields[0]}.
var ${plural(name)} = []string{${values.map((value) => JSON.stringify(value)).join(", ")}}
`;
}
