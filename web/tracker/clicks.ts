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
  const watch = ({ target, button }: MouseEvent) => {
    // The right button opens a menu.
    if (button > 1) return;
    const named = (target as Partial<Element>).closest?.<HTMLElement>("[data-track]");
    if (named) {
      const properties: Record<string, string> = {};
      for (const { name, value } of named.attributes)
        if (name.startsWith("data-track-")) properties[name.slice(11)] = value;
      track(named.dataset["track"] as string, properties);
    }
    const link = (target as Partial<Element>).closest?.("a");
    // An address of a program, such as mailto:, has no host.
    if (!link?.host) return;
    if (link.hasAttribute("download") || filePattern.test(link.pathname)) {
      if (downloads !== false) track("file_download", { href: link.href });
    } else if (link.host !== location.host && outbound !== false)
      send({ type: "outgoing_link", href: link.href, text: link.text.trim().slice(0, 1024) });
  };
  listen("click", watch);
  listen("auxclick", watch);
}
