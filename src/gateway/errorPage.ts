import { STATUS_CODES } from "node:http";
import type { ApiError } from "../errors.ts";
import { escapeHtml, htmlPage } from "./htmlPage.ts";

/** What a person sees of an error: the page that it brings, else its sentence. */
export function errorPage(error: ApiError): string {
  return error.page ?? htmlPage(STATUS_CODES[error.status] ?? "Error", `<p>${escapeHtml(error.message)}.</p>`);
}

/** Whether a client shows pages: browsers name HTML when somebody goes to an address, programs do not. */
export function showsPages(accept: string | undefined): boolean {
  return accept?.includes("text/html") ?? false;
}
