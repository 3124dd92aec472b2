import type { RawAnswer } from "../../kit/messages/fuzzClient.ts";
import type { FuzzBody } from "./fuzzBodies.ts";
import type { FuzzItem } from "./fuzzItems.ts";

/** By marker of an item, whether its row must be stored according to the answers. */
export type ExpectedRows = Map<string, boolean>;

/** The mistakes in an answer, one sentence each. Records in `expected` which rows must be stored. */
export function checkAnswer(body: FuzzBody, answer: RawAnswer, expected: ExpectedRows): string[] {
  if (answer.status >= 500) return [`is answered ${answer.status} ${answer.text.slice(0, 300)}`];
  if (body.kind === "picture")
    return answer.status === 200 && answer.contentType === "image/gif"
      ? []
      : [`is answered ${answer.status}, no picture`];
  if ((body.body?.length ?? 0) > 1_048_576)
    return answer.status === 413 ? [] : [`is too large and answered ${answer.status}`];
  const json: unknown = JSON.parse(answer.text);
  const problems = answer.status >= 400 ? checkError(json, answer.status) : [];
  if (body.kind === "unknown") return problems;
  return [
    ...problems,
    ...(answer.status === 200 ? checkResults(body, json, expected) : checkRefusal(body, json, expected)),
  ];
}

/** Specification part 7: an error has a code, a sentence and a request id, and a broken rule names its field. */
function checkError(json: unknown, status: number): string[] {
  const { error, code, requestId } = record(json);
  const isWhole = isText(error) && isText(code) && isText(requestId);
  if (!isWhole) return [`is refused without error, code or requestId: ${JSON.stringify(json)}`];
  const details = detailsOf(json);
  return code === "VALIDATION_ERROR" && status === 400 && details.length === 0 ? ["is refused without details"] : [];
}

function checkResults(body: FuzzBody, json: unknown, expected: ExpectedRows): string[] {
  if (body.kind === "single") return body.items.flatMap((item) => checkItem(item, record(json), expected));
  const { results, processed } = record(json);
  if (!Array.isArray(results) || results.length !== body.items.length || processed !== results.length)
    return [`has ${body.items.length} items and is answered ${JSON.stringify(json).slice(0, 300)}`];
  return body.items.flatMap((item, index) => checkItem(item, record(results[index]), expected));
}

function checkItem(item: FuzzItem, { status, message }: Record<string, unknown>, expected: ExpectedRows): string[] {
  if (item.marker !== undefined) expected.set(item.marker, status === "success");
  if (status === "success") return [];
  if (item.isGood) return [`has a good item that is refused: ${JSON.stringify(message)} ${shown(item)}`];
  return namesField(item, String(message)) ? [] : [`has an item refused by ${JSON.stringify(message)} ${shown(item)}`];
}

/** A request may be refused whole only when no item of it is good. */
function checkRefusal(body: FuzzBody, json: unknown, expected: ExpectedRows): string[] {
  const good = body.items.find(({ isGood }) => isGood);
  if (good !== undefined)
    return [`has a good item and is refused: ${JSON.stringify(json).slice(0, 300)} ${shown(good)}`];
  for (const { marker } of body.items) if (marker !== undefined) expected.set(marker, false);
  if (body.kind === "single") {
    const fields = detailsOf(json).map(({ field, message }) => `${field === "" ? "The request" : field} ${message}`);
    return body.items
      .filter((item) => !fields.some((text) => namesField(item, text)))
      .map((item) => `is refused by ${JSON.stringify(fields)} ${shown(item)}`);
  }
  const details = detailsOf(json);
  return body.items.flatMap((item, index) => {
    const detail = details.find(({ field }) => field === `[${index}]` || field.startsWith(`[${index}].`));
    const field = detail?.field.slice(`[${index}].`.length) || "The event";
    return detail !== undefined && namesField(item, `${field} ${detail.message}`)
      ? []
      : [`has an item refused by ${JSON.stringify(detail)} ${shown(item)}`];
  });
}

/** Whether the message begins with a field that was changed in a valid item, or with the item if it is no object. */
function namesField({ changed }: FuzzItem, message: string): boolean {
  const field = /^[^\s.[]+/.exec(message.replace(/^payload\./, ""))?.[0] ?? "";
  if (changed.has(field)) return true;
  // Another type requires other fields, and so does an item that is no object.
  if (["", "type", "payload"].some((name) => changed.has(name))) return field !== "";
  if (field === "path" && changed.has("name")) return true;
  // A measurement that gets a name needs a value of that name.
  if (field === "metricValue" && changed.has("metricName")) return true;
  return field === "metricName" && changed.size > 0;
}

function detailsOf(json: unknown): { field: string; message: string }[] {
  const { details } = record(json);
  return Array.isArray(details)
    ? details.map((detail) => ({ field: String(record(detail)["field"]), message: String(record(detail)["message"]) }))
    : [];
}

function record(json: unknown): Record<string, unknown> {
  return typeof json === "object" && json !== null ? Object.fromEntries(Object.entries(json)) : {};
}

/** Enough of an item to see what it is; its seed reproduces it. */
const shown = ({ text }: FuzzItem): string => text.slice(0, 800);

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
