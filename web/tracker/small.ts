/**
 * The small script: page views, also of the history API and of hash routes, custom events and outgoing links. It stores nothing but an
 * objection, and sends no id. In the syntax and with the functions of 2013, so that it runs in Internet Explorer 11 as it is: one file,
 * functions only, no retries.
 */
type Sent = Record<string, unknown>;

var page: Document = document;
var tag = (page.currentScript || page.querySelector("[data-website-id]")) as HTMLScriptElement;
var early = (window.lookout || {}) as { q?: [string, ...unknown[]][]; view?: unknown };
var optOut = "lookoutOff";
var shown: string | undefined;
var isOff: unknown;
var tracker: Record<string, (...args: never[]) => unknown>;
var internal = "internal";
// The referrer of a step within the website.
var referrer = page.referrer.split("/")[2] === location.host ? internal : page.referrer;

function option(name: string): string | null {
  return tag.getAttribute("data-" + name);
}

function storage(change: (stored: Record<string, unknown>) => unknown): unknown {
  try {
    return change(localStorage);
  } catch (_) {}
}

function isOptedOut(): boolean {
  return !!storage(function (stored) {
    return stored[optOut];
  });
}

function path(): string {
  return (location.pathname + (option("hash") ? location.hash : "")).replace(/\/?#\/?/, "/");
}

function send(event: Sent): void {
  if (isOff) return;
  event.timestamp = Date.now();
  event.path = event.path || path();
  var url = (option("api-url") || tag.src.split("/", 3).join("/")) + "/batch?website_id=" + option("website-id");
  var body = JSON.stringify([event]);
  // A beacon outlives the page.
  if (navigator.sendBeacon && navigator.sendBeacon(url, body)) return;
  var request = new XMLHttpRequest();
  request.open("POST", url);
  request.send(body);
}

function named(name: string, properties: unknown, of?: string): void {
  send({
    name: name,
    properties: properties,
    path: of,
    title: page.title,
    referrer: of && referrer,
    language: navigator.language,
    screen_resolution: screen.width + "x" + screen.height,
  });
}

function track(name: string, properties?: unknown): void {
  named(name, properties);
}

function view(properties?: unknown): void {
  // Of the query string only the campaign is sent: the rest may identify a person.
  named("page_view", properties, path() + "?" + (location.search.match(/utm_\w+=[^&]*/g) || []).join("&"));
  referrer = internal;
}

// An invisible page, such as a prerendered one, is counted when it becomes visible.
function route(): void {
  if (page.hidden || shown === path()) return;
  shown = path();
  view();
}

function click(event: MouseEvent): void {
  var link = event.target as HTMLAnchorElement | null;
  while (link && !link.href) link = link.parentNode as HTMLAnchorElement | null;
  if (link && link.host && link.host !== location.host)
    send({ type: "outgoing_link", href: link.href, text: (link.textContent as string).trim() });
}

function isHere(address: string): boolean {
  return /\/\/(localhost|127)/.test(address);
}

// The tag may occur twice in the page.
if (!early.view) {
  isOff =
    isOptedOut() ||
    navigator.globalPrivacyControl ||
    navigator.doNotTrack === "1" ||
    (isHere(location.href) && !isHere(tag.src));
  (["pushState", "replaceState"] as const).forEach(function (name) {
    var original = history[name];
    history[name] = function () {
      original.apply(history, arguments as never);
      route();
    };
  });
  addEventListener("popstate", route);
  addEventListener("hashchange", route);
  addEventListener("visibilitychange", route);
  addEventListener("click", click, true);
  addEventListener("auxclick", click as never, true);
  tracker = {
    track: track,
    view: view,
    isOptedOut: isOptedOut,
    optOut: function () {
      isOff = 1;
      storage(function (stored) {
        stored[optOut] = 1;
      });
    },
    optIn: function () {
      storage(function (stored) {
        delete stored[optOut];
      });
    },
  };
  window.lookout = tracker as never;
  route();
  (early.q || []).forEach(function (call) {
    (tracker[call[0]] as (...args: unknown[]) => void)(call[1], call[2]);
  });
}
