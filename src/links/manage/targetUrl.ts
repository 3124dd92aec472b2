import { validationError } from "../../errors/errors.ts";
import { comparableHost } from "./comparableHost.ts";

/** A length that browsers and servers accept everywhere; RFC 9110, section 4.1 asks for at least 8,000. */
const maxLength = 2_048;

/** Hosts of this service, as `comparableHost` writes them. */
export type OwnHosts = { has(host: string): boolean };

/**
 * The address of a target, normalised by the URL standard. Throws VALIDATION_ERROR that names the field for anything
 * but http and https, for a user name or password in it, and for a link of our own: a chain of links may end where it
 * began.
 */
export function readTargetUrl(text: string, field: string, ownHosts: OwnHosts): string {
  const refuse = (message: string) => validationError([{ field, message }]);
  // The URL parser also accepts `https:host`. Spaces within it are encoded, as browsers do.
  if (!/^https?:\/\/\S+(?: +\S+)*$/i.test(text) || !URL.canParse(text))
    throw refuse("must be an absolute http or https URL such as https://example.com/sale");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") throw refuse("must not hold a user name or password");
  if (/^\/+(?:l|%6c)\//i.test(url.pathname) && ownHosts.has(comparableHost(url)))
    throw refuse("points to a short link again; send that link's target instead");
  if (url.href.length > maxLength) throw refuse(`must be at most ${maxLength} characters long once it is encoded`);
  return url.href;
}
