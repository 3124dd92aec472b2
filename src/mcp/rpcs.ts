import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { admit } from "../access/authorize.ts";
import { limitCall, rateClassOf } from "../access/rateLimit/limitCall.ts";
import { requirementOf } from "../access/requirement.ts";
import { ApiError, validationError } from "../errors.ts";
import { AnswerInParts } from "../gateway/call/answerInParts.ts";
import { codecOf } from "../gateway/call/codecOf.ts";
import { violationDetails } from "../gateway/call/violationDetails.ts";
import { toApiError } from "../gateway/errorAnswer.ts";
import type { Procedure } from "../gateway/procedure.ts";
import { http } from "../gen/google/api/annotations_pb.ts";
import type { Violation } from "../gen/lookout/codecs.js";
import { services } from "../gen/lookout/services.ts";
import type { McpCall } from "./mcpCall.ts";
import type { JsonObject } from "./tools/tool.ts";

const methods: ReadonlyMap<string, DescMethod> = new Map(
  services.flatMap((service) => service.methods.map((method) => [`${service.name}.${method.name}`, method] as const)),
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
  const method = methods.get(name);
  const procedure = procedures.get(`lookout.v1.${name}`);
  if (method === undefined || procedure?.kind !== "unary")
    throw new ApiError("NOT_IMPLEMENTED", `${name} is not built yet`);
  const beganMs = performance.now();
  let status = 200;
  try {
    const needed = requirementOf(method);
    await admit(needed, call, () => textOf(request["website_id"]));
    limitCall(rateClassOf(method), needed.open, call);
    const violations: Violation[] = [];
    const message = codecOf(method.input).parse(request, violations);
    if (message === undefined || violations.length > 0)
      throw validationError(violationDetails(violations, [bodyOf(method)]));
    const answer = await procedure.run(message, call);
    return JSON.parse(answer instanceof AnswerInParts ? await whole(answer) : written(method, answer));
  } catch (thrown) {
    const error = toApiError(thrown, call.app, name, call.requestId);
    status = error.status;
    throw error;
  } finally {
    call.app.metrics.calls.record(`lookout.v1.${name}`, "mcp", status, performance.now() - beganMs);
  }
}

/** The field of the request that callers know as the body. */
function bodyOf(method: DescMethod): string | undefined {
  if (!hasOption(method, http)) return undefined;
  const { body } = getOption(method, http);
  return method.input.fields.find((field) => field.name === body)?.jsonName;
}

/** The JSON of an answer as the JSON path writes it: only a part of the message where google.api.http says so. */
function written(method: DescMethod, answer: object): string {
  const name = hasOption(method, http) ? getOption(method, http).responseBody : "";
  const field = method.output.fields.find((one) => one.name === name);
  if (field?.message === undefined) return codecOf(method.output).write(answer);
  const inner: unknown = Reflect.get(answer, field.localName);
  if (typeof inner !== "object" || inner === null) throw new Error(`${method.name} answered without ${name}`);
  return codecOf(field.message).write(inner);
}

async function whole(answer: AnswerInParts<object>): Promise<string> {
  let text = "";
  for await (const part of answer.json()) text += part;
  return text;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
