import { listen } from "./listen.ts";
import type { Report } from "./options.ts";

/** Entries of the performance timeline with the members that are read here; not all browsers have all of them. */
type Entry = PerformanceEntry & { value?: number; hadRecentInput?: boolean; interactionId?: number };

/**
 * Measures Web Vitals by their definitions (web.dev/articles/vitals): LCP, FCP and TTFB of the load, CLS and INP of
 * each page view. Returns a function that reports them to POST /vitals when a view ends: each figure once, times in ms.
 */
export function observeVitals(): (report: Report) => void {
  /** INP ignores one of this many interactions as an outlier, and no page has more of those than this. */
  const interactionsPerOutlier = 50;
  const maxOutliers = 10;
  /** Layout shifts belong together up to this gap and up to this total length. */
  const shiftGapMs = 1e3;
  const shiftWindowMs = 5e3;

  let figures: Record<string, number> = {};
  let longestMs: Record<number, number> = {};
  let shiftSum = 0;
  let shiftFirstMs = 0;
  let shiftLastMs = 0;
  let isLoading = !document.hidden;

  const navigation = performance.getEntriesByType("navigation")[0] as
    | (PerformanceNavigationTiming & { activationStart?: number })
    | undefined;
  /** A prerendered page is measured from its activation by the visitor. */
  const sinceStartMs = (ms: number) => Math.max(0, ms - (navigation?.activationStart ?? 0));
  if (navigation?.responseStart) figures["TTFB"] = sinceStartMs(navigation.responseStart);

  const observers = Object.entries<(entry: Entry) => void>({
    paint: ({ name, startTime }) => {
      if (isLoading && name === "first-contentful-paint") figures["FCP"] = sinceStartMs(startTime);
    },
    "largest-contentful-paint": ({ startTime }) => {
      if (isLoading) figures["LCP"] = sinceStartMs(startTime);
    },
    "layout-shift": ({ startTime, value = 0, hadRecentInput }) => {
      if (hadRecentInput) return;
      if (startTime - shiftLastMs > shiftGapMs || startTime - shiftFirstMs > shiftWindowMs) {
        shiftSum = 0;
        shiftFirstMs = startTime;
      }
      shiftLastMs = startTime;
      shiftSum += value;
      figures["CLS"] = Math.max(figures["CLS"] ?? 0, shiftSum);
    },
    event: ({ interactionId, duration }) => {
      if (interactionId) longestMs[interactionId] = Math.max(longestMs[interactionId] ?? 0, duration);
    },
  }).map(([type, take]) => {
    const takeAll = (entries: PerformanceEntryList) => entries.forEach(take);
    const observer = new PerformanceObserver((list) => takeAll(list.getEntries()));
    // Browsers ignore unknown types. Interactions shorter than 16 ms are never reported.
    observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
    return () => takeAll(observer.takeRecords());
  });

  // What is painted after the first input or while hidden does not belong to the load.
  const endLoad = () => {
    for (const take of observers) take();
    isLoading = false;
  };
  listen("keydown", endLoad);
  listen("pointerdown", endLoad);
  listen("visibilitychange", endLoad);

  return (report) => {
    endLoad();
    const durations = Object.values(longestMs).sort((one, other) => other - one);
    const inp = durations[Math.min(maxOutliers - 1, Math.floor(durations.length / interactionsPerOutlier))];
    if (inp) figures["INP"] = inp;
    // A page without layout shifts is a measurement too.
    if (PerformanceObserver.supportedEntryTypes.includes("layout-shift")) figures["CLS"] ??= 0;
    for (const metricName of Object.keys(figures)) report({ metricName, metricValue: figures[metricName] }, "/vitals");
    figures = {};
    longestMs = {};
    shiftSum = 0;
  };
}
