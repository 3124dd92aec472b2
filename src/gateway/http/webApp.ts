import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { showsPages } from "../errorPage.ts";
import { acceptedEncodings, isKnownTag } from "./contentNegotiation.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";

/** One body in the encodings that browsers accept, best first. */
type Variants = readonly { readonly encoding: "br" | "gzip" | undefined; readonly body: Buffer }[];

type Answer = {
  readonly variants: Variants;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
};

/** What web/app/build.ts has written. */
type Manifest = { readonly pages: readonly string[]; readonly files: readonly string[] };

const built = new URL("../../../web/app/dist/", import.meta.url);

/** Deeper paths are no pages. */
const deepest = 8;

/**
 * Only what this service serves is loaded and called, nothing inline runs, and no text becomes markup (Trusted Types).
 * The `<base>` is the page's own.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; " +
  "base-uri 'self'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY",
  // A person's figures are nothing to find.
  "x-robots-tag": "noindex",
  // Asked for each time, since it names the files of the current version.
  "cache-control": "no-cache",
};

/** Their names change with their content. */
const fileCacheControl = "public, max-age=31536000, immutable";

/**
 * The web app at `/` and at the paths of its pages, with its scripts and style sheets below /assets. It is read at the
 * start of the process.
 */
export class WebApp {
  readonly #pages: ReadonlySet<string>;
  readonly #files: ReadonlyMap<string, Answer>;
  readonly #html: string;
  /** By how deep the path is. */
  readonly #htmlAnswers = new Map<number, Answer>();

  constructor() {
    const manifest = readManifest();
    this.#pages = new Set(manifest?.pages ?? [""]);
    this.#files = new Map(
      manifest?.files.filter((file) => file !== "index.html").map((file) => [`/${file}`, fileAnswer(file)]),
    );
    this.#html = manifest === undefined ? notBuilt : readFileSync(new URL("index.html", built), "utf8");
  }

  /** True for `GET /`, so when the request is answered. The path is one of the contract's for POST. */
  handleStart(request: HttpRequest, response: HttpResponse): boolean {
    const { url = "" } = request;
    if ((url !== "/" && !url.startsWith("/?")) || !isRead(request)) return false;
    send(request, response, this.#page(0));
    return true;
  }

  /** True when the path is another page or a file of the app, so when the request is answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (!isRead(request)) return false;
    const [path = ""] = (request.url ?? "").split("?", 1);
    const answer = this.#files.get(path) ?? this.#pageAt(path);
    if (answer === undefined) return false;
    send(request, response, answer);
    return true;
  }

  /**
   * True for the address of nothing that a browser opens for a person, so when the request is answered: with the app, which says that nothing is
   * there. Programs get the error of the API.
   */
  handleNothing(request: HttpRequest, response: HttpResponse): boolean {
    if (!isRead(request) || !showsPages(request.headers.accept)) return false;
    const [path = ""] = (request.url ?? "").split("?", 1);
    const depth = path.split("/").length - 2;
    if (depth < 0 || depth > deepest) return false;
    send(request, response, this.#page(depth), 404);
    return true;
  }

  #pageAt(path: string): Answer | undefined {
    const segments = path.split("/");
    const depth = segments.length - 2;
    if (depth < 0 || depth > deepest || !segments[1] || !this.#pages.has(segments[1])) return undefined;
    return this.#page(depth);
  }

  /**
   * The page for a path of so many segments above the last one. Its `<base>` leads back to the start page, so it works
   * behind a proxy that serves it below a path.
   */
  #page(depth: number): Answer {
    const known = this.#htmlAnswers.get(depth);
    if (known !== undefined) return known;
    const base = depth === 0 ? "./" : "../".repeat(depth);
    const body = Buffer.from(this.#html.replace('<base href="./"', `<base href="${base}"`));
    const answer = {
      etag: tagOf(body),
      headers: pageHeaders,
      variants: [
        { encoding: "br", body: brotliCompressSync(body) },
        { encoding: "gzip", body: gzipSync(body) },
        { encoding: undefined, body },
      ],
    } as const;
    this.#htmlAnswers.set(depth, answer);
    return answer;
  }
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Lookout</title></head>
<body><p>The web app is not built. Run <code>npm run build:app</code> and start the API again. The API itself works; <a href="docs">its reference</a>.</p></body>
</html>
`;

function readManifest(): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(new URL("manifest.json", built), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  png: "image/png",
};

function fileAnswer(file: string): Answer {
  const contentType = contentTypes[file.slice(file.lastIndexOf(".") + 1)];
  if (contentType === undefined) throw new Error(`web/app/dist/${file} is of a type that is not served`);
  const body = readFileSync(new URL(file, built));
  const compressed =
    contentType === "image/png"
      ? []
      : ([
          ["br", "br"],
          ["gzip", "gz"],
        ] as const);
  return {
    etag: tagOf(body),
    headers: {
      "content-type": contentType,
      "cache-control": fileCacheControl,
      "cross-origin-resource-policy": "same-origin",
    },
    variants: [
      ...compressed.map(([encoding, ending]) => ({
        encoding,
        body: readFileSync(new URL(`${file}.${ending}`, built)),
      })),
      { encoding: undefined, body },
    ],
  };
}

function tagOf(body: Buffer): string {
  return createHash("sha256").update(body).digest("base64url").slice(0, 22);
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function send(request: HttpRequest, response: HttpResponse, { variants, etag, headers }: Answer, status = 200): void {
  request.resume();
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const chosen = variants.find(({ encoding }) => encoding === undefined || accepted.has(encoding));
  if (chosen === undefined) return void response.destroy();
  const { encoding, body } = chosen;
  // Each encoding is a representation of its own (RFC 9110, section 8.8.3.3).
  const tag = `"${etag}${encoding === undefined ? "" : `-${encoding}`}"`;
  const all = { ...headers, etag: tag, vary: "Accept-Encoding", "x-content-type-options": "nosniff" };
  if (status === 200 && isKnownTag(request.headers["if-none-match"], tag)) {
    response.writeHead(304, all);
    response.end();
    return;
  }
  response.writeHead(status, {
    ...all,
    "content-length": body.length,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
