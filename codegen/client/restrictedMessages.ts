import type { NamedType } from "./namedTypes.ts";

/**
 * Generated messages of the TypeScript client with the types of `types` in place of `string`. Members in `set` are there in every answer.
 * `text` is a file of protoc-gen-es in the folder lookout/v1. The descriptor in it, and so the wire, stays as it is.
 */
export function restrictedMessages(
  text: string,
  types: ReadonlyMap<string, NamedType>,
  set: readonly string[] = [],
): string {
  const used = new Set<NamedType>();
  const parts = text.split(/(?=@generated from message lookout\.v1\.)/);
  const restricted = parts.map((part) => {
    const [, message = ""] = /^@generated from message lookout\.v1\.(\w+)/.exec(part) ?? [];
    const required = part.replaceAll(
      messageField,
      (whole, before: string, field: string, name: string, type: string) =>
        set.includes(`${message}.${field}`) ? `${before}${name}: ${type};` : whole,
    );
    return required.replaceAll(fieldType, (whole, before: string, field: string, end: string) => {
      const named = types.get(`${message}.${field}`);
      if (named === undefined) return whole;
      used.add(named);
      return `${before}${named.type}${end}`;
    });
  });
  return withImports(
    restricted.join("").replaceAll(optionalMember, (whole) => whole.replaceAll(/\bnull\b/g, "undefined")),
    ["valueSets", "filterFields", "textTimes"].flatMap((file) => {
      const names = new Set([...used].filter((named) => named.file === file).map(({ type }) => type));
      return names.size === 0 ? [] : [`import type { ${[...names].sort().join(", ")} } from "../../../${file}.ts";`];
    }),
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
