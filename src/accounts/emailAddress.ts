/**
 * Whether better-auth accepts a text as an e-mail address (zod's rule). The first owner's owner@localhost is none: it
 * can sign in, but not receive mail.
 */
export function isFullAddress(text: string): boolean {
  return /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text);
}
