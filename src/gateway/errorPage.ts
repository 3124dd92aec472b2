import { STATUS_CODES } from "node:http";
import { htmlPage } from "../call/htmlPage.ts";
import type { ApiError } from "../errors/errors.ts";
import { html } from "../text/html.ts";

/** The HTML of an error for people: its own page, else its message. */
export function errorPage(error: ApiError): string {
  return error.page ?? htmlPage(STATUS_CODES[error.status] ?? "Error", html`<p>${error.message}.</p>`);
}

/** Whether a client shows pages: browsers accept HTML when a person opens an address, programs do not. */
export function showsPages(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}
