import { listen } from "./listen.ts";
import type { Report, TrackerOptions } from "./options.ts";

/** Files recognised by their extension; other downloads have the attribute `download`. */
const filePattern = /\.(pdf|zip|rar|7z|gz|dmg|pkg|exe|msi|apk|docx?|xlsx?|pptx?|csv|txt|mp[34])$/i;

/**
 * Watches clicks: `data-track` names a custom event, with properties in `data-track-…`; a link to a file is a
 * `file_download`, a link to another host an outgoing link.
 */
export function watchClicks(
  { downloads, outbound }: TrackerOptions,
  track: (name: string, properties: object) => void,
  send: Report,
): void {
  const watch = (event: MouseEvent) => {
    // The right button opens a menu.
    if (event.button > 1) return;
    // Outside of an open shadow root the target is its host; the path has what is within.
    const find = (selector: string) =>
      event.composedPath().find((one) => (one as Partial<Element>).matches?.(selector));
    const named = find("[data-track]") as HTMLElement | undefined;
    if (named) {
      const properties: Record<string, string> = {};
      for (const { name, value } of named.attributes)
        if (name.startsWith("data-track-")) properties[name.slice(11)] = value;
      track(named.dataset["track"] as string, properties);
    }
    // The text of a link in an image map is its `alt`.
    const link = find("a,area[href]") as HTMLAreaElement | SVGAElement | undefined;
    if (!link) return;
    const { host, pathname, href } = "host" in link ? link : new URL(link.href.baseVal, document.baseURI);
    // An address of a program, such as mailto:, has no host.
    if (!host) return;
    if (link.hasAttribute("download") || filePattern.test(pathname)) {
      if (downloads !== false) track("file_download", { href });
    } else if (host !== location.host && outbound !== false)
      send({
        type: "outgoing_link",
        href,
        text: (link.textContent || ("alt" in link && link.alt) || "").trim().slice(0, 1024),
      });
  };
  listen("click", watch);
  listen("auxclick", watch);
}
