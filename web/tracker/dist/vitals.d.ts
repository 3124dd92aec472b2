import type { Report } from "./options.js";
/**
 * Measures Web Vitals by their definitions (web.dev/articles/vitals): LCP, FCP and TTFB of the load, CLS and INP of
 * each page view. Returns a function that reports them to POST /vitals when a view ends: each figure once, times in ms.
 */
export declare function observeVitals(): (report: Report) => void;
