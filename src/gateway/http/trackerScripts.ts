import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { acceptedBody, type Bodies, type Headers, sendBody, tagOf } from "./sendBody.ts";

/** GET /tracker.js, /tracker-vitals.js and /tracker-small.js: the scripts that websites include, built from web/tracker. */
export class TrackerScripts {
  readonly #scripts: ReadonlyMap<string, Bodies & { readonly tag: string }> = new Map(
    ["tracker.js", "tracker-vitals.js", "tracker-small.js"].map((name) => [`/${name}`, readScript(name)]),
  );

  /** True when the path is one of these, so when the request is answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const script = this.#scripts.get(request.url?.split("?", 1)[0] ?? "");
    if (script === undefined || (request.method !== "GET" && request.method !== "HEAD")) return false;
    sendBody(request, response, acceptedBody(request, script), script.tag, headers);
    return true;
  }
}

const headers: Headers = {
  "content-type": "text/javascript; charset=utf-8",
  // An hour until a new version arrives everywhere; for one more day the old one is used while the new one is fetched (RFC 5861).
  "cache-control": "public, max-age=3600, stale-while-revalidate=86400",
  // The same for every page, so that shared caches keep one copy. Pages under COEP may include it too.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
};

/** Compressed once, at the start of the service. */
function readScript(name: string): Bodies & { readonly tag: string } {
  const plain = readFileSync(new URL(`../../../web/tracker/dist/${name}`, import.meta.url));
  return {
    plain,
    br: brotliCompressSync(plain, { params: { [zlib.BROTLI_PARAM_QUALITY]: zlib.BROTLI_MAX_QUALITY } }),
    gzip: gzipSync(plain, { level: zlib.Z_BEST_COMPRESSION }),
    tag: tagOf(plain),
  };
}
