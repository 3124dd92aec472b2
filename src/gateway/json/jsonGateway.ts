import { setImmediate as nextTick } from "node:timers/promises";
import type { DescField } from "@bufbuild/protobuf";
import { admit } from "../../access/authorize.ts";
import { limitCall } from "../../access/rateLimit/limitCall.ts";
import { AnswerInParts } from "../../call/answerInParts.ts";
import { pageHeaders } from "../../call/htmlPage.ts";
import { ApiError } from "../../errors/errors.ts";
import { ErrorShape } from "../../gen/gateway/v1/json_pb.ts";
import { callSpan } from "../../observability/traces.ts";
import { errorBody, toApiError } from "../errorAnswer.ts";
import { errorPage, showsPages } from "../errorPage.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { allowsCookies, preflightHeaders } from "../http/crossOrigin.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "../http/httpCall.ts";
import type { Procedure } from "../procedure.ts";
import type { PathMatch, Route, RouteTable } from "../routeTable.ts";
import { sendFile } from "./fileAnswer.ts";
import { readBody } from "./readBody.ts";
import { sendRedirect } from "./redirectAnswer.ts";
import { decodeRequest, encodeResponse } from "./routeCodec.ts";
import { sendAnswerInParts, sendText } from "./textAnswer.ts";

/** Reading a longer body takes milliseconds, up to 40 at 1 MiB. Others are served before the handler begins. */
const longBodyBytes = 65_536;

/**
 * Serves the JSON paths: finds the route, authorises the caller, reads the body, runs the same handler as gRPC, writes
 * the answer. It does not use Connect's HTTP layer, which has a fifth to a third of this throughput.
 */
export class JsonGateway {
  readonly #app: GatewayApp;
  readonly #routes: RouteTable;
  readonly #procedures: ReadonlyMap<string, Procedure>;

  constructor(app: GatewayApp, routes: RouteTable, procedures: ReadonlyMap<string, Procedure>) {
    this.#app = app;
    this.#routes = routes;
    this.#procedures = procedures;
  }

