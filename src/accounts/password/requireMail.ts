import type { Config } from "../../config.ts";
import { ApiError } from "../../errors.ts";

/** Throws CONFLICT if the service has no mail server to send links with. */
export function requireMail({ notices }: Pick<Config, "notices">): void {
  if (notices.smtpUrl === undefined)
    throw new ApiError(
      "CONFLICT",
      "This service has no mail server, so it cannot send the link. Its operator can set SMTP_URL and SMTP_FROM",
    );
}
