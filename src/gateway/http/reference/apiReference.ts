import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { createGzip } from "node:zlib";
import type { Logger } from "pino";
import type { HttpRequest, HttpResponse } from "../httpCall.ts";

const { resolve } = createRequire(import.meta.url);

/** The files of the page: those of the package, and the script that starts it, next to this file. */
const files: ReadonlyMap<string, { readonly path: () => string; readonly contentType: string }> = new Map([
  ["/docs/swagger-ui.css", { path: () => resolve("swagger-ui-dist/swagger-ui.css"), contentType: "text/css" }],
  [
    "/docs/swagger-ui-bundle.js",
    { path: () => resolve("swagger-ui-dist/swagger-ui-bundle.js"), contentType: "text/javascript" },
  ],
  ["/docs/icon.png", { path: () => resolve("swagger-ui-dist/favicon-32x32.png"), contentType: "image/png" }],
  [
    "/docs/start.js",
    { path: () => fileURLToPath(new URL("start.js", import.meta.url)), contentType: "text/javascript" },
  ],
  ["/docs/page.css", { path: () => resolve("swagger-ui-dist/index.css"), contentType: "text/css" }],
]);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lookout API</title>
<link rel="icon" href="/docs/icon.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/page.css">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The same is in <a href="/openapi.json">/openapi.json</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
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
 * GET /docs: the API reference, Swagger UI over /openapi.json. Its files are read from the package when they are asked
 * for, so a process keeps none of them in memory.
 */
export class ApiReference {
  readonly #log: Pick<Logger, "error">;

  constructor(log: Pick<Logger, "error">) {
    this.#log = log;
  }

  /** True when the path is one of these, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (!path.startsWith("/docs") || (request.method !== "GET" && request.method !== "HEAD")) return false;
    const file = files.get(path);
    if (file === undefined && path !== "/docs" && path !== "/docs/") return false;
    request.resume();
    if (file === undefined) {
      response.writeHead(200, pageHeaders);
      response.end(request.method === "HEAD" ? undefined : page);
      return true;
    }
    void sendFile(file.path(), file.contentType, request, response).catch((error: unknown) => {
      // A client that disconnects is no failure.
      if (!response.destroyed) this.#log.error({ err: error, path }, "a file of the API reference could not be sent");
      response.destroy();
    });
    return true;
  }
}

async function sendFile(
  path: string,
  contentType: string,
  request: HttpRequest,
  response: HttpResponse,
): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  const isZipped = contentType !== "image/png" && /\bgzip\b/.test(String(request.headers["accept-encoding"] ?? ""));
  const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${isZipped ? "-gzip" : ""}"`;
  const headers = {
    etag,
    vary: "Accept-Encoding",
    // Asked for again each time, since the name stays when the package changes.
    "cache-control": "no-cache",
    "x-content-type-options": "nosniff",
  };
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "content-type": contentType === "image/png" ? contentType : `${contentType}; charset=utf-8`,
    ...(isZipped ? { "content-encoding": "gzip" } : { "content-length": size }),
  });
  if (request.method === "HEAD") response.end();
  else if (isZipped) await pipeline(createReadStream(path), createGzip(), response);
  else await pipeline(createReadStream(path), response);
}

/** GET /openapi.json, read from the disk each time: few ask for it, and it is larger than all else that is in memory at the start. */
export async function readOpenapi(): Promise<Buffer> {
  return await readFile(new URL("../../../gen/lookout/openapi.json", import.meta.url));
}
