import { type Html, html } from "../../../text/html.ts";
import type { Writer } from "./format.ts";

type Document = {
  readonly writer: Writer;
  readonly styles: readonly string[];
  readonly title: string;
  readonly head: Html;
  readonly body: Html;
  /** Without it the browser's setting decides. */
  readonly theme?: "light" | "dark" | undefined;
};

/** A whole page. */
export function documentOf({ writer, styles, title, head, body, theme }: Document): string {
  return html`<!doctype html><html lang="${writer.reader.language}"${theme === undefined ? "" : html` data-theme="${theme}"`}><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
    <title>${title}</title>${styles.map((style) => html`<link rel="stylesheet" href="${style}">`)}${head}</head><body>${body}</body></html>`.toString();
}
