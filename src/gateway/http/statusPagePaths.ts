import { countMiss } from "../../access/rateLimit/limitMisses.ts";
import { ApiError } from "../../errors/errors.ts";
import { statusPageUrl } from "../../uptime/statusPages/manage/statusPage.ts";
import type { CachedPage, PublicStatusPages } from "../../uptime/statusPages/read/publicStatusPages.ts";
import { accentSheet } from "../../uptime/statusPages/render/accent.ts";
import { type Looks, renderMessage, renderPart } from "../../uptime/statusPages/render/renderPage.ts";
import { styleName, styleSheet } from "../../uptime/statusPages/render/styleSheet.ts";
import { plainReader, type Reader, readerOf } from "../../uptime/statusPages/texts/reader.ts";
import type { StatusLanguage } from "../../uptime/statusPages/texts/statusTexts.ts";
import type { GatewayApp } from "../gatewayApp.ts";
import { HttpCall, type HttpRequest, type HttpResponse } from "./httpCall.ts";
import { type Answer, answerOf, send } from "./statusAnswer.ts";
import { embedHeaders, fixedHeaders, pageHeaders, previewHeaders } from "./statusHeaders.ts";

type StatusApp = GatewayApp & { readonly statusPages: PublicStatusPages };

/** What is asked for of a page. */
type Asked = {
  readonly slug: string;
  readonly part: string;
  readonly reader: Reader;
  readonly looks: Looks;
};

const prefix = "/status/";
const css = "text/css; charset=utf-8";
const longestLabel = 60;

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
    this.#style = answerOf(styleSheet, fixedHeaders(css));
  }

  /** True when the path is below /status/, so when the request is or will be answered. */
  handle(request: HttpRequest, response: HttpResponse): boolean {
    const { url = "", method } = request;
    if (!url.startsWith(prefix) || (method !== "GET" && method !== "HEAD")) return false;
    request.resume();
    const [path = "", query] = url.slice(prefix.length).split("?", 2);
    const fixed = path === styleName ? this.#style : accentAnswer(path);
    if (fixed !== undefined) {
      send(request, response, 200, fixed);
      return true;
    }
    const slash = path.indexOf("/");
    const slug = slash === -1 ? path : path.slice(0, slash);
    const part = slash === -1 ? "" : path.slice(slash + 1);
    const reader = readerOf(query, request.headers["accept-language"]);
    const asked: Asked = { slug, part, reader, looks: looksOf(query) };
    if (slash !== -1 && part === "") {
      // With a slash at its end the relative addresses of the page would lead elsewhere.
      response.writeHead(301, { location: `../${slug}`, "content-length": 0 });
      response.end();
      return true;
    }
    const page = this.#app.statusPages.cached(slug);
    if (page !== undefined) this.#send(request, response, page, asked);
    else
      this.#find(request, response, asked).catch((error: unknown) =>
        this.#fail(request, response, error, reader.language),
      );
    return true;
  }

  async #find(request: HttpRequest, response: HttpResponse, asked: Asked): Promise<void> {
    const { slug, part, reader } = asked;
    const { statusPages } = this.#app;
    const isPart = part !== "";
    const logo = isPart ? undefined : await statusPages.logos.find(slug);
    if (logo !== undefined) return send(request, response, 200, answerOf(logo, fixedHeaders("image/webp")), false);
    const page = isSlug(slug) ? await statusPages.find(slug) : isPart ? undefined : await statusPages.preview(slug);
    if (page !== undefined) return this.#send(request, response, page, asked);
    countMiss("status page", new HttpCall(this.#app, request, response));
    send(request, response, 404, this.#message("notFound", reader.language));
  }

  #send(request: HttpRequest, response: HttpResponse, page: CachedPage, asked: Asked): void {
    const answer = this.#render(page, asked);
    if (answer === undefined) send(request, response, 404, this.#message("notFound", asked.reader.language));
    else send(request, response, 200, answer);
  }

  #render(page: CachedPage, { slug, part, reader: asking, looks }: Asked): Answer | undefined {
    const nowMs = Date.now();
    const isCurrent = page.isCurrent(nowMs);
    const { language } = asking;
    // Programs read the other parts, so their times are the same for everyone.
    const reader = part === "" || part === "embed" ? asking : plainReader(language);
    const key = `${isCurrent}/${Object.values(reader).join()}/${part}/${looks.theme}`;
    const known = looks.label === undefined ? page.renderings.get(key) : undefined;
    if (known !== undefined) return known as Answer;
    const url = statusPageUrl(page.snapshot.facts.page, this.#app.config.server.baseUrl);
    const rendered = renderPart(page, part, { reader, looks, url, nowMs });
    if (rendered === undefined) return undefined;
    const answer = answerOf(rendered.body, {
      "cache-control": isCurrent ? currentCaching : "no-store",
      ...(isSlug(slug) ? (part === "embed" ? embedHeaders : pageHeaders) : previewHeaders),
      "content-type": rendered.contentType,
      "content-language": language,
      // Badges, feeds and the state are for pages of others too.
      ...(part === "" ? {} : { "access-control-allow-origin": "*", "cross-origin-resource-policy": "cross-origin" }),
    });
    if (looks.label === undefined) page.renderings.set(key, answer);
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

function accentAnswer(path: string): Answer | undefined {
  const sheet = accentSheet(path);
  return sheet === undefined ? undefined : answerOf(Buffer.from(sheet), fixedHeaders(css));
}

function looksOf(query: string | undefined): Looks {
  const parameters = new URLSearchParams(query);
  const theme = parameters.get("theme");
  return {
    theme: theme === "light" || theme === "dark" ? theme : undefined,
    label: parameters.get("label")?.trim().slice(0, longestLabel) || undefined,
  };
}
