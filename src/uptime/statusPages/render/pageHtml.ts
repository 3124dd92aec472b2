import { type Html, html, htmlText } from "../../../text/html.ts";
import type { PageView } from "../read/pageView.ts";
import { otherLanguage } from "../texts/statusTexts.ts";
import { eventHtml, pastHtml, timeHtml, windowHtml } from "./eventHtml.ts";
import type { Writer } from "./format.ts";
import { systemsHtml } from "./systemsHtml.ts";

/** A status page. It needs no script, and all of its addresses are relative, so that it works below any path. */
export function pageHtml(view: PageView, writer: Writer, styleName: string): string {
  const { texts } = writer;
  const { slug, title, logoText, description } = view;
  const other = otherLanguage(writer.language);
  return document({
    writer,
    styleName,
    title,
    head: html`<link rel="alternate" type="application/atom+xml" title="${texts.feedTitle(title)}" href="${slug}/feed.atom">
      <link rel="alternate" type="application/feed+json" title="${texts.feedTitle(title)}" href="${slug}/feed.json">`,
    body: html`<header class="top">${logoText === "" ? "" : html`<p class="logo">${logoText}</p>`}<h1>${title}</h1>
      ${description === "" ? "" : html`<p class="lead">${description}</p>`}</header>
      <main>${overall(view, writer)}
      ${section(
        texts.ongoing,
        view.ongoing.map((event) => eventHtml(event, view, writer)),
      )}
      ${section(
        texts.maintenance,
        view.windows.map((window) => windowHtml(window, writer)),
      )}
      ${systemsHtml(view, writer)}
      <section><h2>${texts.past}</h2>${pastHtml(view, writer)}</section></main>
      <footer><p>${texts.utc}</p>
      <p>${texts.feeds}: <a href="${slug}/feed.atom">Atom</a> <a href="${slug}/feed.rss">RSS</a> <a href="${slug}/feed.json">JSON</a></p>
      <p><a href="${slug}/badge.svg">${texts.badge}</a></p>
      <p><a href="${slug}?lang=${other}" hreflang="${other}" lang="${other}">${texts.otherLanguage}</a></p></footer>`,
  });
}

/** A page that says that there is nothing to show. */
export function messagePage(title: string, text: string, writer: Writer, styleName: string): string {
  const body = html`<main class="message"><h1>${title}</h1><p>${text}</p></main>`;
  return document({ writer, styleName, title, head: html`<meta name="robots" content="noindex">`, body });
}

type Document = {
  readonly writer: Writer;
  readonly styleName: string;
  readonly title: string;
  readonly head: Html;
  readonly body: Html;
};

function document({ writer, styleName, title, head, body }: Document): string {
  return html`<!doctype html><html lang="${writer.language}"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <title>${title}</title><link rel="stylesheet" href="${styleName}">${head}</head><body>${body}</body></html>`.toString();
}

function section(title: string, content: readonly Html[]): Html {
  return content.length === 0 ? html`` : html`<section><h2>${title}</h2>${content}</section>`;
}

function overall(view: PageView, writer: Writer): Html {
  const { isCurrent } = view;
  const kind = view.status === "incident" ? "degraded" : view.status;
  const explanation = explain(view, writer);
  const readAt =
    isCurrent && view.statesMs !== undefined
      ? html`<p class="soft">${htmlText(writer.texts.asOf, timeHtml(view.statesMs, writer))}</p>`
      : "";
  return html`<section class="overall is-${kind}"${isCurrent ? "" : html` data-not-current`}><h2>${headline(view, writer)}</h2>
    ${explanation === undefined ? "" : html`<p>${explanation}</p>`}${readAt}</section>`;
}

/** Why a state is not known, or not one of now; undefined where there is nothing to explain. */
function explain({ isCurrent, statesMs, status, groups }: PageView, writer: Writer): string | Html | undefined {
  const { texts } = writer;
  if (isCurrent) return status === "unknown" && groups.length > 0 ? texts.unknownText : undefined;
  return statesMs === undefined ? texts.neverKnown : htmlText(texts.notCurrent, timeHtml(statesMs, writer));
}

function headline({ isCurrent, status, groups }: PageView, { texts }: Writer): string {
  const isPartlyKnown = groups.some(({ monitors }) => monitors.some((monitor) => monitor.status === "up"));
  return isCurrent && status === "unknown" && isPartlyKnown ? texts.partlyUnknown : texts.overall[status];
}
