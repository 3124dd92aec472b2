import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { acceptedEncodings, isKnownTag } from "./contentNegotiation.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";

/** A file in the encodings that browsers accept, best first; compressed once at the start of the service. */
type Script = readonly { readonly encoding: "br" | "gzip" | undefined; readonly body: Buffer; readonly etag: string }[];

/** GET /tracker.js, /tracker-vitals.js and /tracker-small.js: the scripts that websites include, built from web/tracker. */
export class TrackerScripts {
  readonly #scripts: ReadonlyMap<string, Script> = new Map(
    ["tracker.js", "tracker-vitals.js", "tracker-small.js"].map((name) => [`/${name}`, readScript(name)]),
  );

  /** True when the path is one of these, so when the request is answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const script = this.#scripts.get(request.url?.split("?", 1)[0] ?? "");
    if (script === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    request.resume();
    const accepted = acceptedEncodings(request.headers["accept-encoding"]);
    const chosen = script.find(({ encoding }) => encoding === undefined || accepted.has(encoding));
    if (chosen === undefined) return false;
    const { encoding, body, etag } = chosen;
    const headers = {
      etag,
      vary: "Accept-Encoding",
      "cache-control": cacheControl,
      // The same for every page, so that shared caches keep one copy. Pages under COEP may include it too.
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    };
    if (isKnownTag(request.headers["if-none-match"], etag)) {
      response.writeHead(304, headers);
      response.end();
      return true;
    }
    response.writeHead(200, {
      ...headers,
      "content-type": "text/javascript; charset=utf-8",
      "content-length": body.length,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  }
}

/**
 * An hour until a new version arrives everywhere; for one more day the old one is used while the new one is fetched
 * (RFC 5861).
 */
const cacheControl = "public, max-age=3600, stale-while-revalidate=86400";

function readScript(name: string): Script {
  const body = readFileSync(new URL(`../../../web/tracker/dist/${name}`, import.meta.url));
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  // Each encoding is a representation of its own (RFC 9110, section 8.8.3.3).
  return [
    {
      encoding: "br",
      body: brotliCompressSync(body, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }),
      etag: `"${hash}-br"`,
    },
    { encoding: "gzip", body: gzipSync(body, { level: zlib.Z_BEST_COMPRESSION }), etag: `"${hash}-gzip"` },
    { encoding: undefined, body, etag: `"${hash}"` },
  ];
}
