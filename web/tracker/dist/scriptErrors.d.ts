import type { Report } from "./options.js";
/**
 * Reports uncaught script errors to POST /errors, each once and at most ten per page load; `early` are those before
 * this call.
 */
export declare function observeErrors(report: Report, early?: readonly (ErrorEvent | PromiseRejectionEvent)[]): void;
