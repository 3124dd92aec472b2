import type { DescMessage } from "@bufbuild/protobuf";
import { readMessage } from "../readMessage.ts";
import { restrictedFields } from "./restrictedFields.ts";

/** Throws a TypeError with everything in an answer that Lookout would not send: other members, other kinds of values, values not in their list. */
export function checkAnswer(call: string, message: DescMessage, answer: unknown): void {
  const { problems } = readMessage(message, answer, { allowed: restrictedFields });
  if (problems.length === 0) return;
  const texts = problems.map(({ field, message: text }) => `${field === "" ? "it" : field} ${text}`);
  throw new TypeError(`The test's answer of ${call} is not one of Lookout: ${texts.join("; ")}`);
}
