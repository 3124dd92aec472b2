import type { JsonSchema } from "./openapiRules.ts";

/**
 * The text of a document: a line for each path and each component, so that a change shows what it changes, and no further white space, which
 * would be almost half of it.
 */
export function documentText(document: JsonSchema): string {
  return membersText(document, (name, value) =>
    name === "components"
      ? membersText(value as JsonSchema, (_, kind) =>
          membersText(kind as JsonSchema, (_name, one) => JSON.stringify(one)),
        )
      : name === "paths"
        ? membersText(value as JsonSchema, (_, path) => JSON.stringify(path))
        : JSON.stringify(value),
  );
}

function membersText(members: JsonSchema, textOf: (name: string, value: unknown) => string): string {
  const lines = Object.entries(members).map(([name, value]) => `${JSON.stringify(name)}: ${textOf(name, value)}`);
  return `{\n${lines.join(",\n")}\n}`;
}
