import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type PageView, pageView } from "../read/pageView.ts";
import type { CachedPage } from "../read/publicStatusPages.ts";
import { plainReader, type Reader } from "../texts/reader.ts";
import { type StatusLanguage, textsOf } from "../texts/statusTexts.ts";
import { badgeSvg } from "./badge.ts";
import { atomFeed, jsonFeed, rssFeed } from "./feeds.ts";
import type { Writer } from "./format.ts";
import { messagePage, pageHtml } from "./pageHtml.ts";
import { stateJson } from "./stateJson.ts";
import { statusText } from "./statusName.ts";

/** What is served of a page: the part of the path after its slug. */
export type PagePart = string;

export type Rendered = { readonly contentType: string; readonly body: Buffer; readonly isCurrent: boolean };

/** The tokens of the web app, then what is only on status pages. */
export const styleSheet = Buffer.concat(
  ["../../../../web/app/src/styles/tokens.css", "statusPage.css"].map((path) =>
    readFileSync(new URL(path, import.meta.url)),
  ),
);

/** Its name changes with its content. A slug has no dot, so no page has this address. */
export const styleName = `style-${createHash("sha256").update(styleSheet).digest("base64url").slice(0, 10)}.css`;

const html = "text/html; charset=utf-8";

/**
 * A part of a page: "" is the page itself. Undefined for a part that there is not. `url` is the address of the page.
 */
export function renderPart(
  page: CachedPage,
  part: PagePart,
  { reader, url, nowMs }: { readonly reader: Reader; readonly url: string; readonly nowMs: number },
): Rendered | undefined {
  const view = pageView(page.snapshot, page.isCurrent(nowMs));
  const writer = { reader, texts: textsOf(reader.language) };
  const text = textOf(view, part, url, writer);
  if (text === undefined) return undefined;
  return { contentType: text[0], body: Buffer.from(text[1]), isCurrent: view.isCurrent };
}

function textOf(view: PageView, part: PagePart, url: string, writer: Writer): [string, string] | undefined {
  switch (part) {
    case "":
      return [html, pageHtml(view, writer, styleName)];
    case "feed.atom":
      return ["application/atom+xml; charset=utf-8", atomFeed(view, url, writer)];
    case "feed.rss":
      return ["application/rss+xml; charset=utf-8", rssFeed(view, url, writer)];
    case "feed.json":
      return ["application/feed+json; charset=utf-8", jsonFeed(view, url, writer)];
    case "status.json":
      return ["application/json; charset=utf-8", stateJson(view, url)];
    case "badge.svg":
      return ["image/svg+xml", badgeSvg(view.title, view.status, overallText(view, writer))];
    default:
      return monitorBadge(view, part, writer);
  }
}

/** The last known state of a monitor is no state of now: its badge is grey then. */
function monitorBadge(view: PageView, part: PagePart, { texts }: Writer): [string, string] | undefined {
  const id = /^badge\/([\w-]+)\.svg$/.exec(part)?.[1];
  const monitor = view.groups.flatMap(({ monitors }) => monitors).find((shown) => shown.id === id);
  if (monitor === undefined) return undefined;
  const status = view.isCurrent ? monitor.status : "unknown";
  return ["image/svg+xml", badgeSvg(monitor.name, status, statusText(status, texts))];
}

function overallText({ status }: PageView, { texts }: Writer): string {
  return statusText(status === "incident" ? "degraded" : status, texts);
}

/** A page for a slug that has none, or for a state that is not known at all. */
export function renderMessage(kind: "notFound" | "unavailable", language: StatusLanguage): Buffer {
  const texts = textsOf(language);
  const title = kind === "notFound" ? texts.notFoundTitle : texts.unavailableTitle;
  return Buffer.from(messagePage(title, texts[kind], { reader: plainReader(language), texts }, styleName));
}
