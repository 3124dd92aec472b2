import { create, type DescMethod, type DescService, type Message } from "@bufbuild/protobuf";
import {
  type ConnectRouter,
  type ContextValues,
  createContextKey,
  createContextValues,
  type HandlerContext,
} from "@connectrpc/connect";
import { admit } from "../../access/authorize.ts";
import { limitCall, rateClassOf } from "../../access/rateLimit/limitCall.ts";
import { requirementOf } from "../../access/requirement.ts";
import { AnswerInParts } from "../../call/answerInParts.ts";
import type { CallContext, SharedReading } from "../../call/callContext.ts";
import type { Caller } from "../../call/caller.ts";
import { ApiError, validationError } from "../../errors/errors.ts";
import type { Requirement } from "../../gen/access/v1/access_pb.ts";
import { toApiError, toConnectError } from "../errorAnswer.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { type HttpRequest, hostOf } from "../http/httpCall.ts";
import { createRequestId } from "../http/requestId.ts";
import { checkRequest } from "../json/routeCodec.ts";
import type { Procedure } from "../procedure.ts";
import { isLenient, itemwiseListOf } from "../routeTable.ts";

/** What is known of a call before its handler runs; `isHandled` from then on. */
type CallState = {
  readonly requestId: string;
  readonly peerAddress: string | undefined;
  readonly host: string | undefined;
  isHandled: boolean;
};

export const callStateKey = createContextKey<CallState>({
  requestId: "",
  peerAddress: undefined,
  host: undefined,
  isHandled: false,
});

/** Context values of a request, for the Connect adapter: it hands on neither the connection nor :authority. */
export function contextValuesOf(request: Pick<HttpRequest, "headers" | "socket">): ContextValues {
  const { remoteAddress: peerAddress } = request.socket;
  const requestId = createRequestId();
  return createContextValues().set(callStateKey, { requestId, peerAddress, host: hostOf(request), isHandled: false });
}

/** Adds every RPC of the services to a Connect router, which serves gRPC, gRPC-Web and Connect. */
export function addRpcRoutes(
  router: ConnectRouter,
  app: GatewayApp,
  services: readonly DescService[],
  procedures: ReadonlyMap<string, Procedure>,
): void {
  for (const method of services.flatMap((service) => service.methods)) {
    const rpc = `${method.parent.typeName}.${method.name}`;
    const procedure = procedures.get(rpc);
    const options = { jsonOptions: { ignoreUnknownFields: isLenient(method) } };
    // A method that is known only by its descriptor has no static types to hold its implementation to.
    if (method.methodKind === "unary") router.rpc(method, unaryOf(app, rpc, method, procedure) as never, options);
    else if (method.methodKind === "server_streaming")
      router.rpc(method, streamOf(app, rpc, method, procedure) as never, options);
    else throw new Error(`${rpc}: client streams are not served`);
  }
}

function unaryOf(app: GatewayApp, rpc: string, method: DescMethod, procedure: Procedure | undefined) {
  const needed = requirementOf(method);
  return async (message: Message, context: HandlerContext): Promise<Message> => {
    const call = new RpcCall(app, context);
    try {
      const request = await accept(call, method, needed, procedure, message);
      if (procedure?.kind !== "unary") throw notBuilt(method);
      const answer = await procedure.run(request, call);
      return messageOf(method, answer instanceof AnswerInParts ? await answer.whole() : answer);
    } catch (thrown) {
      throw call.failed(thrown, rpc);
    } finally {
      call.ended(rpc);
    }
  };
}

function streamOf(app: GatewayApp, rpc: string, method: DescMethod, procedure: Procedure | undefined) {
  const needed = requirementOf(method);
  return async function* (message: Message, context: HandlerContext): AsyncGenerator<Message> {
    const call = new RpcCall(app, context);
    try {
      const request = await accept(call, method, needed, procedure, message);
      if (procedure?.kind !== "stream") throw notBuilt(method);
      for await (const part of procedure.run(request, call)) yield messageOf(method, part);
    } catch (thrown) {
      throw call.failed(thrown, rpc);
    } finally {
      call.ended(rpc);
    }
  };
}

async function accept(
  call: RpcCall,
  method: DescMethod,
  needed: Requirement,
  procedure: Procedure | undefined,
  message: Message,
): Promise<object> {
  if (procedure === undefined) throw notBuilt(method);
  await admit(needed, call, () => websiteIdOf(message));
  limitCall(rateClassOf(method), needed.open, call);
  const { request, details } = checkRequest(method.input, itemwiseListOf(method), message);
  if (details.length > 0) throw validationError(details);
  return request;
}

/** Fills in the defaults that a handler leaves out. */
function messageOf(method: DescMethod, init: object): Message {
  return create(method.output, { ...init });
}

function websiteIdOf(message: Message): string | undefined {
  const id: unknown = Reflect.get(message, "websiteId");
  return typeof id === "string" && id !== "" ? id : undefined;
}

function notBuilt(method: DescMethod): ApiError {
  return new ApiError("NOT_IMPLEMENTED", `${method.name} is part of the contract but not built yet`);
}

/** The context of a call over gRPC, gRPC-Web or Connect. */
class RpcCall implements CallContext<GatewayApp> {
  readonly app: GatewayApp;
  readonly requestId: string;
  readonly peerAddress: string | undefined;
  readonly host: string | undefined;
  readonly isHead = false;
  readonly query = "";
  caller: Caller | undefined;
  shared: SharedReading | undefined;
  readonly #context: HandlerContext;
  readonly #beganMs = performance.now();
  #status = 200;

  constructor(app: GatewayApp, context: HandlerContext) {
    this.app = app;
    this.#context = context;
    const state = context.values.get(callStateKey);
    this.requestId = state.requestId;
    this.peerAddress = state.peerAddress;
    this.host = state.host;
    state.isHandled = true;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get verb(): string {
    return this.#context.requestMethod;
  }

  get isBinary(): boolean {
    // application/grpc, application/grpc-web+proto, application/proto; the other codec is called json.
    return /^application\/(grpc(-web)?|proto)(\+proto)?(;|$)/.test(this.header("content-type") ?? "");
  }

  get isNativeGrpc(): boolean {
    return this.#context.protocolName === "grpc";
  }

  header(name: string): string | undefined {
    return this.#context.requestHeader.get(name) ?? undefined;
  }

  setHeader(name: string, value: string): void {
    if (!headersOfFiles.has(name)) this.#context.responseHeader.set(name, value);
  }

  failed(thrown: unknown, rpc: string): Error {
    const error = toApiError(thrown, this.app, rpc, this.requestId);
    this.#status = error.status;
    return toConnectError(error, this.requestId);
  }

  ended(rpc: string): void {
    this.app.metrics.calls.record(rpc, this.#context.protocolName, this.#status, performance.now() - this.#beganMs);
  }
}

/**
 * Headers that describe the file that the HTTP path of a call sends. Over RPC its bytes come in messages, so the body
 * has another length: a client that believed Content-Length would wait for more, or break off.
 */
const headersOfFiles: ReadonlySet<string> = new Set([
  "accept-ranges",
  "content-disposition",
  "content-length",
  "content-range",
]);
