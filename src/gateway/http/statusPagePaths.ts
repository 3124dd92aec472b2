import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { countMiss } from "../../access/rateLimit/limitMisses.ts";
import { ApiError } from "../../errors/errors.ts";
import { statusPageUrl } from "../../uptime/statusPages/manage/statusPage.ts";
import type { CachedPage, PublicStatusPages } from "../../uptime/statusPages/read/publicStatusPages.ts";
import { renderMessage, renderPart, styleName, styleSheet } from "../../uptime/statusPages/render/renderPage.ts";
import { plainReader, type Reader, readerOf } from "../../uptime/statusPages/texts/reader.ts";
import type { StatusLanguage } from "../../uptime/statusPages/texts/statusTexts.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { acceptedEncodings, isKnownTag } from "./contentNegotiation.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "./httpCall.ts";

type StatusApp = GatewayApp & { readonly statusPages: PublicStatusPages };

type Headers = Readonly<Record<string, string>>;

/** A body with its headers; compressed with the first use. */
type Answer = {
  readonly body: Buffer;
  readonly etag: string;
  readonly headers: Headers;
  readonly compressed: Partial<Record<"br" | "gzip", Buffer>>;
};

const prefix = "/status/";

/**
 * Nothing runs, only the choice of a time zone is sent, and only the style sheet and images of this service are loaded. The badges are images
 * on pages of others.
 */
const pageHeaders: Headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
};

/**
 * A cache that cannot ask again must not show an old state as the current one (RFC 9111, section 5.2.2.2).
 */
const currentCaching = "public, max-age=5, must-revalidate";

/**
 * GET /status/<slug>: published status pages, their feeds, badges and state, without credentials. A draft and a page that
 * does not exist have the same answer.
 */
export class StatusPagePaths {
  readonly #app: StatusApp;
  readonly #style: Answer;
  readonly #messages = new Map<string, Answer>();

  constructor(app: StatusApp) {
    this.#app = app;
    this.#style = answerOf(styleSheet, {
      "content-type": "text/css; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
  }

  /** True when the path is below /status/, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const { url = "", method } = request;
    if (!url.startsWith(prefix) || (method !== "GET" && method !== "HEAD")) return false;
    request.resume();
    const [path = "", query] = url.slice(prefix.length).split("?", 2);
    if (path === styleName) {
      send(request, response, 200, this.#style);
      return true;
    }
    const slash = path.indexOf("/");
    const slug = slash === -1 ? path : path.slice(0, slash);
    const part = slash === -1 ? "" : path.slice(slash + 1);
    const reader = readerOf(query, request.headers["accept-language"]);
    if (slash !== -1 && part === "") {
      // With a slash at its end the relative addresses of the page would lead elsewhere.
      response.writeHead(301, { location: `../${slug}`, "content-length": 0 });
      response.end();
      return true;
    }
    const page = this.#app.statusPages.cached(slug);
    if (page !== undefined) this.#send(request, response, page, part, reader);
    else
      this.#find(request, response, slug, part, reader).catch((error: unknown) =>
        this.#fail(request, response, error, reader.language),
      );
    return true;
  }

  async #find(request: HttpRequest, response: HttpResponse, slug: string, part: string, reader: Reader): Promise<void> {
    const page = isSlug(slug) ? await this.#app.statusPages.find(slug) : undefined;
    if (page !== undefined) this.#send(request, response, page, part, reader);
    else {
      countMiss("status page", new HttpCall(this.#app, request, response));
      send(request, response, 404, this.#message("notFound", reader.language));
    }
  }

  #send(request: HttpRequest, response: HttpResponse, page: CachedPage, part: string, reader: Reader): void {
    const answer = this.#render(page, part, reader);
    if (answer === undefined) send(request, response, 404, this.#message("notFound", reader.language));
    else send(request, response, 200, answer);
  }

  #render(page: CachedPage, part: string, asking: Reader): Answer | undefined {
    const nowMs = Date.now();
    const isCurrent = page.isCurrent(nowMs);
    const { language } = asking;
    // Programs read the other parts, so their times are the same for everyone.
    const reader = part === "" ? asking : plainReader(language);
    const key = `${isCurrent}/${Object.values(reader).join()}/${part}`;
    const known = page.renderings.get(key);
    if (known !== undefined) return known as Answer;
    const url = statusPageUrl(page.snapshot.facts.page, this.#app.config.server.baseUrl);
    const rendered = renderPart(page, part, { reader, url, nowMs });
    if (rendered === undefined) return undefined;
    const answer = answerOf(rendered.body, {
      ...pageHeaders,
      "content-type": rendered.contentType,
      "content-language": language,
      // Badges, feeds and the state are for pages of others too.
      ...(part === "" ? {} : { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }),
      "cache-control": isCurrent ? currentCaching : "no-store",
    });
    page.renderings.set(key, answer);
    return answer;
  }

  #fail(request: HttpRequest, response: HttpResponse, error: unknown, language: StatusLanguage): void {
    if (error instanceof ApiError && error.status === 429) {
      response.writeHead(429, { ...error.headers, "content-type": "text/plain; charset=utf-8" });
      response.end(error.message);
      return;
    }
    this.#app.log.error({ err: error }, "a status page could not be answered");
    response.setHeader("retry-after", "10");
    send(request, response, 503, this.#message("unavailable", language));
  }

  #message(kind: "notFound" | "unavailable", language: StatusLanguage): Answer {
    const key = `${kind}/${language}`;
    const known = this.#messages.get(key);
    if (known !== undefined) return known;
    const answer = answerOf(renderMessage(kind, language), {
      ...pageHeaders,
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "cache-control": "no-store",
    });
    this.#messages.set(key, answer);
    return answer;
  }
}

/** As the contract has it; PostgreSQL is not asked for anything else. */
function isSlug(text: string): boolean {
  return /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(text);
}

function answerOf(body: Buffer, headers: Headers): Answer {
  return { body, headers, etag: createHash("sha256").update(body).digest("base64url").slice(0, 22), compressed: {} };
}

function send(request: HttpRequest, response: HttpResponse, status: number, answer: Answer): void {
  const accepted = acceptedEncodings(request.headers["accept-encoding"]);
  const encoding = accepted.has("br") ? "br" : accepted.has("gzip") ? "gzip" : undefined;
  const body = encoding === undefined ? answer.body : compressed(answer, encoding);
  const etag = `"${answer.etag}${encoding === undefined ? "" : `-${encoding}`}"`;
  const headers = { ...answer.headers, etag, vary: "Accept-Encoding, Accept-Language" };
  if (status === 200 && isKnownTag(request.headers["if-none-match"], etag)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  response.writeHead(status, {
    ...headers,
    "content-length": body.length,
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

/** A page changes every few seconds, so a fast level is best. */
function compressed(answer: Answer, encoding: "br" | "gzip"): Buffer {
  answer.compressed[encoding] ??=
    encoding === "br"
      ? brotliCompressSync(answer.body, { params: { [zlib.BROTLI_PARAM_QUALITY]: 4 } })
      : gzipSync(answer.body, { level: 6 });
  return answer.compressed[encoding];
}
