import type { ValueSet } from "./valueSets.ts";

/**
 * Generated messages of the TypeScript client with the types of value sets in place of `string`, where the contract restricts a text, and
 * with `TextTime` for `times` and the names of fields for `queried`. Members in `set` are there in every answer. `text` is a file of protoc-gen-es in the folder lookout/v1. The
 * descriptor in it, and so the wire, stays as it is.
 */
export function restrictedMessages(
  text: string,
  sets: readonly ValueSet[],
  times: readonly string[] = [],
  set: readonly string[] = [],
  queried: Readonly<Record<string, string>> = {},
): string {
  const setOf = new Map(sets.flatMap(({ name, fields }) => fields.map((field) => [field, name] as const)));
  const isTime = new Set(times);
  const used = new Set<string>();
  const usedNames = new Set<string>();
  let usesTimes = false;
  const parts = text.split(/(?=@generated from message lookout\.v1\.)/);
  const restricted = parts.map((part) => {
    const [, message = ""] = /^@generated from message lookout\.v1\.(\w+)/.exec(part) ?? [];
    const required = part.replaceAll(
      messageField,
      (whole, before: string, field: string, name: string, type: string) =>
        set.includes(`${message}.${field}`) ? `${before}${name}: ${type};` : whole,
    );
    return required.replaceAll(fieldType, (whole, before: string, field: string, end: string) => {
      if (isTime.has(`${message}.${field}`)) {
        usesTimes = true;
        return `${before}TextTime${end}`;
      }
      const named = queried[`${message}.${field}`];
      if (named !== undefined) {
        usedNames.add(named);
        return `${before}${named}${end}`;
      }
      const name = setOf.get(`${message}.${field}`);
      if (name === undefined) return whole;
      used.add(name);
      return `${before}${name}${end}`;
    });
  });
  return withImports(
    restricted.join("").replaceAll(optionalMember, (whole) => whole.replaceAll(/\bnull\b/g, "undefined")),
    [
      ...(used.size > 0 ? [`import type { ${[...used].sort().join(", ")} } from "../../../valueSets.ts";`] : []),
      ...(usedNames.size > 0
        ? [`import type { ${[...usedNames].sort().join(", ")} } from "../../../filterFields.ts";`]
        : []),
      ...(usesTimes ? ['import type { TextTime } from "../../../textTimes.ts";'] : []),
    ],
  );
}

/** The comment that names a field, and its member: the type of the text in it. */
const fieldType =
  /(@generated from field: (?:optional |repeated )?string (\w+) = [^\n]*\n\s*\*\/\n\s*\w+\??: )string((?:\[\])?(?: \| undefined)?;)/g;

/** The comment of a member that may be undefined: over JSON it is null, and so it is called in the contract. */
const optionalMember = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n\s*\w+\?: /g;

/** The comment that names a field of a message type, and its member. */
const messageField =
  /(@generated from field: lookout\.v1\.\w+ (\w+) = [^\n]*\n\s*\*\/\n\s*)(\w+)\?: (\w+) \| undefined;/g;

function withImports(text: string, imports: readonly string[]): string {
  if (imports.length === 0) return text;
  const last = [...text.matchAll(/^import .*;$/gm)].at(-1);
  if (last === undefined) throw new Error("The generated file imports nothing");
  const end = last.index + last[0].length;
  return [text.slice(0, end), ...imports].join("\n") + text.slice(end);
}
