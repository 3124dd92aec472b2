import { type PageView, pageView } from "../read/pageView.ts";
import type { CachedPage } from "../read/publicStatusPages.ts";
import { plainReader, type Reader } from "../texts/reader.ts";
import { type StatusLanguage, textsOf } from "../texts/statusTexts.ts";
import { type BadgeTheme, badgeSvg } from "./badge.ts";
import { embedHtml } from "./embedHtml.ts";
import { atomFeed, jsonFeed, rssFeed } from "./feeds.ts";
import type { Writer } from "./format.ts";
import { messagePage, pageHtml } from "./pageHtml.ts";
import { stateJson } from "./stateJson.ts";
import { statusText } from "./statusName.ts";
import { styleName } from "./styleSheet.ts";

export type Rendered = { readonly contentType: string; readonly body: Buffer };

/** How badges and frames look on pages of others. */
export type Looks = {
  readonly theme: BadgeTheme | undefined;
  /** The text of a badge before its status; undefined for the name. */
  readonly label: string | undefined;
};

type Rendering = {
  readonly reader: Reader;
  readonly looks: Looks;
  /** The address of the page. */
  readonly url: string;
  readonly nowMs: number;
};

const html = "text/html; charset=utf-8";

/** A part of a page, by the part of the path after its slug: "" is the page itself. Undefined for a part that there is not. */
export function renderPart(page: CachedPage, part: string, rendering: Rendering): Rendered | undefined {
  const { reader, nowMs } = rendering;
  const view = pageView(page.snapshot, page.isCurrent(nowMs));
  const text = textOf(view, part, { reader, texts: textsOf(reader.language) }, rendering);
  return text === undefined ? undefined : { contentType: text[0], body: Buffer.from(text[1]) };
}

function textOf(view: PageView, part: string, writer: Writer, { url, looks }: Rendering): [string, string] | undefined {
  switch (part) {
    case "":
      return [html, pageHtml(view, writer, styleName)];
    case "embed":
      return [html, embedHtml(view, writer, styleName, looks.theme)];
    case "feed.atom":
      return ["application/atom+xml; charset=utf-8", atomFeed(view, url, writer)];
    case "feed.rss":
      return ["application/rss+xml; charset=utf-8", rssFeed(view, url, writer)];
    case "feed.json":
      return ["application/feed+json; charset=utf-8", jsonFeed(view, url, writer)];
    case "status.json":
      return ["application/json; charset=utf-8", stateJson(view, url)];
    case "badge.svg":
      return badge(looks, view.title, view.status, overallText(view, writer));
    default:
      return monitorBadge(view, part, writer, looks);
  }
}

/** The last known state of a monitor is no state of now: its badge is grey then. */
function monitorBadge(view: PageView, part: string, { texts }: Writer, looks: Looks): [string, string] | undefined {
  const id = /^badge\/([\w-]+)\.svg$/.exec(part)?.[1];
  const monitor = view.groups.flatMap(({ monitors }) => monitors).find((shown) => shown.id === id);
  if (monitor === undefined) return undefined;
  const status = view.isCurrent ? monitor.status : "unknown";
  return badge(looks, monitor.name, status, statusText(status, texts));
}

function badge({ theme, label }: Looks, name: string, status: string, text: string): [string, string] {
  return ["image/svg+xml", badgeSvg(label ?? name, status, text, theme)];
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
