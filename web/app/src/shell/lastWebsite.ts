import { signal } from "@preact/signals";
import { readStored, writeStored } from "../preferences/stored.ts";

/** The id of the website that was shown last, also at an earlier visit. */
export const lastWebsite = signal(readStored("website"));

export function rememberWebsite(id: string): void {
  lastWebsite.value = id;
  writeStored("website", id);
}
