import { wantedLocales } from "../../../text/wantedLocales.ts";
import { isLanguage, type StatusLanguage } from "./statusTexts.ts";
import { guessedZone, knownZone } from "./zones.ts";

/** For whom a page is written. */
export type Reader = {
  readonly language: StatusLanguage;
  /** How dates and numbers are written, such as en-US. */
  readonly locale: string;
  /** An IANA time zone. */
  readonly zone: string;
  /** Why it is this zone: the address names it, the region of the browser's language has only this one, or neither. */
  readonly zoneBy: "address" | "region" | "default";
  /** Whether the address names the language. */
  readonly isLanguageNamed: boolean;
};

/** British English has the day before the month, as dates with a name of the month are read everywhere. */
const defaultLocales: Readonly<Record<StatusLanguage, string>> = { en: "en-GB", de: "de-DE", fr: "fr-FR" };

/** Someone of whom only the language is known. Times are UTC. */
export function plainReader(language: StatusLanguage): Reader {
  return { language, locale: defaultLocales[language], zone: "UTC", zoneBy: "default", isLanguageNamed: false };
}

/**
 * The reader of a page: `lang` and `tz` of its address, else what the browser's languages tell. No browser sends its time zone, and a page without script
 * cannot ask for it.
 */
export function readerOf(query: string | undefined, acceptLanguage: string | undefined): Reader {
  const parameters = new URLSearchParams(query);
  const wanted = wantedLocales(acceptLanguage);
  const named = parameters.get("lang");
  const language = isLanguage(named)
    ? named
    : (wanted.map((locale) => locale.language).find((tag) => isLanguage(tag)) ?? "en");
  const chosen = knownZone(parameters.get("tz"));
  const guessed = chosen === undefined ? guessedZone(wanted[0]) : undefined;
  return {
    language,
    locale:
      wanted.find((locale) => locale.language === language && locale.region !== undefined)?.baseName ??
      defaultLocales[language],
    zone: chosen ?? guessed ?? "UTC",
    zoneBy: chosen !== undefined ? "address" : guessed !== undefined ? "region" : "default",
    isLanguageNamed: isLanguage(named),
  };
}
