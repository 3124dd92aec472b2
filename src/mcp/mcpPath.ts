import { authenticateKey, authRequired } from "../access/authorize.ts";
import { isOwnOrigin } from "../access/ownPage.ts";
import { limitCall } from "../access/rateLimit/limitCall.ts";
import { ApiError, validationError } from "../errors/errors.ts";
import { errorBody, toApiError } from "../gateway/errorAnswer.ts";
import { crossOriginHeaders, preflightHeaders } from "../gateway/http/crossOrigin.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "../gateway/http/httpCall.ts";
import { hasTooManyNodes, tooManyNodes } from "../gateway/json/jsonNodes.ts";
import { readBody } from "../gateway/json/readBody.ts";
import { sendText } from "../gateway/json/textAnswer.ts";
import type { Procedure } from "../gateway/procedure.ts";
import { RateClass } from "../gen/access/v1/rate_limit_pb.ts";
import { ErrorShape } from "../gen/gateway/v1/json_pb.ts";
import { callSpan } from "../observability/traces.ts";
import { isLoopbackHost } from "../text/loopbackHost.ts";
import type { McpAnswer, McpApp, McpCall } from "./mcpCall.ts";

const rpc = "mcp";

/**
 * The protocol has no batches since 2025-06-18. In 2025-03-26 a client may send them; without sessions it is not known which version a
 * client agreed on, so this holds for all. One message is one request: it counts once, and others are served before the next one.
 */
const oneMessage =
  "must be one JSON-RPC 2.0 message and not a list: batches are not accepted in any version of the protocol. Send a request for each message";

/** The error code of JSON-RPC 2.0, section 5.1, for what a server itself defines. */
const jsonRpcError = -32000;

/**
 * POST /mcp: the Model Context Protocol over streamable HTTP (specification 2025-11-25, Transports), for assistants.
 * Stateless: each request is complete in itself and is answered with JSON, so any process can answer it. The caller is
 * the one of an API key; cookies mean nothing here. The SDK and the tools are loaded with the first request.
 */
export class McpPath {
  readonly #app: McpApp;
  readonly #procedures: ReadonlyMap<string, Procedure>;

  constructor(app: McpApp, procedures: ReadonlyMap<string, Procedure>) {
    this.#app = app;
    this.#procedures = procedures;
  }

  /** True when the path is this one, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (request.url?.split("?", 1)[0] !== "/mcp") return false;
    void callSpan(rpc, request.headers["traceparent"], () => this.#run(request, response));
    return true;
  }

  async #run(request: HttpRequest, response: HttpResponse): Promise<void> {
    const call = new HttpCall(this.#app, request, response);
    const beganMs = performance.now();
    let answer: McpAnswer;
    try {
      answer = await this.#answer(request, call);
    } catch (thrown) {
      answer = failure(toApiError(thrown, this.#app, rpc, call.requestId), call.requestId);
    }
    // A body that is not read would keep the connection busy.
    if (!request.readableEnded) request.resume();
    await send(call, answer);
    this.#app.metrics.calls.record(rpc, "mcp", answer.status, performance.now() - beganMs);
  }

  async #answer(request: HttpRequest, call: McpCall): Promise<McpAnswer> {
    const { config } = this.#app;
    requireOwnOrigin(call);
    if (request.method === "OPTIONS")
      return { status: 204, headers: preflightHeaders(request.headers, "POST, OPTIONS", false), text: "" };
    if (request.method !== "POST") throw wrongVerb(request.method);
    call.caller = await authenticateKey(call);
    if (call.caller === undefined) throw authRequired();
    limitCall(RateClass.UNSPECIFIED, false, call);
    const message = parse(await readBody(request, config.server));
    const { answerMcp } = await import("./answerMcp.ts");
    return await answerMcp(message, call, this.#procedures);
  }
}

/**
 * Pages of other origins may not call, whatever they know (specification, Transports, Security Warning). Unlike for the
 * API, the host in the request proves nothing: a page can give its own host name our address (DNS rebinding). Assistants
 * that are no pages send no origin.
 */
function requireOwnOrigin(call: McpCall): void {
  const origin = call.header("origin");
  if (origin === undefined || isOwnOrigin(origin, isLoopbackHost(call.host) ? call.host : undefined, call.app.config))
    return;
  throw new ApiError(
    "FORBIDDEN",
    `Pages of ${origin.slice(0, 200)} may not call /mcp. The operator can add the origin to TRUSTED_ORIGINS`,
  );
}

function wrongVerb(verb: string | undefined): ApiError {
  return new ApiError("VALIDATION_ERROR", `${verb} is not allowed here. Use POST: this server keeps no sessions`, {
    status: 405,
    headers: { allow: "POST, OPTIONS" },
  });
}

function parse(body: Buffer | undefined): unknown {
  if (body === undefined) throw validationError([{ field: "", message: "must be a JSON-RPC 2.0 message" }]);
  if (hasTooManyNodes(body)) throw validationError([{ field: "", message: tooManyNodes }]);
  const message = parseJson(body);
  if (Array.isArray(message)) throw validationError([{ field: "", message: oneMessage }]);
  return message;
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw validationError([{ field: "", message: "body is not valid JSON (RFC 8259)" }]);
  }
}

/** The common body of an error, in an error of JSON-RPC. */
function failure(error: ApiError, requestId: string): McpAnswer {
  const data = errorBody(error, requestId, ErrorShape.PLAIN);
  const body = { jsonrpc: "2.0", id: null, error: { code: jsonRpcError, message: error.message, data } };
  return {
    status: error.status,
    headers: { ...error.headers, "content-type": "application/json; charset=utf-8" },
    text: JSON.stringify(body),
  };
}

async function send(call: HttpCall<McpApp>, { status, headers, text }: McpAnswer): Promise<void> {
  const { request, response } = call;
  // HTTP/2 has no such header (RFC 9113, section 8.2.2).
  for (const [name, value] of Object.entries(headers))
    if (name !== "connection" || request.httpVersionMajor === 1) call.setHeader(name, value);
  if (text !== "") return await sendText(call, status, text);
  if (response.destroyed) return;
  response.writeHead(status, {
    ...crossOriginHeaders(request.headers),
    ...call.responseHeaders,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": call.requestId,
  });
  response.end();
}
