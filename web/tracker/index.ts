import { watchClicks } from "./clicks.ts";
import { isOptedOut, mayTrack, setOptOut } from "./consent.ts";
import { sendable } from "./json.ts";
import { listen } from "./listen.ts";
import type { Extension, Item, Report, Tracker, TrackerOptions } from "./options.ts";
import { createOutbox } from "./outbox.ts";
import { circumstances, currentPath } from "./pageFacts.ts";
import { createVisit, randomId, type Visit } from "./visit.ts";

export type { Extension, Item, Report, Tracker, TrackerOptions };

/**
 * Tracks the page it is called in. Call it once, in the browser.
 *
 * Sends events in the flat form to POST /batch (specification 4.20): `page_view` with the facts of the visit, `page_exit` with the
 * visible time in seconds and the scroll depth in percent, custom events and outgoing links.
 */
export function createTracker(options: TrackerOptions, extension?: Extension): Tracker {
  /** A page_exit is sent again for a page that was hidden before only if it was visible for this long since. */
  const minMoreMs = 1e3;
  /** The referrer of a step within the website: without one a view is an arrival. */
  const internal = "internal";
  /** Less than events wait to be sent. */
  const titleDelayMs = 500;

  let isOn = mayTrack(options);
  let { referrer } = document;
  /** The properties of the first view. */
  let marked = 404 in options ? { notFound: true } : undefined;
  /** The current view: visitor and page. */
  let view: (Visit & { path: string }) | undefined;
  let viewEvent: Item = {};
  /** Since when the page is visible; 0 while it is hidden. */
  let visibleSinceMs = 0;
  let visibleMs = 0;
  /** The part of the visible time that a page_exit has reported; negative before the first. */
  let reportedMs = 0;
  let scrolled = 0;
  let reportEnd: ReturnType<Extension> | undefined;

  const outbox = createOutbox(options.apiUrl, `?website_id=${options.websiteId}`);
  const readVisit = createVisit(options.visitor, () => isOn);
  /** Read once and first: what is no regular expression must not throw in the page's own code later. */
  const excluded = RegExp(options.exclude || "^$");

  const readView = (newPages?: number) => ({ ...readVisit(newPages), path: currentPath(options) });

  const send = (item: Item, apiPath = options.batchPath || "/batch", from = readView()) => {
    const event: Item = { ...from, eventId: randomId(9), timestamp: Date.now(), ...item };
    if (isOn && !excluded.test(from.path)) outbox.put(apiPath, event);
    return event;
  };

  const track = (name: string, properties?: object) => {
    send({ ...circumstances(), name, properties: sendable(properties) });
  };

  const reportOfView: Report = (item, apiPath) => send(item, apiPath, view);

  const measure = () => {
    scrolled = Math.max(scrolled, ((scrollY + innerHeight) / document.documentElement.scrollHeight) * 100);
  };

  const setTitle = () => {
    viewEvent["title"] = document.title;
  };

  const end = () => {
    const now = performance.now();
    if (visibleSinceMs) visibleMs += now - visibleSinceMs;
    visibleSinceMs = document.hidden ? 0 : now;
    if (!view || visibleMs < reportedMs + minMoreMs) return;
    measure();
    setTitle();
    // Keeps the session alive; the exit itself belongs to the session of its view.
    readVisit();
    reportOfView({ name: "page_exit", time_on_page: visibleMs / 1e3, scroll_depth: scrolled });
    // Figures of the whole view, so reported once.
    if (reportedMs < 0) reportEnd?.(reportOfView);
    reportedMs = visibleMs;
  };

  const begin = (properties: object | undefined = marked) => {
    end();
    view = readView(1);
    viewEvent = send({
      ...circumstances(),
      name: "page_view",
      // Of the query string only the campaign is sent, and what belongs to the page: the rest may identify a person.
      path: currentPath({ ...options, queryParameters: `utm_\\w+|${options.queryParameters}` }),
      referrer: referrer.includes(`//${location.host}/`) ? internal : referrer,
      properties: sendable(properties),
    });
    referrer = internal;
    marked = undefined;
    visibleMs = scrolled = 0;
    reportedMs = -minMoreMs;
    // Single-page sites set it after the address.
    setTimeout(setTitle, titleDelayMs);
  };

  /**
   * Counts the page if it is another one than before. An invisible page, such as a prerendered one, is counted when it
   * becomes visible.
   */
  const route = () => {
    if (!document.hidden && options.auto !== false && view?.path !== currentPath(options)) begin();
  };

  if (isOn) {
    reportEnd = extension?.(send);
    for (const name of ["pushState", "replaceState"] as const) {
      const original = history[name];
      history[name] = (...args) => {
        original.apply(history, args);
        route();
      };
    }
    listen("popstate", route);
    listen("pageshow", ({ persisted }) => {
      // Back or forward to a page in the browser's cache.
      if (persisted) view = undefined;
      route();
    });
    listen("pagehide", () => {
      end();
      outbox.flush(true);
    });
    listen("visibilitychange", () => {
      end();
      // The page may be killed or come back: a fetch outlives it and, unlike a beacon, can be repeated.
      if (document.hidden) outbox.flush();
      route();
    });
    listen("scroll", measure);
    watchClicks(options, track, send);
    route();
  }

  return {
    track,
    view: begin,
    stop() {
      isOn = false;
    },
    optOut() {
      isOn = false;
      setOptOut(true);
    },
    optIn() {
      setOptOut(false);
    },
    isOptedOut,
  };
}
