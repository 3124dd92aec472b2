import { createRequire } from "node:module";
import type { Logger } from "pino";
import { crossOriginHeaders } from "../crossOrigin.ts";
import type { HttpRequest, HttpResponse } from "../httpCall.ts";
import { TextFile } from "./textFile.ts";

const { resolve } = createRequire(import.meta.url);

const root = new URL("../../../../", import.meta.url);

const openapi = new TextFile(() => new URL("src/gen/lookout/openapi.json", root), "application/json");

/** The files of the page: those of the package, and those next to this file. */
const files: ReadonlyMap<string, TextFile> = new Map([
  ["/docs/swagger-ui.css", new TextFile(() => resolve("swagger-ui-dist/swagger-ui.css"), "text/css")],
  [
    "/docs/swagger-ui-bundle.js",
    new TextFile(() => resolve("swagger-ui-dist/swagger-ui-bundle.js"), "text/javascript"),
  ],
  ["/docs/page.css", new TextFile(() => new URL("page.css", import.meta.url), "text/css")],
  ["/docs/accessibility.js", new TextFile(() => new URL("accessibility.js", import.meta.url), "text/javascript")],
  ["/docs/search.js", new TextFile(() => new URL("search.js", import.meta.url), "text/javascript")],
  ["/docs/icon.svg", new TextFile(() => new URL("web/app/icon.svg", root), "image/svg+xml")],
  ["/docs/start.js", new TextFile(() => new URL("start.js", import.meta.url), "text/javascript")],
]);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lookout API</title>
<link rel="icon" href="/docs/icon.svg">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is in <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/search.js"></script>
<script src="/docs/accessibility.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/**
 * Only what this service serves is loaded and called, and nothing inline runs. The style sheet's arrows are data: images.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-length": Buffer.byteLength(page),
  "content-security-policy": contentSecurityPolicy,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cache-control": "no-cache",
  "x-content-type-options": "nosniff",
};

/**
 * GET /openapi.json, and GET /docs, the API reference: Swagger UI over that document. Files are read and compressed
 * when they are first asked for.
 */
export class ApiReference {
  readonly #log: Pick<Logger, "error">;

  constructor(log: Pick<Logger, "error">) {
    this.#log = log;
  }

  /** True when the path is one of these, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (request.method !== "GET" && request.method !== "HEAD") return false;
    if (path === "/docs" || path === "/docs/") {
      request.resume();
      response.writeHead(200, pageHeaders);
      response.end(request.method === "HEAD" ? undefined : page);
      return true;
    }
    // Pages of other origins may read the document.
    const isDocument = path === "/openapi.json";
    const file = isDocument ? openapi : files.get(path);
    if (file === undefined) return false;
    request.resume();
    file.send(request, response, isDocument ? crossOriginHeaders(request.headers) : {}).catch((error: unknown) => {
      this.#log.error({ err: error, path }, "a file of the API reference could not be sent");
      response.destroy();
    });
    return true;
  }
}
