import { type Html, html, htmlText } from "../../../text/html.ts";
import type { PageView } from "../read/pageView.ts";
import { brandHtml, stylesOf } from "./brandHtml.ts";
import { documentOf } from "./document.ts";
import { eventHtml, pastHtml, timeHtml, windowHtml } from "./eventHtml.ts";
import { formatUtc, type Writer } from "./format.ts";
import { explanation, headline } from "./headline.ts";
import { footHtml } from "./pageFoot.ts";
import { systemsHtml } from "./systemsHtml.ts";

/** A status page. It needs no script, and all of its addresses are relative, so that it works below any path. */
export function pageHtml(view: PageView, writer: Writer, styleName: string): string {
  const { texts } = writer;
  const { slug, title, description, isPreview } = view;
  return documentOf({
    writer,
    styles: stylesOf(view, styleName),
    title,
    head: html`${isPreview ? html`<meta name="robots" content="noindex">` : ""}<link rel="alternate" type="application/atom+xml" title="${texts.feedTitle(title)}" href="${slug}/feed.atom">
      <link rel="alternate" type="application/feed+json" title="${texts.feedTitle(title)}" href="${slug}/feed.json">`,
    body: html`${isPreview ? html`<p class="preview">${texts.preview}</p>` : ""}<header class="top">${brandHtml(view)}
      <details class="feeds"><summary>${texts.getUpdates}</summary><p><a href="${slug}/feed.atom">Atom</a> <a href="${slug}/feed.rss">RSS</a> <a href="${slug}/feed.json">JSON</a></p></details>
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
      ${footHtml(view, writer)}`,
  });
}

/** A page that says that there is nothing to show. */
export function messagePage(title: string, text: string, writer: Writer, styleName: string): string {
  const body = html`<main class="message"><h1>${title}</h1><p>${text}</p></main>`;
  return documentOf({ writer, styles: [styleName], title, head: html`<meta name="robots" content="noindex">`, body });
}

function section(title: string, content: readonly Html[]): Html {
  return content.length === 0 ? html`` : html`<section><h2>${title}</h2>${content}</section>`;
}

function overall(view: PageView, writer: Writer): Html {
  const { isCurrent, statesMs } = view;
  const kind = view.status === "incident" ? "degraded" : view.status;
  const text = explanation(view, writer);
  return html`<section class="overall is-${kind}"${isCurrent ? "" : html` data-not-current`}><div><h2>${headline(view, writer)}</h2>
    ${text === undefined ? "" : html`<p>${text}</p>`}</div>${isCurrent && statesMs !== undefined ? updatedHtml(statesMs, writer) : ""}</section>`;
}

/** When the states were read, in the reader's zone and in UTC. */
function updatedHtml(ms: number, writer: Writer): Html {
  const { zone } = writer.reader;
  const both = zone === "UTC" ? "" : html`<br>${zone} (${formatUtc(ms, writer)})`;
  return html`<p class="soft updated">${htmlText(writer.texts.updated, timeHtml(ms, writer))}${both}</p>`;
}
