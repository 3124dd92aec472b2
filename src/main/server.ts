import type { Config } from "../config.ts";
import { allowsCookies, crossOriginHeaders, preflightHeaders } from "../gateway/http/crossOrigin.ts";
import { FirstViews } from "../gateway/http/firstView.ts";
import { framingBy } from "../gateway/http/framedPage.ts";
import type { HttpRequest, HttpResponse } from "../gateway/http/httpCall.ts";
import { OidcPaths } from "../gateway/http/oidcPaths.ts";
import { createOnePort } from "../gateway/http/onePort.ts";
import { PageStarts } from "../gateway/http/pageStart.ts";
import { PlainPaths } from "../gateway/http/plainPaths.ts";
import { StatusPagePaths } from "../gateway/http/statusPagePaths.ts";
import { firstViewModule, WebApp } from "../gateway/http/webApp.ts";
import { JsonGateway } from "../gateway/json/jsonGateway.ts";
import { type ImplementedHandlers, proceduresOf } from "../gateway/procedure.ts";
import { RouteTable } from "../gateway/routeTable.ts";
import { HealthService } from "../gateway/rpc/health.ts";
import { addReflection } from "../gateway/rpc/reflection.ts";
import { createRpcAdapter } from "../gateway/rpc/rpcAdapter.ts";
import { addRpcRoutes } from "../gateway/rpc/rpcRoutes.ts";
import { Health } from "../gen/grpc/health/v1/health_pb.ts";
import { services } from "../gen/lookout/services.ts";
import type { Health as ServiceHealth } from "../health/health.ts";
import { McpPath } from "../mcp/mcpPath.ts";
import type { App } from "./compose.ts";

export type Server = {
  /** Resolves with the port. */
  listen(): Promise<number>;
  /** Asks clients to reconnect elsewhere, finishes accepted requests and closes the port. */
  close(): Promise<void>;
};

/** One port that serves everything. An RPC without a handler is answered with NOT_IMPLEMENTED. */
export function createServer(app: App, handlers: ImplementedHandlers<App>, serviceHealth: ServiceHealth): Server {
  const procedures = proceduresOf(services, handlers);
  const gateway = new JsonGateway(app, new RouteTable(services), procedures);
  const webApp = new WebApp(
    new PageStarts(app, procedures, new FirstViews(firstViewModule())),
    framingBy(app.sharedDashboards),
  );
  const plain = new PlainPaths(app, serviceHealth);
  const oidc = new OidcPaths(app);
  const statusPages = new StatusPagePaths(app);
  const mcp = new McpPath(app, procedures);
  const health = new HealthService(
    services.map((service) => service.typeName),
    serviceHealth,
  );
  const rpc = createRpcAdapter(
    { readMaxBytes: app.config.server.maxBodyBytes },
    (router) => {
      addRpcRoutes(router, app, services, procedures);
      health.addTo(router);
      addReflection(router, [...services, Health]);
    },
    (request, response, error) => gateway.refuse(request, response, error),
  );
  const hsts = strictTransport(app.config.server);
  const port = createOnePort(app.config.server, (request: HttpRequest, response: HttpResponse) => {
    if (hsts !== undefined) response.setHeader("strict-transport-security", hsts);
    if (webApp.handleStart(request, response) || statusPages.handle(request, response)) return;
    if (gateway.handle(request, response)) return;
    if (plain.handle(request, response) || oidc.handle(request, response)) return;
    if (mcp.handle(request, response) || webApp.handle(request, response)) return;
    if (!isRpcPath(request.url ?? "")) {
      if (!webApp.handleNothing(request, response)) gateway.notFound(request, response);
    } else if (request.method === "OPTIONS") answerPreflight(request, response, app);
    else {
      const withCookies = allowsCookies(undefined, request.headers, app.config);
      for (const [name, value] of Object.entries({
        ...rpcHeaders,
        ...crossOriginHeaders(request.headers, withCookies),
      }))
        response.setHeader(name, value);
      rpc(request, response);
    }
  });
  return {
    listen: () => port.listen(),
    close: () => {
      health.stop();
      return port.close(app.config.server.shutdownTimeoutMs);
    },
  };
}

/** Connect answers browsers with JSON, also to GET, which could otherwise be cached. */
const rpcHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Answers the preflight of gRPC-Web and Connect calls from a page of another origin. */
function answerPreflight(request: HttpRequest, response: HttpResponse, { config }: App): void {
  request.resume();
  const withCookies = allowsCookies(undefined, request.headers, config);
  response.writeHead(204, preflightHeaders(request.headers, "GET, POST, OPTIONS", withCookies));
  response.end();
}

/** /package.Service/Method, as used by gRPC, gRPC-Web and Connect. */
function isRpcPath(url: string): boolean {
  return /^\/[a-z][\w.]*\.\w+\/\w+(\?|$)/.test(url);
}

/**
 * The Strict-Transport-Security header of all answers (RFC 6797) if the service is reached by https, directly or through a proxy;
 * undefined if not. It covers this host only, since other hosts of the domain are not ours.
 */
function strictTransport({ baseUrl, hstsMs }: Pick<Config["server"], "baseUrl" | "hstsMs">): string | undefined {
  return baseUrl.startsWith("https:") && hstsMs > 0 ? `max-age=${Math.floor(hstsMs / 1_000)}` : undefined;
}
