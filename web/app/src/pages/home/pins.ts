import { signal } from "@preact/signals";
import { readStored, writeStored } from "../../preferences/stored.ts";

/** The ids of the websites that this browser shows first. */
export const pins = signal<readonly string[]>((readStored("pins") ?? "").split("\n").filter((id) => id !== ""));

export function togglePin(id: string): void {
  pins.value = pins.value.includes(id) ? pins.value.filter((pinned) => pinned !== id) : [...pins.value, id];
  writeStored("pins", pins.value.length === 0 ? undefined : pins.value.join("\n"));
}
