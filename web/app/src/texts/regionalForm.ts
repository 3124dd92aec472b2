/**
 * The tag in whose form dates and numbers are written: the browser's own where it is of the language on screen, since people in Britain and in the
 * United States write days differently; else the language itself.
 */
export function regionalForm(language: string, tags: readonly string[]): string {
  return tags.find((tag) => tag.split("-")[0] === language && isTag(tag)) ?? language;
}

/** Some browsers say what is no language tag, such as en-US@posix. */
function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}
