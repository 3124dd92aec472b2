import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DescMessage } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { timeFields } from "../../codegen/client/timeFields.ts";
import { reached } from "../../codegen/contract.ts";
import { services } from "../../src/gen/lookout/services.ts";

const folder = join(import.meta.dirname, "../../proto/lookout/v1");

/** `<message>.<field>` of each text whose comment says that it holds an instant. */
function instants(proto: string): readonly string[] {
  const found: string[] = [];
  let [message, comment] = ["", ""];
  for (const line of proto.split("\n")) {
    const [, name] = /^message (\w+) \{/.exec(line) ?? [];
    const [, text] = /^ {2}\/\/ (.*)/.exec(line) ?? [];
    const [, field] = /^ {2}(?:optional )?string (\w+) = /.exec(line) ?? [];
    if (field !== undefined && /ISO 8601(?! duration)|instant/.test(comment)) found.push(`${message}.${field}`);
    message = name ?? message;
    comment = text === undefined ? "" : `${comment} ${text}`;
  }
  return found;
}

const typesOf = (side: "input" | "output") => {
  const messages: DescMessage[] = services.flatMap(({ methods }) => methods.map((method) => method[side]));
  return new Set([...reached(messages)].map(({ name }) => name));
};

test("every instant of a request is a time for clients, and no answer has one", () => {
  const [inputs, outputs] = [typesOf("input"), typesOf("output")];
  const isRequest = (field: string) => {
    const [message = ""] = field.split(".");
    return inputs.has(message) && !outputs.has(message);
  };
  const known = readdirSync(folder).flatMap((name) => instants(readFileSync(join(folder, name), "utf8")));
  expect(known.filter(isRequest).filter((field) => !timeFields.includes(field))).toEqual([]);
  expect(timeFields.filter((field) => !isRequest(field))).toEqual([]);
});
