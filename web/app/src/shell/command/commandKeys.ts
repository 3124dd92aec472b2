import { signal } from "@preact/signals";
import { isInBrowser } from "../../router/base.ts";

/** What the device says that it is. The service sets it to what the request says. */
export const platform = signal(isInBrowser ? navigator.platform : "");

/** Whether a key opens the command menu: Ctrl K, on a Mac ⌘ K. */
export function opensCommands(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">,
): boolean {
  const isAlone = !event.shiftKey && !event.altKey && event.ctrlKey !== event.metaKey;
  return isAlone && event.key.toLowerCase() === "k";
}

/** The keys as people write them on their device. */
export function commandKeys(platform: string): string {
  return /mac|iphone|ipad/i.test(platform) ? "⌘ K" : "Ctrl K";
}
