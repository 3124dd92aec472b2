import { domainToASCII } from "node:url";

/**
 * Whether better-auth accepts a text as an e-mail address (zod's rule). The first owner's owner@localhost is none: it
 * can sign in, but not receive mail.
 */
export function isFullAddress(text: string): boolean {
  return /^(?!\.)(?!.*\.\.)[\w'+\-.]*[\w+-]@([A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/.test(text);
}

/** The address with its domain in ASCII (IDNA), as mail is sent: `a@münchen.example` is `a@xn--mnchen-3ya.example`. */
export function asciiAddress(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = domainToASCII(email.slice(at + 1));
  return at < 0 || domain === "" ? email : `${email.slice(0, at + 1)}${domain}`;
}
