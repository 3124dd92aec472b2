/** The languages of an Accept-Language header, the most wanted one first (RFC 9110, section 12.5.4). Each has its language and at most its region. */
export function wantedLocales(acceptLanguage = ""): Intl.Locale[] {
  return acceptLanguage
    .slice(0, 200)
    .split(",")
    .map((part) => {
      const [tag = "", quality] = part.split(";");
      return { tag: tag.trim(), weight: quality === undefined ? 1 : Number(quality.trim().replace(/^q=/, "")) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .flatMap(({ tag }) => localeOf(tag));
}

/** Only the language and the region: what else a tag may say would make each answer one of its own. */
function localeOf(tag: string): Intl.Locale[] {
  const [, language, region] = /^([a-z]{2,3})(?:-[a-z]{4})?(?:-([a-z]{2}))?$/i.exec(tag) ?? [];
  if (language === undefined) return [];
  return [new Intl.Locale(region === undefined ? language : `${language}-${region}`)];
}
