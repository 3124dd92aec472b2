import { texts as de } from "./de.ts";
import { texts as en, type StatusTexts } from "./en.ts";
import { texts as fr } from "./fr.ts";

const languages = { en, de, fr } as const satisfies Readonly<Record<string, StatusTexts>>;

export type StatusLanguage = keyof typeof languages;

export function textsOf(language: StatusLanguage): StatusTexts {
  return languages[language];
}

/** The other languages with their own names. */
export function otherLanguages(
  language: StatusLanguage,
): { readonly language: StatusLanguage; readonly name: string }[] {
  return Object.keys(languages)
    .filter(isLanguage)
    .filter((other) => other !== language)
    .map((other) => ({ language: other, name: languages[other].languageName }));
}

export function isLanguage(name: string | null | undefined): name is StatusLanguage {
  return typeof name === "string" && Object.hasOwn(languages, name);
}
