import type { Health } from "../../health/health.ts";
import { operatorAnswers, type PlainAnswer } from "../../observability/operatorAnswers.ts";
import { sendPlainAnswer } from "../../observability/sendPlainAnswer.ts";
import { isLoopbackAddress, isLoopbackHost } from "../../text/loopbackHost.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { crossOriginHeaders } from "./crossOrigin.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { ApiReference } from "./reference/apiReference.ts";
import { TrackerScripts } from "./trackerScripts.ts";

/** What these paths use of the process. */
type PlainApp = Pick<GatewayApp, "config" | "log" | "metrics">;

/**
 * RFC 9309. Previews and searches follow short links, and crawlers that look at websites load the tracker as a browser does. Status pages
 * may be read so that it is seen that they ask not to be listed, as pages of the app do.
 */
const robots = `User-agent: *
Allow: /l/
Allow: /status/
Allow: /tracker.js
Allow: /tracker-vitals.js
Disallow: /
`;

/**
 * The paths for operators and tools that are not RPCs: GET /healthz (the process answers), /readyz (its health), /metrics (Prometheus text format), /openapi.json, its reference at /docs, /robots.txt, and the tracker scripts.
 */
export class PlainPaths {
  readonly #scripts = new TrackerScripts();
  readonly #reference: ApiReference;
  readonly #log: Pick<PlainApp["log"], "error">;
  readonly #isForThisComputer: boolean;
  readonly #ownHost: string;
  readonly #answers: ReadonlyMap<string, () => Promise<PlainAnswer>>;

  constructor(app: PlainApp, health: Pick<Health, "readyz">) {
    this.#log = app.log;
    this.#reference = new ApiReference(app.log);
    this.#isForThisComputer = isLoopbackAddress(app.config.server.host);
    this.#ownHost = new URL(app.config.server.baseUrl).host;
    const answers = new Map(operatorAnswers(app.metrics, () => health.readyz()));
    // They have a port of their own then.
    if (app.config.operations.apiPort > 0) answers.delete("/metrics");
    answers.set("/robots.txt", async () => ({ status: 200, contentType: "text/plain; charset=utf-8", body: robots }));
    this.#answers = answers;
  }

  /** True when the path is one of these, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (this.#scripts.handle(request, response) || this.#reference.handle(request, response)) return true;
    const path = request.url?.split("?", 1)[0] ?? "";
    const answer = this.#answers.get(path);
    if (answer === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    if (path === "/metrics" && this.#isForeign(request)) return false;
    request.resume();
    // Pages of other origins may read it; what is only for operators stays closed to them.
    const headers = path === "/healthz" ? crossOriginHeaders(request.headers) : {};
    answer()
      .then((made) => sendPlainAnswer(request, response, made, headers))
      .catch((error: unknown) => {
        this.#log.error({ err: error, path }, "an answer could not be made");
        response.destroy();
      });
    return true;
  }

  /**
   * Whether a page in a browser asks that has given its own host name the address of this computer (DNS rebinding). A service for this
   * computer and the proxy on it is asked for by their names.
   */
  #isForeign({ headers: { host } }: HttpRequest): boolean {
    if (host === undefined || !this.#isForThisComputer) return false;
    return !isLoopbackHost(host) && host !== this.#ownHost;
  }
}
