import { createHash } from "node:crypto";
import { type Html, html } from "../text/html.ts";

/** A small page for people who use a browser; one with sections is as wide as a page of print. */
export function htmlPage(title: string, body: Html, language = "en"): string {
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head>
    <body><main><h1>${title}</h1>${body}</main></body></html>`.toString();
}

/** Without any character that HTML escapes. */
const style =
  "body{margin:0;min-height:100vh;display:grid;place-items:center;background:#f6f7f9;color:#1b1f24;font:16px/1.5 system-ui,sans-serif}" +
  "main{max-width:26rem;padding:2rem}h1{font-size:1.4rem;margin:0 0 .5rem}p{margin:0 0 1rem;overflow-wrap:anywhere}" +
  "input,button{font:inherit;padding:.5rem .75rem;border:1px solid #8a929c;border-radius:6px}button{background:#1b1f24;color:#fff}" +
  "main:has(section){max-width:52rem}section{border-top:1px solid #8a929c;padding:1rem 0;break-inside:avoid}h2{font-size:1.1rem;margin:0}" +
  "dl,ul{margin:0}dt{font-weight:600}code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}.state{font-weight:600}.broken .state{color:#a3231b}.fulfilled .state{color:#1a6b3c}" +
  "@media(prefers-color-scheme:dark){body{background:#15181c;color:#e8eaed}input{background:#22262b;color:inherit}button{background:#e8eaed;color:#15181c}" +
  ".broken .state{color:#ff9c92}.fulfilled .state{color:#7fd6a2}}";

const styleHash = createHash("sha256").update(style).digest("base64");

/**
 * Headers of such a page: it loads nothing, runs nothing and cannot be framed. Its form has no target restriction,
 * since browsers also apply `form-action` to the redirect that follows.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self' https: http:; base-uri 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex",
};
