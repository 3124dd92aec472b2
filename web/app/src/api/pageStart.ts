import { type DescMessage, fromJson, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { GetSessionResponseSchema } from "../../../../packages/client-js/src/gen/lookout/v1/auth_pb.ts";
import { QueryResponseSchema } from "../../../../packages/client-js/src/gen/lookout/v1/query_pb.ts";
import { ListWebsitesResponseSchema } from "../../../../packages/client-js/src/gen/lookout/v1/websites_pb.ts";
import {
  type LookoutQuery,
  type Parameter,
  type QueryAnswer,
  queryAnswerOf,
} from "../../../../packages/client-js/src/query.ts";
import { isInBrowser } from "../router/base.ts";

/**
 * What the service has put into the page (src/gateway/http/pageStart.ts): the answers of the two calls that every page begins with, and on the overview that to
 * its first question. It is of the moment in which the page was sent, so each part is taken once and asked for from then on.
 */
let start = read();

/** Sets what the page has in it, in the service, which draws the first view from it. */
export function setPageStart(json: Record<string, JsonValue>): void {
  start = json;
}

/** Discards the answers that are not used yet. They are stale when another person has signed in, or when the page was opened long ago. */
export function dropPageStart(): void {
  start = {};
}

/** The answer of GetSession. Null: nobody is signed in. Undefined: the page has no answer, so the call has to be made. */
export function takeSession(): MessageShape<typeof GetSessionResponseSchema> | null | undefined {
  const json = take("session");
  return json === null ? null : parse(GetSessionResponseSchema, json);
}

/** The answer of ListWebsites; undefined when the page does not have it. */
export function takeWebsites(): MessageShape<typeof ListWebsitesResponseSchema> | undefined {
  const json = take("websites");
  return json === null ? undefined : parse(ListWebsitesResponseSchema, json);
}

/** Whether the page has the answer to a question. */
export function hasFirstAnswer(question: LookoutQuery): boolean {
  return start["question"] === JSON.stringify(question);
}

/** The answer to a question, until it is dropped; undefined when the page does not have it. */
export function firstAnswerTo<P extends readonly Parameter[]>(question: LookoutQuery<P>): QueryAnswer<P> | undefined {
  if (!hasFirstAnswer(question)) return undefined;
  const response = parse(QueryResponseSchema, start["answer"]);
  return response === undefined ? undefined : queryAnswerOf<P>(response);
}

/** From then on the question is asked as usual. */
export function dropFirstAnswer(): void {
  delete start["question"];
  delete start["answer"];
}

function read(): Record<string, JsonValue> {
  if (!isInBrowser) return {};
  const text = document.getElementById("start")?.textContent;
  return text ? (JSON.parse(text) as Record<string, JsonValue>) : {};
}

function take(part: "session" | "websites"): JsonValue | undefined {
  const { [part]: json } = start;
  delete start[part];
  return json;
}

/** Undefined also for an answer of another version of the service: then the call is made. */
function parse<T extends DescMessage>(schema: T, json: JsonValue | undefined): MessageShape<T> | undefined {
  if (json === undefined) return undefined;
  try {
    return fromJson(schema, json, { ignoreUnknownFields: true });
  } catch {
    return undefined;
  }
}
