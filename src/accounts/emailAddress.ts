/**
 * Whether a text is an address as better-auth takes it (zod's rule). The first owner's owner@localhost is none: it signs in all the same, but
 * nothing can be mailed to it.
 */
export function isFullAddress(text: string): boolean {
  return /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text);
}
