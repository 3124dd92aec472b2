import { html } from "../../../text/html.ts";
import type { PageView } from "../read/pageView.ts";
import { signHtml, stylesOf } from "./brandHtml.ts";
import { documentOf } from "./document.ts";
import type { Writer } from "./format.ts";
import { explanation, headline } from "./headline.ts";

/** A page in a few lines, for a frame on pages of others. Its address is one deeper than that of the page. */
export function embedHtml(
  view: PageView,
  writer: Writer,
  styleName: string,
  theme: "light" | "dark" | undefined,
): string {
  const kind = view.status === "incident" ? "degraded" : view.status;
  const text = explanation(view, writer);
  return documentOf({
    writer,
    styles: stylesOf(view, styleName).map((style) => `../${style}`),
    title: view.title,
    theme,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="embed is-${kind}"><a href="../${view.slug}" target="_blank" rel="noopener">${signHtml(view, "../")}
      <strong>${headline(view, writer)}</strong></a>${text === undefined ? "" : html`<p class="soft">${text}</p>`}</main>`,
  });
}
