import {
  Code,
  ConnectError,
  type ConnectRouter,
  type ConnectRouterOptions,
  createConnectRouter,
  type HandlerContext,
} from "@connectrpc/connect";
import type { UniversalServerRequest } from "@connectrpc/connect/protocol";
import {
  compressionBrotli,
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { ApiError } from "../../errors/errors.ts";
import { callSpan } from "../../observability/traces.ts";
import { explainRefusal } from "../errorAnswer.ts";
import type { HttpRequest, HttpResponse } from "../http/httpCall.ts";
import { limitDecompressed, limitJson } from "./limitJson.ts";
import { callStateKey, contextValuesOf } from "./rpcRoutes.ts";

type Refuse = (request: HttpRequest, response: HttpResponse, error: ApiError) => void;

/**
 * Serves the routes over gRPC, gRPC-Web and Connect. In addition to Connect's own adapter, it answers with the common error body, through
 * `refuse`, what never becomes a call, and gives errors that Connect makes before a handler runs a request id and the client's code.
 */
export function createRpcAdapter(
  options: ConnectRouterOptions,
  addRoutes: (router: ConnectRouter) => void,
  refuse: Refuse,
): (request: HttpRequest, response: HttpResponse) => void {
  const router = createConnectRouter({
    ...options,
    acceptCompression: [limitDecompressed(compressionGzip), limitDecompressed(compressionBrotli)],
    requestGate: beginCall,
  });
  addRoutes(router);
  const handlers = new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
  return (request, response) => {
    const handler = handlers.get(request.url?.split("?", 1)[0] ?? "");
    if (handler === undefined)
      return refuse(
        request,
        response,
        new ApiError("NOT_FOUND", "There is no such RPC. The server's reflection lists them"),
      );
    const universal = readRequest(request, response);
    if (universal === undefined)
      return refuse(request, response, new ApiError("VALIDATION_ERROR", "The Host header is missing or not valid"));
    const answerCall = async () => {
      const answer = await handler(universal);
      if (answer.status === 415) refuse(request, response, unsupportedType(request));
      else if (answer.status === 405) refuse(request, response, wrongVerb(request, handler.allowedMethods));
      else await universalResponseToNodeResponse(answer, response);
    };
    callSpan(`${handler.service.typeName}.${handler.method.name}`, request.headers["traceparent"], answerCall)
      // The rest are clients that disconnected while they were answered.
      .catch(() => response.destroy());
  };
}

/** Runs before the body is read: errors about the body then carry the request's id like any other. */
async function beginCall(context: HandlerContext): Promise<void> {
  const state = context.values.get(callStateKey);
  context.responseHeader.set("x-request-id", state.requestId);
  // Connect aborts the signal with each error before it writes it.
  context.signal.addEventListener("abort", () => {
    const { reason } = context.signal;
    if (reason instanceof ConnectError && !state.isHandled) explainRefusal(reason, state.requestId);
  });
}

/** Undefined where the request has no host that makes an address. */
function readRequest(request: HttpRequest, response: HttpResponse) {
  try {
    const universal = universalRequestFromNodeRequest(request, response, undefined, contextValuesOf(request));
    const { body } = universal;
    const contentType = universal.header.get("content-type") ?? "";
    return isStream(body) ? { ...universal, body: limitJson(body, contentType) } : universal;
  } catch (error) {
    if (error instanceof TypeError || (error instanceof ConnectError && error.code === Code.Internal)) return undefined;
    throw error;
  }
}

function isStream(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

function unsupportedType({ headers }: HttpRequest): ApiError {
  const type = headers["content-type"]?.slice(0, 100) ?? "";
  return new ApiError(
    "VALIDATION_ERROR",
    `The content type '${type}' is none of gRPC, gRPC-Web or Connect. Send application/json for Connect`,
    { status: 415 },
  );
}

function wrongVerb({ method }: HttpRequest, allowed: readonly string[]): ApiError {
  return new ApiError("VALIDATION_ERROR", `${method} is not allowed here. Use ${allowed.join(" or ")}`, {
    status: 405,
    headers: { allow: allowed.join(", ") },
  });
}
