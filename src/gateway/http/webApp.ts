import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { showsPages } from "../errorPage.ts";
import { acceptedEncodings } from "./contentNegotiation.ts";
import { type Framing, framedHeaders, type SharedPath, sharedPathOf } from "./framedPage.ts";
import type { HttpRequest, HttpResponse } from "./httpCall.ts";
import { lookOf, preferredLanguage } from "./look.ts";
import { loadsOf, type PageLoads, pageHtml } from "./pageHtml.ts";
import { type PageStarts, signedOut } from "./pageStart.ts";
import { acceptedBody, type Bodies, type Headers, sendBody, tagOf } from "./sendBody.ts";

/** A body with what `sendBody` needs. */
type Answer = { readonly bodies: Bodies; readonly tag: string; readonly headers: Headers };

/** What web/app/build.ts has written. */
type Manifest = {
  readonly pages: readonly string[];
  readonly files: readonly string[];
  readonly loads: PageLoads;
  /** The module that draws first views. */
  readonly firstView: string;
};

const built = new URL("../../../web/app/dist/", import.meta.url);

/** Deeper paths are no pages. */
const deepest = 8;

/**
 * Only what this service serves is loaded and called, nothing inline runs, and no text becomes markup (Trusted Types).
 * The `<base>` is the page's own.
 */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; frame-src 'self'; " +
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
  // Asked for each time, since it names the files of the current version, and kept by no proxy, since it has the person's websites in it.
  "cache-control": "private, no-cache",
  "cross-origin-resource-policy": "same-origin",
  vary: "Accept-Encoding, Accept-Language, Cookie",
};

