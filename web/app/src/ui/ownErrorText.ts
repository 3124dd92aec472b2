import type { LookoutError } from "../api/client.ts";
import type { Texts } from "../texts/texts.ts";

/** The text that the app has for a code; undefined for errors that only the service can describe. */
export function ownErrorText(code: LookoutError["code"], { errors }: Pick<Texts, "errors">): string | undefined {
  switch (code) {
    case "UNREACHABLE":
    case "BAD_ANSWER":
      return errors.unreachable;
    case "TIMEOUT":
      return errors.timeout;
    case "ACCESS_DENIED":
    case "FORBIDDEN":
      return errors.noPermission;
    case "RATE_LIMIT_EXCEEDED":
      return errors.rateLimit;
    case "SERVICE_UNAVAILABLE":
      return errors.unavailable;
    default:
      return undefined;
  }
}
