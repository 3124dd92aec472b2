import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { DescMessage } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Violation } from "../../src/gen/lookout/codecs.js";
import { type AnyCodec, expectSameMessages, expectSameRefusals, expectSameVerdicts, type Subject } from "./fuzz.ts";
import { generateFrom } from "./sampleContract.ts";

/** A failure shows it; another one tries other messages. */
const seed = 1;
let folder: string;
let codecs: Readonly<Record<string, AnyCodec>>;
let subjects: readonly Subject[];

beforeAll(async () => {
  const { contract, problems, text } = generateFrom("sample");
  expect(problems).toEqual([]);
  folder = mkdtempSync(join(tmpdir(), "lookout-codecs-"));
  const file = join(folder, "codecs.mjs");
  writeFileSync(file, text);
  ({ codecs } = await import(/* @vite-ignore */ pathToFileURL(file).href));
  const read = ["ValidateRequest", "Texts", "Numbers", "Lists", "Choice", "Tagged"];
  subjects = contract.messages
    .filter((message) => read.includes(message.name))
    .map((desc) => ({ desc, codec: codecOf(desc), rawList: undefined, isLenient: false }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every rule that has a compiled form refuses the same fields as protovalidate", () => {
  expect(expectSameVerdicts(subjects, seed, 1500)).toBeGreaterThan(300);
});

test("every type that has a compiled form is read and written as protobuf JSON", () => {
  expectSameMessages(subjects, seed, 300);
  expect(expectSameRefusals(subjects, seed, 1000)).toBeGreaterThan(200);
});

test("the generator fails and lists everything that has no compiled form", () => {
  const { problems } = generateFrom("refused");
  const text = problems.join("\n");
  for (const part of [
    "refused.v1.RefuseRequest.big is a 64-bit integer, which JSON numbers cannot carry: use double",
    "google.protobuf.Timestamp has no compiled form",
    "refused.v1.RefuseRequest.by_number: only string keys",
    "every JSON object already has a member constructor",
    "refused.v1.RefuseRequest.cel: cel",
    "string.email",
    "unique of this type",
    "bytes.max_len",
    "string.pattern must have no lookaround",
    "string.pattern must have no quantifier around a quantifier",
    "string.pattern must be anchored",
    "string.pattern repeats without bound more than once",
    "string.pattern must name a class instead of a dot",
    "refused.v1.RefuseRequest.wordless: string.pattern needs a (gateway.v1.field).pattern_message",
    "map.keys",
    "double.bounds that exclude a range",
    "IGNORE_ALWAYS of a message",
    "message refused.v1.RefuseResponse: cel",
    "its shorthand missing is no string field",
    "contains itself",
    "has each_item, but its body is no list of messages",
    "streams its request",
  ])
    expect(text).toContain(part);
});

test("write: fields without presence are always written, optional ones when set, or as null", () => {
  expect(written("ValidateResponse", {})).toEqual({
    flag: false,
    count: 0,
    text: "",
    number: 0,
    color: "COLOR_UNSPECIFIED",
    data: "",
    maybeNull: null,
    nameOrNull: null,
    texts: [],
    names: [],
    counts: {},
    named: {},
    values: [],
    rows: [],
  });
  expect(written("ValidateResponse", { maybe: "", maybeNull: "", name: {}, nameOrNull: { name: "x" } })).toMatchObject({
    maybe: "",
    maybeNull: "",
    name: { name: "" },
    nameOrNull: { name: "x" },
  });
});

test("write: lists, maps, bytes, enums and free JSON", () => {
  const rows = [{ a: [1, { b: null }] }];
  const init = {
    color: 1,
    data: new Uint8Array([251, 255]),
    names: [{ name: "a" }, {}],
    counts: JSON.parse('{"a": 1, "__proto__": 2}'),
    named: { x: { name: "y" } },
    value: {
      kind: {
        case: "listValue",
        value: { values: [{ kind: { case: "nullValue", value: 0 } }, { kind: { case: "numberValue", value: 1 } }] },
      },
    },
    values: [
      { kind: { case: "structValue", value: { fields: { k: { kind: { case: "boolValue", value: true } } } } } },
      {},
    ],
    list: { values: [{ kind: { case: "stringValue", value: "s" } }] },
    rows,
    choice: { which: { case: "text", value: "t" } },
    tagged: { content: { case: "name", value: { name: "n" } } },
  };
  const json = written("ValidateResponse", init);
  expect(json).toMatchObject({
    color: "COLOR_RED",
    data: "+/8=",
    names: [{ name: "a" }, { name: "" }],
    named: { x: { name: "y" } },
    value: [null, 1],
    values: [{ k: true }, null],
    list: ["s"],
    rows,
    choice: { text: "t" },
    tagged: { kind: "name", with: { name: "n" } },
  });
  expect(Object.entries(json["counts"] as object)).toEqual([
    ["a", 1],
    ["__proto__", 2],
  ]);
  expect(codecNamed("ValidateResponse").object(init)["rows"]).toBe(rows);
});

test("parse: a member named __proto__ is an entry of a map like any other", () => {
  const violations: Violation[] = [];
  const message = codecNamed("Lists").parse(
    JSON.parse('{"required":["x"],"items":["x"],"numbers":[1,2],"pairs":{"__proto__":"x"}}'),
    violations,
  );
  expect(violations).toEqual([]);
  expect(Object.entries(Reflect.get(message ?? {}, "pairs"))).toEqual([["__proto__", "x"]]);
});

test("parse: a tagged oneof without a flat form names what is missing", () => {
  expect(fields("Tagged", {})).toEqual([["kind", "is required, one of choice, name"]]);
  expect(fields("Tagged", { kind: "name" })).toEqual([["with", "is required"]]);
  expect(fields("Tagged", { kind: "other", with: {} })).toEqual([["kind", "must be one of choice, name"]]);
  expect(fields("Tagged", { kind: "name", with: { name: "long" } })).toEqual([
    ["with.name", "must be at most 3 characters"],
  ]);
});

test("parse: a plain oneof takes one case", () => {
  expect(fields("Choice", {})).toEqual([["which", "is required, one of text, number, texts"]]);
  expect(fields("Choice", { text: "a", number: 1 })).toEqual([
    ["number", "must not be combined with another of text, number, texts"],
  ]);
});

function codecOf(desc: DescMessage): AnyCodec {
  const codec = codecs[desc.typeName];
  if (codec === undefined) throw new Error(`${desc.typeName} has no codec`);
  return codec;
}

function codecNamed(name: string): AnyCodec {
  const codec = codecs[`sample.v1.${name}`];
  if (codec === undefined) throw new Error(`${name} has no codec`);
  return codec;
}

function written(name: string, init: object): Record<string, unknown> {
  return JSON.parse(codecNamed(name).write(init));
}

function fields(name: string, json: unknown): [string, string][] {
  const violations: Violation[] = [];
  codecNamed(name).parse(json, violations);
  return violations.map(({ field, message }) => [field, message]);
}
