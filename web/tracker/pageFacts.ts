import type { TrackerOptions } from "./options.ts";

/** The path under which the page is counted, and the query parameters that belong to it. With hash routing `/app#/about` is the page `/app/about`. */
export function currentPath({ hash, queryParameters }: TrackerOptions): string {
  const path = hash ? (location.pathname + location.hash.replace("#", "/")).replace(/\/+/g, "/") : location.pathname;
  return path + queryOf(queryParameters);
}

/** The parameters of the address whose names this regular expression matches, with their question mark; empty without any. */
export function queryOf(names: string | undefined): string {
  const kept = names && location.search.match(RegExp(`\\b(${names})=[^&]*`, "g"));
  return kept ? `?${kept.join("&")}` : "";
}

/** What every page view and custom event reports about its environment. */
export function circumstances(): Record<string, unknown> {
  return {
    title: document.title,
    screen_resolution: `${screen.width}x${screen.height}`,
    viewport_size: `${innerWidth}x${innerHeight}`,
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    language: navigator.language,
  };
}
