import type { Report } from "./options.js";
/** Reports errors that no script caught to POST /errors, each once and at most ten of a page load; `early` are those before this call. */
export declare function observeErrors(report: Report, early?: readonly (ErrorEvent | PromiseRejectionEvent)[]): void;
