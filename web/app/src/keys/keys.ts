import { signal } from "@preact/signals";
import { readStored, writeStored } from "../preferences/stored.ts";
import type { Texts } from "../texts/texts.ts";
import { isTyping, takesKey } from "./takesKey.ts";

/** Keys that do something on the page on screen. */
export type PageKeys = {
  /** As `event.key` names them, in lower case. */
  readonly keys: readonly string[];
  /** How the list of keys writes them. */
  readonly shown: string;
  readonly name: (texts: Texts) => string;
  readonly run: (key: string) => void;
};

/** What is registered at the moment, in the order of the list of keys. */
export const pageKeys = signal<readonly PageKeys[]>([]);

/** Whether the list of keys is open. */
export const isKeyListOpen = signal(false);

/** People who speak to their computer turn single keys off (WCAG 2.2, 2.1.4). */
export const areKeysOn = signal(readStored("keys") !== "off");

export function setKeysOn(isOn: boolean): void {
  areKeysOn.value = isOn;
  writeStored("keys", isOn ? undefined : "off");
}

/** Makes keys do something until the returned function is called. */
export function registerKeys(added: readonly PageKeys[]): () => void {
  if (pageKeys.value.length === 0) addEventListener("keydown", onKey, true);
  pageKeys.value = [...pageKeys.value, ...added];
  return () => {
    pageKeys.value = pageKeys.value.filter((one) => !added.includes(one));
    if (pageKeys.value.length === 0) removeEventListener("keydown", onKey, true);
  };
}

/** Before others see the key: what Escape closes is still open then. */
function onKey(event: KeyboardEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  if (!takesKey(event, { isOn: areKeysOn.value, isBusy: isBusy(), isTyping: isTyping(target) })) return;
  const key = event.key.toLowerCase();
  const found = pageKeys.value.find(({ keys }) => keys.includes(key));
  if (found === undefined) return;
  event.preventDefault();
  found.run(key);
}

/** Whether something is open that has keys of its own. */
function isBusy(): boolean {
  return document.querySelector('dialog[open], .menu:not([hidden]), [role="listbox"]:not([hidden])') !== null;
}
