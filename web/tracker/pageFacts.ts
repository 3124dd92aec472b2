/** The path under which the page is counted. With hash routing `/app#/about` is the page `/app/about`. */
export function currentPath(hasHashPages: boolean | undefined): string {
  return hasHashPages ? (location.pathname + location.hash.replace("#", "/")).replace(/\/+/g, "/") : location.pathname;
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
