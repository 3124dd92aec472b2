import type { BlockList } from "node:net";
import { isIP } from "node:net";
import { validationError } from "../errors/errors.ts";
import { isRefusedAddress } from "./refusedRanges.ts";

/**
 * An absolute http or https URL in stored form (specification part 2). Throws VALIDATION_ERROR that names the field for
 * anything else, for one with a user name, and for one whose address is not public. Host names are resolved only when
 * the URL is called, since they may resolve differently later.
 */
export function readOutboundUrl(text: string, field: string, allowed: BlockList): string {
  const refuse = (message: string) => validationError([{ field, message }]);
  if (!URL.canParse(text)) throw refuse("must be an absolute http or https URL such as https://example.com/health");
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refuse("must start with http:// or https://");
  if (url.username !== "" || url.password !== "") throw refuse("must not hold a user name or password");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (
    (isIP(host) !== 0 || host === "localhost") &&
    isRefusedAddress(host === "localhost" ? "127.0.0.1" : host, allowed)
  )
    throw refuse("leads to an address that is not public; the operator can open ranges with UPTIME_ALLOW_CIDRS");
  url.hash = "";
  return url.href;
}
