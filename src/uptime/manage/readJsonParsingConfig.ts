import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { type ErrorDetail, validationError } from "../../errors/errors.ts";
import { isStorableText, unstorableText } from "../../text/isStorableText.ts";
import { nearest } from "../../text/nearest.ts";
import type { JsonAssertion, JsonParsingConfig } from "../check/checkTypes.ts";
import { readPath } from "../check/jsonAssertions.ts";

const operators = ["exists", "eq", "ne", "contains", "gt", "gte", "lt", "lte"] as const;
const numberOperators: ReadonlySet<string> = new Set(["gt", "gte", "lt", "lte"]);
const members = ["enabled", "assertions"];
const assertionMembers = ["path", "operator", "value"];
/** Names that other products use for these members. */
const otherNames: Readonly<Record<string, string>> = {
  equals: "value",
  expected: "value",
  op: "operator",
  jsonPath: "path",
};
const maxAssertions = 20;
const field = "jsonParsingConfig";

/**
 * `{"enabled": true, "assertions": [{"path": "$.status", "operator": "eq", "value": "ok"}]}`; `enabled` is true by
 * default. Undefined if nothing is given. Throws VALIDATION_ERROR that names each wrong member.
 */
export function readJsonParsingConfig(given: JsonObject | undefined): JsonParsingConfig | undefined {
  if (given === undefined) return undefined;
  const details: ErrorDetail[] = [];
  details.push(...unknownMembers(given, members, field));
  const { enabled = true, assertions = [] } = given;
  if (typeof enabled !== "boolean") details.push({ field: `${field}.enabled`, message: "must be true or false" });
  const list = Array.isArray(assertions) ? assertions : [];
  if (!Array.isArray(assertions) || assertions.length > maxAssertions)
    details.push({ field: `${field}.assertions`, message: `must be an array of at most ${maxAssertions} assertions` });
  const read = list.map((item, index) => readAssertion(item, `${field}.assertions[${index}]`, details));
  if (details.length > 0) throw validationError(details);
  return { enabled: enabled === true, assertions: read.filter((assertion) => assertion !== undefined) };
}

function readAssertion(item: JsonValue, at: string, details: ErrorDetail[]): JsonAssertion | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    details.push({ field: at, message: "must be an object with path, operator and value" });
    return undefined;
  }
  details.push(...unknownMembers(item, assertionMembers, at));
  const { path, operator = "exists", value } = item;
  if (typeof path !== "string" || path === "" || path.length > 512 || readPath(path) === undefined)
    details.push({
      field: `${at}.path`,
      message: "must be a JSONPath that names one value, such as $.status or $.checks[0].ok",
    });
  for (const [name, text] of Object.entries({ path, value }))
    if (typeof text === "string" && !isStorableText(text))
      details.push({ field: `${at}.${name}`, message: unstorableText });
  const known = operators.find((name) => name === operator);
  if (known === undefined)
    details.push({
      field: `${at}.operator`,
      message: `must be one of ${operators.join(", ")}`,
      ...suggested(String(operator), operators),
    });
  if (typeof value === "object" && value !== null)
    details.push({ field: `${at}.value`, message: "must be a string, a number, true, false or null" });
  if (value === undefined && known !== undefined && known !== "exists")
    details.push({ field: `${at}.value`, message: `is needed for ${known}` });
  if (value !== undefined && known === "exists")
    details.push({ field: `${at}.value`, message: "is not used by exists; add an operator such as eq" });
  if (known !== undefined && numberOperators.has(known) && value !== undefined && typeof value !== "number")
    details.push({ field: `${at}.value`, message: `must be a number for ${known}` });
  if (typeof path !== "string" || known === undefined || (typeof value === "object" && value !== null))
    return undefined;
  return { path, operator: known, ...(value === undefined ? {} : { value }) };
}

function unknownMembers(given: JsonObject, known: readonly string[], at: string): ErrorDetail[] {
  return Object.keys(given).flatMap((name) => {
    if (known.includes(name)) return [];
    const other = otherNames[name];
    const suggestion = other !== undefined && known.includes(other) ? { suggestion: other } : suggested(name, known);
    return [{ field: `${at}.${name}`, message: `is unknown; use ${known.join(", ")}`, ...suggestion }];
  });
}

function suggested(given: string, names: Iterable<string>): { suggestion?: string } {
  const suggestion = nearest(given, names);
  return suggestion === undefined ? {} : { suggestion };
}
