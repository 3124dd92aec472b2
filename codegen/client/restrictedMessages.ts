import type { ValueSet } from "./valueSets.ts";

/**
 * Generated messages of the TypeScript client with the types of value sets in place of `string`, where the contract restricts a text.
 * `text` is a file of protoc-gen-es in the folder lookout/v1. The descriptor in it, and so the wire, stays as it is.
 */
export function restrictedMessages(text: string, sets: readonly ValueSet[]): string {
  const setOf = new Map(sets.flatMap(({ name, fields }) => fields.map((field) => [field, name] as const)));
  const used = new Set<string>();
  const parts = text.split(/(?=@generated from message lookout\.v1\.)/);
  const restricted = parts.map((part) => {
    const [, message = ""] = /^@generated from message lookout\.v1\.(\w+)/.exec(part) ?? [];
    return part.replaceAll(fieldType, (whole, before: string, field: string, end: string) => {
      const name = setOf.get(`${message}.${field}`);
      if (name === undefined) return whole;
      used.add(name);
      return `${before}${name}${end}`;
    });
  });
  return withImports(restricted.join(""), [...used].sort());
}

/** The comment that names a field, and its member: the type of the text in it. */
const fieldType =
  /(@generated from field: (?:optional |repeated )?string (\w+) = [^\n]*\n\s*\*\/\n\s*\w+\??: )string((?:\[\])?(?: \| undefined)?;)/g;

function withImports(text: string, names: readonly string[]): string {
  if (names.length === 0) return text;
  const last = [...text.matchAll(/^import .*;$/gm)].at(-1);
  if (last === undefined) throw new Error("The generated file imports nothing");
  const end = last.index + last[0].length;
  return `${text.slice(0, end)}\nimport type { ${names.join(", ")} } from "../../../valueSets.ts";${text.slice(end)}`;
}