/** What a page has that shows figures: it is kept nowhere, since they change. */
const drawnHeaders = { ...pageHeaders, "cache-control": "private, no-store" };

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
  readonly #loads: PageLoads;
  readonly #starts: PageStarts;
  readonly #framing: Framing;
  /** Of people who are not signed in. */
  readonly #signedOut = new Map<string, Answer>();

  constructor(starts: PageStarts, framing: Framing) {
    const manifest = readManifest();
    this.#starts = starts;
    this.#framing = framing;
    this.#pages = new Set(manifest?.pages ?? [""]);
    this.#files = new Map(
      manifest?.files.filter((file) => file !== "index.html").map((file) => [`/${file}`, fileAnswer(file)]),
    );
    this.#html = manifest === undefined ? notBuilt : readFileSync(new URL("index.html", built), "utf8");
    this.#loads = manifest?.loads ?? {
      app: { scripts: [], styles: [] },
      pages: {},
      languages: {},
      settingsLanguages: {},
    };
  }

  /** True for `GET /`, so when the request is answered. The path is one of the contract's for POST. */
  handleStart(request: HttpRequest, response: HttpResponse): boolean {
    const { url = "" } = request;
    if ((url !== "/" && !url.startsWith("/?")) || !isRead(request)) return false;
    void this.#sendPage(request, response, { depth: 0, page: "" });
    return true;
  }

  /** True when the path is another page or a file of the app, so when the request is answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    if (!isRead(request)) return false;
    const [path = ""] = (request.url ?? "").split("?", 1);
    const file = this.#files.get(path);
    if (file !== undefined) {
      send(request, response, file);
      return true;
    }
    const [, page, ...rest] = path.split("/");
    if (!page || rest.length > deepest || !this.#pages.has(page)) return false;
    const shared = sharedPathOf(page, rest);
    if (shared === undefined) void this.#sendPage(request, response, { depth: rest.length, page });
    else void this.#sendShared(request, response, { depth: rest.length, page }, shared);
    return true;
  }

  /** Sends the page of a shared dashboard: to everybody alike, since its readers need no session, and to be framed where its owner allows it. */
  async #sendShared(request: HttpRequest, response: HttpResponse, place: PagePlace, shared: SharedPath): Promise<void> {
    const origins = await this.#framing.originsOf(shared);
    if (response.destroyed) return;
    const known = this.#signedOutAnswer(place, preferredLanguage(request.headers["accept-language"], this.#languages));
    send(request, response, { ...known, headers: framedHeaders(known.headers, origins) });
  }

  get #languages(): readonly string[] {
    return Object.keys(this.#loads.languages);
  }

  /** The page as people who are not signed in get it. */
  #signedOutAnswer({ depth, page }: PagePlace, language: string | undefined): Answer {
    const key = JSON.stringify([depth, page, language]);
    const known = this.#signedOut.get(key);
    if (known !== undefined) return known;
    const loads = loadsOf(this.#loads, page, language);
    const html = pageHtml(this.#html, { depth, loads, startJson: signedOut.json });
    const bodies = { plain: Buffer.from(html), br: brotliCompressSync(html), gzip: gzipSync(html) };
    const made = { bodies, tag: tagOf(html), headers: pageHeaders };
    this.#signedOut.set(key, made);
    return made;
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
    void this.#sendPage(request, response, { depth, page: undefined });
    return true;
  }

  /** Sends the app, and with it what its first view needs: the person's session and websites, and the names of the files to load. */
  async #sendPage(request: HttpRequest, response: HttpResponse, { depth, page }: PagePlace): Promise<void> {
    const look = lookOf(request.headers, this.#languages);
    const start = await this.#starts.read(request, response, addressBelow(request.url ?? "/"), look);
    if (response.destroyed) return;
    const status = page === undefined ? 404 : 200;
    if (start !== undefined && !start.isPersonal) {
      const language = preferredLanguage(request.headers["accept-language"], this.#languages);
      send(request, response, this.#signedOutAnswer({ depth, page }, language), status);
      return;
    }
    const loads = loadsOf(this.#loads, page, look?.language);
    const html = pageHtml(this.#html, { depth, loads, startJson: start?.json, look, drawn: start?.drawn });
    // Compressed while the person waits, so quickly rather than well.
    const encoding = acceptedEncodings(request.headers["accept-encoding"]).has("gzip") ? "gzip" : undefined;
    const body = encoding === undefined ? Buffer.from(html) : gzipSync(html, { level: zlib.Z_BEST_SPEED });
    const headers = { ...(start?.drawn === undefined ? pageHeaders : drawnHeaders), ...start?.headers };
    sendBody(request, response, { encoding, body }, tagOf(html), headers, status);
  }
}

/** Where a page is: how many segments its path has above the last one, and its name; undefined at the address of nothing. */
type PagePlace = { readonly depth: number; readonly page: string | undefined };

/** The address of a request without what begins it. */
function addressBelow(url: string): string {
  return url.replace(/^\/+/, "");
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Lookout</title></head>
<body><p>The web app is not built. Run <code>npm run build:app</code> and start the API again. The API itself works; <a href="docs">its reference</a>.</p></body>
</html>
`;

/** The module that draws first views, as an address; undefined where the app is not built. */
export function firstViewModule(): string | undefined {
  const file = readManifest()?.firstView;
  return file === undefined ? undefined : new URL(file, built).href;
}

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
  const read = (ending: string) => readFileSync(new URL(`${file}${ending}`, built));
  const plain = read("");
  return {
    bodies: { plain, ...(contentType === "image/png" ? {} : { br: read(".br"), gzip: read(".gz") }) },
    tag: tagOf(plain),
    headers: {
      "content-type": contentType,
      "cache-control": fileCacheControl,
      "cross-origin-resource-policy": "same-origin",
    },
  };
}

function isRead({ method }: HttpRequest): boolean {
  return method === "GET" || method === "HEAD";
}

function send(request: HttpRequest, response: HttpResponse, { bodies, tag, headers }: Answer, status = 200): void {
  sendBody(request, response, acceptedBody(request, bodies), tag, headers, status);
}
