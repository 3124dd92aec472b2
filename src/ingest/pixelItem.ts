import { type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { codecOf } from "../call/codecOf.ts";
import type { Violation } from "../gen/lookout/codecs.js";
import type { ValidatedItem } from "../gen/lookout/services.ts";
import type { GetPixelRequest } from "../gen/lookout/v1/clients_pb.ts";
import { withoutLoneSurrogates } from "../text/loneSurrogates.ts";

/**
 * The query string of an image as an item of another call, validated by its rules. Text is converted to each field's
 * type; figures that are no numbers and properties that are no JSON object are left out, since no one would see an
 * error.
 */
export function readPixelItem<Desc extends DescMessage>(
  type: Desc,
  request: GetPixelRequest,
): ValidatedItem<MessageShape<Desc>> {
  const sent = new Map<string, unknown>(Object.entries(request));
  const json: Record<string, unknown> = {};
  for (const field of type.fields) {
    const text = sent.get(field.localName);
    if (typeof text !== "string" || text === "") continue;
    if (field.fieldKind === "message") json[field.jsonName] = readObject(text);
    else if (field.fieldKind === "scalar")
      json[field.jsonName] = field.scalar === ScalarType.STRING ? text : readNumber(text);
  }
  const violations: Violation[] = [];
  // The codec of a type creates messages of that type, which the type system cannot express for the table of codecs.
  const value = codecOf(type).parse(json, violations) as MessageShape<Desc> | undefined;
  return { value: violations.length === 0 ? value : undefined, violations, raw: json };
}

function readNumber(text: string): number | undefined {
  const number = Number(text);
  return text.trim() !== "" && Number.isFinite(number) ? number : undefined;
}

function readObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(withoutLoneSurrogates(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
