import { escapeHtml } from "../../../text/html.ts";

/** A text in XML, as an element or an attribute in quotes. XML 1.0 has no way to write most control characters, so they are left out. */
export function xmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  return escapeHtml(text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""));
}
