import { texts as de } from "./de.ts";
import { texts as en, type StatusTexts } from "./en.ts";

const languages = { en, de } as const satisfies Readonly<Record<string, StatusTexts>>;

export type StatusLanguage = keyof typeof languages;

export function textsOf(language: StatusLanguage): StatusTexts {
  return languages[language];
}

/** The language of a page: the one that its address names, else the first of the browser's that there is. */
export function languageOf(named: string | null, acceptLanguage: string | undefined): StatusLanguage {
  if (isLanguage(named)) return named;
  if (acceptLanguage === undefined) return "en";
  const wanted = acceptLanguage
    .split(",")
    .map((part) => {
      const [tag = "", quality] = part.split(";");
      const weight = quality === undefined ? 1 : Number(quality.trim().replace(/^q=/, ""));
      return { language: tag.trim().toLowerCase().split("-")[0] ?? "", weight };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight);
  return wanted.map(({ language }) => language).find(isLanguage) ?? "en";
}

export function otherLanguage(language: StatusLanguage): StatusLanguage {
  return language === "en" ? "de" : "en";
}

function isLanguage(name: string | null): name is StatusLanguage {
  return name !== null && Object.hasOwn(languages, name);
}
