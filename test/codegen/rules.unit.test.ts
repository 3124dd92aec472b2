import { type DescMessage, getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { method as methodJson } from "../../src/gen/gateway/v1/json_pb.ts";
import { http } from "../../src/gen/google/api/annotations_pb.ts";
import { codecs } from "../../src/gen/lookout/codecs.js";
import { services } from "../../src/gen/lookout/services.ts";
import { type AnyCodec, expectSameMessages, expectSameRefusals, expectSameVerdicts, type Subject } from "./fuzz.ts";

/** A failure shows it; another one tries other messages. */
const seed = 1;
const messages = 10_000;
const codecsByName: Readonly<Record<string, AnyCodec | undefined>> = codecs;
const subjects = [...requestMessages().values()];

test("part 8: compiled rules refuse the same fields as protovalidate, as messages and as JSON", () => {
  const refused = expectSameVerdicts(subjects, seed, messages);
  // Some are valid and some are not, since the changes aim at the edges.
  expect(refused).toBeGreaterThan(messages / 5);
  expect(refused).toBeLessThan((messages * 4) / 5);
});

test("protobuf JSON: a codec reads a request to the message that fromJson makes of it", () => {
  expectSameMessages(subjects, seed, 2000);
});

test("protobuf JSON: a codec refuses what fromJson refuses, but for aliases, shorthand, as_text and tagged oneofs", () => {
  expect(expectSameRefusals(subjects, seed, 5000)).toBeGreaterThan(1000);
});

/** Every request message, and every message whose items are validated separately. */
function requestMessages(): Map<string, Subject> {
  const found = new Map<string, Subject>();
  const add = (desc: DescMessage, rawList: string | undefined, isLenient: boolean): void => {
    const codec = codecsByName[desc.typeName];
    if (codec === undefined) throw new Error(`${desc.typeName} has no codec`);
    if (desc.fields.length > 0) found.set(desc.typeName, { desc, codec, rawList, isLenient });
  };
  for (const method of services.flatMap((service) => service.methods)) {
    const { eachItem, lenient } = getOption(method, methodJson);
    const list = eachItem
      ? method.input.fields.find((field) => field.name === getOption(method, http).body)
      : undefined;
    add(method.input, list?.jsonName, lenient);
    if (list?.message !== undefined) add(list.message, undefined, lenient);
  }
  return found;
}
