import { javadoc } from "./javaRowsText.ts";
import { namesOfValues } from "./valueNames.ts";
import type { ValueSet } from "./valueSets.ts";

/** The Java sources by path of a class for each set of values, with a constant for each: \`LinkMetric.CLICKS\`. */
export function javaValueFiles(sets: readonly ValueSet[]): Record<string, string> {
  return Object.fromEntries(sets.map((set) => [`dev/lookout/values/${set.name}.java`, setText(set)]));
}

function setText({ name, comment, values, fields }: ValueSet): string {
  const constants = namesOfValues(values).map(
    ([words, value]) => `  public static final String ${constantOf(words)} = ${JSON.stringify(value)};\n`,
  );
  return `// Code generated from the contract's validation rules. Do not edit.
package dev.lookout.values;

import java.util.List;

/** ${javadoc(comment)} In {@code ${fields.join(", ")}}. Later versions of the service may answer further values. */
public final class ${name} {
${constants.join("")}
  /** All of them. */
  public static final List<String> ALL =
      List.of(${values.map((value) => JSON.stringify(value)).join(", ")});

  private ${name}() {}
}
`;
}

/** No name begins with a digit. */
function constantOf(words: readonly string[]): string {
  return words
    .join("_")
    .toUpperCase()
    .replace(/^(?=\d)/, "_");
}
