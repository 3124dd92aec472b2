import type { DescEnum, DescField, DescMessage, DescOneof } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import { field as fieldJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { identifier, listValueType, namesOf, structType, valueType } from "../contract.ts";
import type { Branch } from "./fieldRules.ts";
import { chain, type Lines, member, violate } from "./javascript.ts";
import { integerRange } from "./numberRules.ts";

/** The source and target of one JSON value. `path` and `source` are JavaScript expressions; source is not absent. */
export type ValueSite = {
  readonly source: string;
  readonly path: string;
  /** Whether texts in free JSON must not contain U+0000. */
  readonly refusesNul: boolean;
  /** The statement that stores the value. */
  readonly assign: (value: string) => string;
  /** The branches that validate a value of the right type; `pass` is what stores it. */
  readonly branches: (value: string, pass: Lines) => readonly Branch[];
};

/** Statements that read one value, the field's own or an item's: a wrong type is recorded once and not validated further. */
export function readValue(field: DescField, site: ValueSite): Lines {
  const { source, path } = site;
  const wrong = (test: string, message: string): Branch => ({ test, body: [violate(path, message, "type")] });
  const finish = (branches: readonly Branch[], value: string): Lines => {
    const pass = [site.assign(value)];
    return chain([...branches, ...site.branches(value, pass)], pass);
  };
  if (field.message !== undefined) return readMessage(field.message, site);
  if (field.enum !== undefined) {
    const names = `must be one of ${field.enum.values.map((value) => value.name).join(", ")}`;
    return [
      `const number = ${enumNumbers(field.enum)}(${source});`,
      ...finish([wrong("number === undefined", names)], "number"),
    ];
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      if (getOption(field, fieldJson).asText) return [`const text = textOf(${source});`, ...finish([], "text")];
      return finish(
        [
          wrong(`typeof ${source} !== "string"`, "must be a string"),
          wrong(`!${source}.isWellFormed()`, "must be valid Unicode"),
        ],
        source,
      );
    case ScalarType.BOOL:
      return finish([wrong(`typeof ${source} !== "boolean"`, "must be true or false")], source);
    case ScalarType.BYTES:
      return [
        `const bytes = fromBase64(${source});`,
        ...finish([wrong("bytes === undefined", "must be base64 text")], "bytes"),
      ];
    case ScalarType.DOUBLE:
      return finish([wrong(`!Number.isFinite(${source})`, "must be a number")], source);
    case ScalarType.FLOAT:
      return finish(
        [wrong(`!Number.isFinite(${source}) || !Number.isFinite(Math.fround(${source}))`, "must be a number")],
        source,
      );
    default: {
      const [least, greatest] = integerRange(field.scalar ?? ScalarType.INT32) ?? [0, 0];
      const fits = `!(Number.isInteger(${source}) && ${source} >= ${least} && ${source} <= ${greatest})`;
      return finish([wrong(fits, `must be a whole number${least === 0 ? " of at least 0" : ""}`)], source);
    }
  }
}

/** The name of the function that converts the JSON of an enum to its number. */
export function enumNumbers(desc: DescEnum): string {
  return `number_${desc.typeName.replaceAll(".", "_")}`;
}

function readMessage(message: DescMessage, { source, path, refusesNul, assign }: ValueSite): Lines {
  const free = (type: Branch[], value: string): Lines => [
    `const flaw = flawOf(${source}, 0, ${refusesNul});`,
    ...chain(
      [...type, { test: 'flaw !== ""', body: [`violate(violations, ${path}, flaw, "type");`] }],
      [assign(value)],
    ),
  ];
  switch (message.typeName) {
    case structType:
      return free([{ test: `!isObject(${source})`, body: [violate(path, "must be an object", "type")] }], source);
    case listValueType:
      return free(
        [{ test: `!Array.isArray(${source})`, body: [violate(path, "must be an array", "type")] }],
        `toListValue(${source})`,
      );
    case valueType:
      return free([], `toValue(${source})`);
    default:
      return [
        "const from = violations.length;",
        assign(`parse_${identifier(message)}(${source}, violations)`),
        `if (violations.length !== from) under(violations, from, ${path});`,
      ];
  }
}

/** The variable that holds the value of a field or oneof. */
export function local(one: DescField | DescOneof): string {
  return `${one.localName}_`;
}

/** An expression for the JSON of a field under any of its names; the first that is not null is used. */
export function sourceOf(field: DescField): string {
  const reads = namesOf(field).map((name) => member("json", name));
  if (field.message?.typeName !== valueType || field.fieldKind !== "message") return reads.join(" ?? ");
  return reads.reduceRight((rest, read) => `${read} !== undefined ? ${read} : ${rest}`);
}
