import { wantedLocales } from "../../text/wantedLocales.ts";
import { de } from "./de.ts";
import { en, type PrivacyTexts } from "./en.ts";
import { fr } from "./fr.ts";

const languages: Readonly<Record<string, PrivacyTexts>> = { en, de, fr };

/** The texts of the language that a request names, else of the one that its browser prefers, else in English. */
export function textsFor(named: string | undefined, acceptLanguage: string | undefined): PrivacyTexts {
  const wanted = named === undefined ? wantedLocales(acceptLanguage).map(({ language }) => language) : [named];
  const found = wanted.find((language) => Object.hasOwn(languages, language));
  return (found === undefined ? undefined : languages[found]) ?? en;
}
