import { admit } from "../access/authorize.ts";
import { limitCall } from "../access/rateLimit/limitCall.ts";
import { AnswerInParts } from "../call/answerInParts.ts";
import { codecOf } from "../call/codecOf.ts";
import { violationDetails } from "../call/violationDetails.ts";
import { ApiError, validationError } from "../errors/errors.ts";
import { toApiError } from "../gateway/errorAnswer.ts";
import { encodeResponse } from "../gateway/json/routeCodec.ts";
import type { Procedure } from "../gateway/procedure.ts";
import { type Route, routeOf } from "../gateway/routeTable.ts";
import type { Violation } from "../gen/lookout/codecs.js";
import { services } from "../gen/lookout/services.ts";
import type { McpCall } from "./mcpCall.ts";
import type { JsonObject } from "./tools/tool.ts";

const routes: ReadonlyMap<string, Route | undefined> = new Map(
  services.flatMap((service) => service.methods.map((method) => [`${service.name}.${method.name}`, routeOf(method)])),
);

/**
 * Calls an RPC, such as LinkService.CreateLink, as its JSON path does: the same requirement, rate limit, validation and
 * handler. `request` is the JSON of its whole request message. Rejects with the errors that the JSON path answers.
 */
export async function callRpc(
  name: string,
  request: JsonObject,
  call: McpCall,
  procedures: ReadonlyMap<string, Procedure>,
): Promise<JsonObject> {
  const route = routes.get(name);
  const procedure = procedures.get(`lookout.v1.${name}`);
  if (route === undefined || procedure?.kind !== "unary")
    throw new ApiError("NOT_IMPLEMENTED", `${name} is not built yet`);
  const beganMs = performance.now();
  let status = 200;
  try {
    await admit(route.requirement, call, () => websiteIdOf(request));
    limitCall(route.rateClass, route.requirement.open, call);
    const violations: Violation[] = [];
    const message = codecOf(route.method.input).parse(request, violations);
    if (message === undefined || violations.length > 0)
      throw validationError(violationDetails(violations, [route.body]));
    const answer = await procedure.run(message, call);
    return await readAnswer(answer instanceof AnswerInParts ? answer.json() : [encodeResponse(route, answer, false)]);
  } catch (thrown) {
    const error = toApiError(thrown, call.app, name, call.requestId);
    status = error.status;
    throw error;
  } finally {
    call.app.metrics.calls.record(`lookout.v1.${name}`, "mcp", status, performance.now() - beganMs);
  }
}

/** Reading a longer text and choosing from it what an assistant is given would keep all other requests waiting. */
export const mostCharacters = 1_000_000;

/** The answer whose JSON comes in these parts. Rejects with QUERY_ERROR if it is too long, without waiting for the rest. */
export async function readAnswer(parts: AsyncIterable<string> | Iterable<string>): Promise<JsonObject> {
  let text = "";
  for await (const part of parts) {
    text += part;
    if (text.length > mostCharacters)
      throw new ApiError(
        "QUERY_ERROR",
        `The answer has more than ${mostCharacters.toLocaleString("en")} characters. Ask for fewer rows, types or days`,
      );
  }
  return text.includes('"workflow') ? JSON.parse(text, withoutWorkflowLinks) : JSON.parse(text);
}

/** Addresses of the operator's Temporal Web UI are for people, whatever the assistant's key may do. */
function withoutWorkflowLinks(name: string, value: unknown): unknown {
  return name === "workflowUrl" || name === "workflow_url" ? undefined : value;
}

function websiteIdOf({ website_id: id }: JsonObject): string | undefined {
  return typeof id === "string" ? id : undefined;
}
