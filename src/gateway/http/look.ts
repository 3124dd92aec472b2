import { wantedLocales } from "../../text/wantedLocales.ts";

/** How a browser shows the pages of the web app. */
export type Look = {
  /** One of the app's. */
  readonly language: string;
  /** In whose form dates and numbers are written, the best one first. */
  readonly tags: readonly string[];
  /** Undefined: that of the device. */
  readonly theme: "light" | "dark" | undefined;
};

/** Written by web/app/src/preferences/look.ts. */
const cookie = /(?:^|;\s*)lookout_look=([a-z]{2,3})\.([a-z]{2,3}(?:-[a-z\d]{2,8}){0,3})\.(system|light|dark)(?:;|$)/i;

/** The language that a browser wants most of those that the app has; English without one. */
export function preferredLanguage(header: string | undefined, languages: readonly string[]): string | undefined {
  const wanted = wantedLocales(header).map(({ language }) => language);
  return [...wanted, "en"].find((language) => languages.includes(language));
}

/**
 * What the browser has shown last, by its cookie; at its first visit what it wants most. Undefined where the app has no languages, so where it is not
 * built.
 */
export function lookOf(
  headers: { readonly cookie?: string | undefined; readonly "accept-language"?: string | undefined },
  languages: readonly string[],
): Look | undefined {
  const [, known = "", tag = "", theme = ""] = cookie.exec(headers.cookie ?? "") ?? [];
  if (languages.includes(known))
    return { language: known, tags: [tag], theme: theme === "light" || theme === "dark" ? theme : undefined };
  const header = headers["accept-language"];
  const language = preferredLanguage(header, languages);
  return language === undefined ? undefined : { language, tags: wantedLocales(header).map(String), theme: undefined };
}
