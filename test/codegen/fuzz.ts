import {
  clone,
  type DescMessage,
  equals,
  fromJson,
  getOption,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { expect } from "vitest";
import { message as messageJson, oneof as oneofJson } from "../../src/gen/gateway/v1/json_pb.ts";
import type { Violation } from "../../src/gen/lookout/codecs.js";
import { mutate } from "../kit/messages/mutation.ts";
import { Random } from "../kit/messages/random.ts";
import { taggedJson } from "../kit/messages/taggedJson.ts";
import { validMessage } from "../kit/messages/validMessage.ts";
import { spoil } from "./jsonMutation.ts";
import { refusedFields } from "./protovalidate.ts";

/** A codec of any message. */
export type AnyCodec = {
  parse(json: unknown, violations: Violation[]): object | undefined;
  check(message: object, violations: Violation[]): void;
  write(message: object): string;
  object(message: object): Record<string, unknown>;
};

/** A message to try, and its list whose items are validated separately. */
export type Subject = {
  readonly desc: DescMessage;
  readonly codec: AnyCodec;
  readonly rawList: string | undefined;
  /** Unknown members are ignored and U+0000 is accepted. */
  readonly isLenient: boolean;
};

/** Mutates valid messages, and expects the same refused fields from protovalidate, from `check` and from `parse`. Returns how many are refused. */
export function expectSameVerdicts(subjects: readonly Subject[], seed: number, messages: number): number {
  const random = new Random(seed);
  let refused = 0;
  for (let index = 0; index < messages; index++) {
    const { desc, codec, rawList, isLenient } = random.pick(subjects);
    const message = validMessage(desc, random);
    for (let changes = random.whole(0, 3); changes > 0; changes--) mutate(desc, message, random);
    const expected = refusedFields(desc, message, rawList, isLenient);
    const json = taggedJson(desc, toJson(desc, message));
    if (expected.length > 0) refused++;
    const checked = fieldsOf((violations) => codec.check(message, violations));
    if (!isSame(checked, expected))
      expect(checked, `check, ${describeCase(seed, index, desc, json)}`).toEqual(expected);
    if (hasNoJson(desc, message)) continue;
    const parsed = ofFirstItems(fieldsOf((violations) => codec.parse(sent(json), violations)));
    const known = ofFirstItems(expected);
    if (!isSame(parsed, known)) expect(parsed, `parse, ${describeCase(seed, index, desc, json)}`).toEqual(known);
  }
  return refused;
}

/** Of a list `parse` names the first 100 wrong items only, which are at least the wrong ones among its first 100. */
function ofFirstItems(fields: readonly string[]): string[] {
  return fields.filter((field) => [...field.matchAll(/\[(\d+)\]/g)].every(([, index]) => Number(index) < 100));
}

/** Expects that valid protobuf JSON is read to the message that fromJson makes of it, and is written back to the same JSON. */
export function expectSameMessages(subjects: readonly Subject[], seed: number, messages: number): void {
  const random = new Random(seed);
  for (let index = 0; index < messages; index++) {
    const { desc, codec, rawList } = random.pick(subjects);
    const message = validMessage(desc, random);
    const json = taggedJson(desc, toJson(desc, message));
    const violations: Violation[] = [];
    const read = codec.parse(sent(json), violations);
    expect(violations, describeCase(seed, index, desc, json)).toEqual([]);
    if (rawList === undefined)
      expect(equals(desc, read as Message, message), describeCase(seed, index, desc, json)).toBe(true);
    const again = codec.parse(JSON.parse(codec.write(message)), violations);
    if (rawList === undefined)
      expect(equals(desc, again as Message, message), `write, ${describeCase(seed, index, desc, json)}`).toBe(true);
  }
}

/** Puts wrong types into valid JSON, and expects that what fromJson refuses is refused. Returns how many fromJson refused. */
export function expectSameRefusals(subjects: readonly Subject[], seed: number, messages: number): number {
  const random = new Random(seed);
  let refused = 0;
  for (let index = 0; index < messages; index++) {
    const { desc, codec, rawList, isLenient } = random.pick(subjects);
    const json = toJson(desc, clone(desc, validMessage(desc, random))) as Record<string, JsonValue>;
    if (rawList !== undefined) delete json[rawList];
    const isSpoilt = spoil(desc, json, random, (owner) => getOption(owner, messageJson).shorthand !== "");
    if (!isSpoilt || isRead(desc, json, isLenient)) continue;
    refused++;
    const violations: Violation[] = [];
    codec.parse(sent(taggedJson(desc, json)), violations);
    if (violations.length === 0) expect.fail(`accepted, ${describeCase(seed, index, desc, json)}`);
  }
  return refused;
}

function describeCase(seed: number, index: number, desc: DescMessage, json: JsonValue): string {
  return `seed ${seed}, message ${index}: ${desc.typeName} ${JSON.stringify(json).slice(0, 2000)}`;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((field, index) => field === right[index]);
}

/** A flat oneof without a case: any JSON object is read as the flat case. */
function hasNoJson(desc: DescMessage, message: Message): boolean {
  return desc.oneofs.some((oneof) => {
    const content: { case?: string } = Reflect.get(message, oneof.localName);
    return getOption(oneof, oneofJson).flat !== "" && content.case === undefined;
  });
}

function isRead(desc: DescMessage, json: JsonValue, isLenient: boolean): boolean {
  try {
    fromJson(desc, json, { ignoreUnknownFields: isLenient });
    return true;
  } catch {
    return false;
  }
}

/** A deep copy of the JSON. */
function sent(json: JsonValue): unknown {
  return JSON.parse(JSON.stringify(json));
}

function fieldsOf(collect: (violations: Violation[]) => void): string[] {
  const violations: Violation[] = [];
  collect(violations);
  return [...new Set(violations.map((violation) => violation.field))].sort();
}
