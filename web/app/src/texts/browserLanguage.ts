/**
 * Gives a browser a language whose own is no language tag: Chromium says `en-US@posix` where LANG is C. The library of the charts formats numbers
 * with it as soon as it is loaded, and fails.
 */
export function repairLanguage(browser: { readonly language: string }): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, "language", { value: "en", configurable: true });
  }
}
