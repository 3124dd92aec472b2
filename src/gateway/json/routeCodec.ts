import type { DescMessage, Message } from "@bufbuild/protobuf";
import { codecOf } from "../../call/codecOf.ts";
import { violationDetails } from "../../call/violationDetails.ts";
import { ApiError, type ErrorDetail, validationError } from "../../errors/errors.ts";
import type { Violation } from "../../gen/lookout/codecs.js";
import type { ValidatedItem } from "../../gen/lookout/services.ts";
import { withoutLoneSurrogates } from "../../text/loneSurrogates.ts";
import type { ItemwiseList, PathMatch, Route } from "../routeTable.ts";
import { hasTooManyNodes, tooManyNodes } from "./jsonNodes.ts";
import { addParameters, type JsonObject } from "./requestParameters.ts";

/**
 * Path, query string and body as the request message, every rule of the contract checked. `isArray` says that the body was a top-level
 * array where an object is the rule, `isForm` that it is a form's (URL standard, section 5.1). Throws VALIDATION_ERROR with all that is
 * wrong.
 */
export function decodeRequest(
  route: Route,
  match: PathMatch,
  queryString: string,
  body: Buffer | undefined,
  isForm = false,
): { message: object; isArray: boolean } {
  const given = route.body === undefined ? undefined : isForm ? readForm(body) : parseJson(body);
  const isArray = route.arrayBody !== undefined && Array.isArray(given);
  const json = requestJson(route, given, isArray);
  const violations: Violation[] = [];
  addParameters(json, route, match, queryString, violations);
  const message = codecOf(route.method.input).parse(json, violations);
  if (message === undefined || violations.length > 0) throw refusal(route, violations);
  if (route.itemwiseList === undefined) return { message, isArray };
  const { field, type } = route.itemwiseList;
  return { message: { ...message, [field]: validateItems(type, listOf(message, field)) }, isArray };
}

function refusal(route: Route, violations: readonly Violation[]): ApiError {
  const details = violationDetails(violations, [route.body, route.arrayBody]);
  const tooMany = violations.find(({ rule, field }) => rule === "repeated.max_items" && field === route.body);
  return route.bodyIsList && tooMany !== undefined
    ? new ApiError("VALIDATION_ERROR", `Batch too large: it ${tooMany.message}. Split it`, { details })
    : validationError(details);
}

/** The answer's JSON. */
export function encodeResponse(route: Route, message: object, isArray: boolean): string {
  const field = isArray ? route.arrayResponse : route.responseBody;
  if (field === undefined) return codecOf(route.method.output).write(message);
  const inner: unknown = Reflect.get(message, field.localName);
  if (field.message === undefined || typeof inner !== "object" || inner === null)
    throw new Error(`${route.rpc} answered without ${field.name}`);
  return codecOf(field.message).write(inner);
}

/** Checks every rule of the contract on a message that came in binary form; items that are validated one by one are validated. */
export function checkRequest(
  type: DescMessage,
  items: ItemwiseList | undefined,
  message: Message,
): { request: object; details: readonly ErrorDetail[] } {
  const violations: Violation[] = [];
  codecOf(type).check(message, violations);
  if (violations.length > 0 || items === undefined)
    return { request: message, details: violationDetails(violations, []) };
  const { check } = codecOf(items.type);
  const validated = listOf(message, items.field).map((raw): ValidatedItem<object> => {
    const broken: Violation[] = [];
    check(raw, broken);
    return { value: broken.length === 0 ? raw : undefined, violations: broken, raw };
  });
  return { request: { ...message, [items.field]: validated }, details: [] };
}

/** Validates each item of a JSON list on its own (gateway.v1.method.each_item). */
function validateItems(type: DescMessage, list: readonly unknown[]): ValidatedItem<object>[] {
  const { parse } = codecOf(type);
  return list.map((raw) => {
    const violations: Violation[] = [];
    const value = parse(raw, violations);
    return { value: violations.length === 0 ? value : undefined, violations, raw };
  });
}

function listOf(message: object, field: string): Message[] {
  const list: unknown = Reflect.get(message, field);
  return Array.isArray(list) ? list : [];
}

function requestJson(route: Route, given: unknown, isArray: boolean): JsonObject {
  if (route.body === undefined) return {};
  if (isArray && route.arrayBody !== undefined) return { [route.arrayBody]: given };
  if (route.body === "*") {
    if (given === undefined) return {};
    if (!isObject(given)) throw validationError([{ field: "", message: "must be a JSON object" }]);
    // Not a copy: a body of 1 MiB may have 100,000 members, whose copy alone takes 110 ms.
    return given;
  }
  if (route.bodyIsList && !Array.isArray(given)) {
    if (route.singleItem && isObject(given)) return { [route.body]: [given] };
    throw new ApiError("VALIDATION_ERROR", `This endpoint expects an array of ${route.body}`, {
      details: [{ field: "", message: `must be an array of ${route.body}` }],
    });
  }
  return { [route.body]: given };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** People fill in forms of a few fields. Of the largest body, hundreds of thousands of fields would take a second to read. */
const maxFormBytes = 16_384;

function readForm(body: Buffer | undefined): JsonObject {
  if (body !== undefined && body.length > maxFormBytes)
    throw validationError([{ field: "", message: `must be at most ${maxFormBytes} bytes as a form` }]);
  return Object.fromEntries(new URLSearchParams(body?.toString()));
}

function parseJson(body: Buffer | undefined): unknown {
  if (body === undefined || body.length === 0) return undefined;
  if (hasTooManyNodes(body)) throw validationError([{ field: "", message: tooManyNodes }]);
  try {
    // A byte order mark is not part of the JSON (RFC 8259, section 8.1); toString keeps it.
    const text = body.toString();
    return JSON.parse(withoutLoneSurrogates(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text));
  } catch {
    throw validationError([{ field: "", message: "body is not valid JSON (RFC 8259)" }]);
  }
}
