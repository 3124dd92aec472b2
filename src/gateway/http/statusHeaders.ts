import type { Headers } from "./sendBody.ts";

/** Nothing runs, only the choice of a time zone is sent, and only style sheets and images of this service are loaded. */
const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors ";

const careful: Headers = { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" };

/** Pages, and what is no page of its own: badges are images on pages of others, and feeds are read by programs. */
export const pageHeaders: Headers = {
  ...careful,
  "content-security-policy": `${policy}'none'`,
  "x-frame-options": "DENY",
};

/** The only page that others may frame: it has a link, and nothing that a click could change. */
export const embedHeaders: Headers = { ...careful, "content-security-policy": `${policy}*` };

/** The form of the web app frames it. */
export const previewHeaders: Headers = {
  ...careful,
  "content-security-policy": `${policy}'self'`,
  "x-frame-options": "SAMEORIGIN",
  "x-robots-tag": "noindex",
  "cache-control": "no-store",
};

/** What is at an address that changes with the content. */
export function fixedHeaders(contentType: string): Headers {
  return {
    ...careful,
    "content-security-policy": "default-src 'none'",
    "content-type": contentType,
    "cache-control": "public, max-age=31536000, immutable",
  };
}