  /** True when the path is one of the contract's, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const url = request.url ?? "/";
    const queryAt = url.indexOf("?");
    const path = queryAt < 0 ? url : url.slice(0, queryAt);
    const match =
      this.#routes.find(path) ?? (path.startsWith("//") ? this.#routes.find(path.replace(/^\/+/, "/")) : undefined);
    if (match === undefined) return false;
    const route = match.routes.get(request.method === "HEAD" ? "GET" : (request.method ?? ""));
    const call = new HttpCall(this.#app, request, response);
    if (request.headers.origin !== undefined)
      call.allowsCookies = allowsCookies(route?.requirement, request.headers, this.#app.config);
    if (route === undefined) this.#answerOther(match, call);
    else void callSpan(route.rpc, request.headers["traceparent"], () => this.#run(call, route, match));
    return true;
  }

  async #run(call: HttpCall<GatewayApp>, route: Route, match: PathMatch): Promise<void> {
    const { metrics, config } = this.#app;
    const { request } = call;
    const beganMs = performance.now();
    let status = 200;
    try {
      const procedure = this.#procedures.get(route.rpc);
      if (procedure === undefined)
        throw new ApiError("NOT_IMPLEMENTED", `${route.method.name} is part of the contract but not built yet`);
      // Reading begins at once: a body whose first bytes came with the headers would otherwise pass through the
      // stream's buffer.
      const reading = route.body === undefined ? undefined : readBody(request, config.server);
      reading?.catch(() => undefined);
      const admission = admit(route.requirement, call, () => websiteIdOf(call.query));
      if (admission !== undefined) await admission;
      limitCall(route.rateClass, route.requirement.open, call);
      const isForm = route.redirect !== undefined && isFormType(request.headers["content-type"]);
      // Awaiting a value that is not a promise would still cost an event-loop tick.
      const body = reading === undefined ? undefined : await reading;
      const { message, isArray } = decodeRequest(route, match, call.query, body, isForm);
      if (body !== undefined && body.length > longBodyBytes) await nextTick();
      if (procedure.kind === "stream") await sendFile(procedure.run(message, call), call);
      else {
        const answer = await procedure.run(message, call);
        if (answer instanceof AnswerInParts) await sendAnswerInParts(answer, call);
        else if (route.redirect !== undefined) status = sendRedirect(route.redirect, answer, call);
        else {
          const page = route.page === undefined ? undefined : pageOf(route.page, answer, call);
          const sending = sendText(call, 200, page ?? encodeResponse(route, answer, isArray));
          if (sending !== undefined) await sending;
        }
      }
    } catch (thrown) {
      const error = toApiError(thrown, this.#app, route.rpc, call.requestId);
      status = error.status;
      if (route.redirect !== undefined && showsPages(request.headers.accept)) await failWithPage(call, error);
      else await fail(call, error, route.errorShape);
    } finally {
      // A body that is not read would keep the connection busy.
      if (!request.readableEnded) request.resume();
      metrics.calls.record(route.rpc, "json", status, performance.now() - beganMs);
    }
  }

  #answerOther(match: PathMatch, call: HttpCall<GatewayApp>): void {
    const { request, response } = call;
    request.resume();
    const verbs = [...match.routes.keys()];
    const allow = [...verbs, ...(verbs.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
    if (request.method === "OPTIONS") {
      const [anyRoute] = match.routes.values();
      const asked = match.routes.get(request.headers["access-control-request-method"] ?? "") ?? anyRoute;
      const withCookies = allowsCookies(asked?.requirement, request.headers, this.#app.config);
      response.writeHead(204, {
        allow,
        "x-request-id": call.requestId,
        ...preflightHeaders(request.headers, allow, withCookies),
      });
      response.end();
      return;
    }
    const error = new ApiError("VALIDATION_ERROR", `${request.method} is not allowed here. Use ${verbs.join(" or ")}`, {
      status: 405,
      headers: { allow },
    });
    void fail(call, error, ErrorShape.UNSPECIFIED);
  }

  /** Answers a path that is not part of the contract. */
  notFound(request: HttpRequest, response: HttpResponse): void {
    this.refuse(
      request,
      response,
      new ApiError(
        "NOT_FOUND",
        "There is nothing at this path. GET /docs shows the paths, GET /openapi.json lists them",
      ),
    );
  }

  /** Answers a request that does not become a call. */
  refuse(request: HttpRequest, response: HttpResponse, error: ApiError): void {
    request.resume();
    void fail(new HttpCall(this.#app, request, response), error, ErrorShape.UNSPECIFIED);
  }
}

function failWithPage(call: HttpCall<GatewayApp>, error: ApiError): Promise<void> | undefined {
  addHeaders(call, pageHeaders);
  addHeaders(call, error.headers);
  return sendText(call, error.status, errorPage(error));
}

function fail(call: HttpCall<GatewayApp>, error: ApiError, shape: ErrorShape): Promise<void> | undefined {
  // The answer has begun (a file): breaking it off is the only signal left.
  if (call.response.headersSent) {
    call.response.destroy();
    return undefined;
  }
  addHeaders(call, error.headers);
  return sendText(call, error.status, JSON.stringify(errorBody(error, call.requestId, shape)));
}

function addHeaders(call: HttpCall<GatewayApp>, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    // HTTP/2 has no such header (RFC 9113, section 8.2.2).
    if (name !== "connection" || call.request.httpVersionMajor === 1) call.setHeader(name, value);
  }
}

/** The page in an answer, if the caller asked for one; the call then answers HTML. */
function pageOf(field: DescField, answer: object, call: HttpCall<GatewayApp>): string | undefined {
  const page: unknown = Reflect.get(answer, field.localName);
  addHeaders(call, { vary: "Accept, Accept-Language" });
  if (typeof page !== "string") return undefined;
  addHeaders(call, pageHeaders);
  return page;
}

function isFormType(contentType: string | undefined): boolean {
  return contentType?.startsWith("application/x-www-form-urlencoded") ?? false;
}

function websiteIdOf(queryString: string): string | undefined {
  return new URLSearchParams(queryString).get("website_id") ?? undefined;
}
