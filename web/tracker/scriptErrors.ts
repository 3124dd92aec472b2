import type { Report } from "./options.ts";

/**
 * Reports uncaught script errors to POST /errors, each once and at most ten per page load; `early` are those before
 * this call.
 */
export function observeErrors(report: Report, early: readonly (ErrorEvent | PromiseRejectionEvent)[] = []): void {
  const maxErrors = 10;
  const seen = new Set<string>();
  const take = (error: unknown, place: object, text = String(error)) => {
    const { message = text, stack, name: errorType } = error instanceof Error ? error : ({} as Partial<Error>);
    if (seen.size < maxErrors && seen.size < seen.add(message + stack).size)
      report({ message, stack, errorType, ...place }, "/errors");
  };
  const listener = (event: ErrorEvent | PromiseRejectionEvent) => {
    if ("reason" in event) take(event.reason, {});
    else take(event.error, { filename: event.filename, lineno: event.lineno, colno: event.colno }, event.message);
  };
  early.forEach(listener);
  addEventListener("error", listener);
  addEventListener("unhandledrejection", listener);
}
