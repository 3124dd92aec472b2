import type { Texts } from "./en.ts";
import type { SettingsTexts } from "./settings/en.ts";

type LanguageFiles = {
  /** In its own words. */
  readonly name: string;
  readonly texts: () => Promise<{ readonly texts: Texts }>;
  readonly settingsTexts: () => Promise<{ readonly texts: SettingsTexts }>;
};

/** The languages, by tag. A further one is its two files and an entry here. A browser loads the files of its own only. */
export const languages = {
  en: { name: "English", texts: () => import("./en.ts"), settingsTexts: () => import("./settings/en.ts") },
  de: { name: "Deutsch", texts: () => import("./de.ts"), settingsTexts: () => import("./settings/de.ts") },
  fr: { name: "Français", texts: () => import("./fr.ts"), settingsTexts: () => import("./settings/fr.ts") },
} as const satisfies Readonly<Record<string, LanguageFiles>>;

export type Language = keyof typeof languages;

export function isLanguage(tag: string | undefined): tag is Language {
  return tag !== undefined && Object.hasOwn(languages, tag);
}
