import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { sendMail } from "../../mail/sendMail.ts";
import type { MailResetLink } from "../authOptions.ts";

/** Mails the password reset link without waiting: the duration would reveal whether the account exists. */
export function mailResetLink({ server, notifications, accounts }: Config, log: Logger): MailResetLink {
  return ({ email, token }) => {
    const minutes = Math.max(1, Math.round(accounts.passwordResetMs / 60_000));
    const text = {
      title: "A new password for Lookout",
      lines: [
        "A new password was requested for your account. If it was you, set it here:",
        "",
        // In the fragment, so that neither a server's log nor a Referer header contains the token.
        `${server.baseUrl}/reset-password#token=${token}`,
        "",
        `The link works once, for ${minutes} minutes. Without it your password stays as it is.`,
      ],
    };
    void sendMail(email, randomUUID(), text, notifications, AbortSignal.timeout(sendTimeoutMs)).then((outcome) => {
      if (outcome.kind === "failed")
        log.error({ error: outcome.error }, "a link to a new password could not be mailed");
    });
  };
}

const sendTimeoutMs = 60_000;
