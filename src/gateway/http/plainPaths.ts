import { within } from "../../concurrency/within.ts";
import type { DurableLog } from "../../durableLog/durableLog.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { crossOriginHeaders } from "./crossOrigin.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { ApiReference, readOpenapi } from "./reference/apiReference.ts";
import { TrackerScripts } from "./trackerScripts.ts";

/** Checks whether a store works; rejects when it does not. */
export type ReadinessCheck = () => Promise<void>;

/** A store answers, but not all of it works. /readyz shows the message, such as "suspended: events". */
export class NotReadyError extends Error {
  override name = "NotReadyError";
}

/** The state of the log of accepted rows that shows whether it keeps up. */
export type LogHealth = Pick<DurableLog, "state" | "lagMs">;

/** What these paths use of the process. */
type PlainApp = Pick<GatewayApp, "log" | "metrics">;

type Answer = { status: number; contentType: string; body: string | Buffer };

/** Paths that pages of other origins may read; those only for operators stay closed to them. */
const openToPages: ReadonlySet<string> = new Set(["/healthz", "/openapi.json"]);

const json = "application/json; charset=utf-8";

/** How long a store may take to answer a check. */
const checkTimeoutMs = 3_000;

/**
 * The paths for operators and tools that are not RPCs: GET /healthz (the process answers), /readyz (each store by
 * name), /metrics (Prometheus text format), /openapi.json, its reference at /docs, and the tracker scripts.
 */
export class PlainPaths {
  readonly #scripts = new TrackerScripts();
  readonly #reference: ApiReference;
  readonly #log: Pick<PlainApp["log"], "error">;
  readonly #answers: ReadonlyMap<string, () => Promise<Answer> | Answer>;

  constructor(app: PlainApp, checks: Readonly<Record<string, ReadinessCheck>>, log?: LogHealth) {
    this.#log = app.log;
    this.#reference = new ApiReference(app.log);
    this.#answers = new Map<string, () => Promise<Answer> | Answer>([
      ["/healthz", () => ({ status: 200, contentType: json, body: JSON.stringify({ status: "ok" }) })],
      ["/readyz", () => readiness(app, checks, log)],
      [
        "/metrics",
        async () => ({
          status: 200,
          contentType: app.metrics.registry.contentType,
          body: await app.metrics.registry.metrics(),
        }),
      ],
      ["/openapi.json", async () => ({ status: 200, contentType: json, body: await readOpenapi() })],
    ]);
  }

  /** True when the path is one of these, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (this.#scripts.handle(request, response) || this.#reference.handle(request, response)) return true;
    const path = request.url?.split("?", 1)[0] ?? "";
    const answer = this.#answers.get(path);
    if (answer === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    request.resume();
    send(request, response, answer, openToPages.has(path)).catch((error: unknown) => {
      this.#log.error({ err: error, path }, "an answer could not be made");
      response.destroy();
    });
    return true;
  }
}

async function send(
  request: HttpRequest,
  response: HttpResponse,
  answer: () => Promise<Answer> | Answer,
  isOpenToPages: boolean,
): Promise<void> {
  const { status, contentType, body } = await answer();
  response.writeHead(status, {
    "content-type": contentType,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(isOpenToPages ? crossOriginHeaders(request.headers) : {}),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/**
 * 200 when every store works, else 503; the reason is logged, not answered. As long as the log is not full, events are
 * accepted whatever the state of the stores.
 */
async function readiness(
  app: PlainApp,
  checks: Readonly<Record<string, ReadinessCheck>>,
  log?: LogHealth,
): Promise<Answer> {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
      try {
        await within(checkTimeoutMs, check());
        return [name, "ok"];
      } catch (error) {
        if (error instanceof NotReadyError) return [name, error.message];
        app.log.warn({ err: error, store: name }, "a store is not ready");
        return [name, "unavailable"];
      }
    }),
  );
  const isReady = entries.every(([, state]) => state === "ok");
  const status = isReady ? "ok" : "unavailable";
  const body = JSON.stringify({
    status,
    stores: Object.fromEntries(entries),
    log: log && { state: log.state, lagMs: Math.round(log.lagMs) },
  });
  return { status: isReady ? 200 : 503, contentType: json, body };
}
