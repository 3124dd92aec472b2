import { javadoc } from "./javaRowsText.ts";
import { namesOfValues } from "./valueNames.ts";
import type { ValueSet } from "./valueSets.ts";

/** The Java sources by path of a class for each set of values, with a constant for each: \`LinkMetric.CLICKS\`. */
export function javaValueFiles(sets: readonly ValueSet[]): Record<string, string> {
  return Object.fromEntries(sets.map((set) => [`dev/lookout/values/${set.name}.java`, setText(set)]));
}

function setText({ name, comment, values, fields }: ValueSet): string {
  const constants = namesOfValues(values).flatMap(([words, value]) => {
    const [old, readable] = [constantOf(words), readableOf(name, words)];
    const text = (constant: string) => `  public static final String ${constant} = ${JSON.stringify(value)};\n`;
    return old === readable ? [text(old)] : [text(readable), `  /** The same as {@link #${readable}}. */\n`, text(old)];
  });
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

const units: Readonly<Record<string, string>> = { s: "SECONDS", m: "MINUTES", h: "HOURS", d: "DAYS" };

/** A name that begins with a letter: of an interval `5m` is `MINUTES_5`, and of HttpVersion `1.1` is `HTTP_VERSION_1_1`. */
function readableOf(set: string, words: readonly string[]): string {
  const name = constantOf(words);
  if (!name.startsWith("_")) return name;
  const [, digits, letter = ""] = /^_(\d+)_?([SMHD])$/.exec(name) ?? [];
  const unit = units[letter.toLowerCase()];
  return unit === undefined
    ? `${set.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toUpperCase()}${name}`
    : `${unit}_${digits}`;
}
