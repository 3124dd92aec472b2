import type { Report } from "./options.ts";

/** Reports errors that no script caught to POST /errors, each once and at most ten of a page load. */
export function observeErrors(report: Report): void {
  const maxErrors = 10;
  const seen = new Set<string>();
  const take = (error: unknown, place: object, text = String(error)) => {
    const { message = text, stack, name: errorType } = error instanceof Error ? error : ({} as Partial<Error>);
    if (seen.size < maxErrors && seen.size < seen.add(message + stack).size)
      report({ message, stack, errorType, ...place }, "/errors");
  };
  addEventListener("error", ({ error, message, filename, lineno, colno }) =>
    take(error, { filename, lineno, colno }, message),
  );
  addEventListener("unhandledrejection", ({ reason }) => take(reason, {}));
}
