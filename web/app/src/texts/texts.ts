import { signal } from "@preact/signals";
import { readStored, writeStored } from "../preferences/stored.ts";
import type { Texts } from "./en.ts";
import { isLanguage, type Language, languages } from "./languages.ts";
import { regionalForm } from "./regionalForm.ts";

export type { Texts } from "./en.ts";

/** The language on screen. */
export const language = signal<Language>("en");

/** The tag in whose form dates and numbers are written. */
export const region = signal("en");

/** Set by `startTexts` before anything is drawn. */
const current = signal<Texts | undefined>(undefined);

/** The texts of the language on screen. A component that calls it is drawn anew when the language changes. */
export function t(): Texts {
  if (current.value === undefined) throw new Error("the texts are not loaded yet");
  return current.value;
}

/** Loads the texts of the chosen language, else of the browser's. */
export async function startTexts(): Promise<void> {
  const wanted = [readStored("language"), ...navigator.languages.map((tag) => tag.split("-")[0])];
  await show(wanted.find(isLanguage) ?? "en");
}

export async function chooseLanguage(name: Language): Promise<void> {
  writeStored("language", name);
  await show(name);
}

async function show(name: Language): Promise<void> {
  const { texts } = await languages[name].texts();
  showTexts(name, texts, navigator.languages);
  document.documentElement.lang = name;
}

/** Shows texts that are loaded already. `tags` are what the browser prefers, the first one most. */
export function showTexts(name: Language, texts: Texts, tags: readonly string[]): void {
  current.value = texts;
  language.value = name;
  region.value = regionalForm(name, tags);
}
