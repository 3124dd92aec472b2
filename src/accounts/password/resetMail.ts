import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Config } from "../../config.ts";
import { resetMail } from "../../mail/peopleMails.ts";
import { type MailOutcome, sendMail } from "../../mail/sendMail.ts";
import type { MailResetLink } from "../authOptions.ts";

/** Mails the password reset link without waiting: the duration would reveal whether the account exists. */
export function mailResetLink(config: Config, postgres: Pick<Pool, "query">, log: Logger): MailResetLink {
  return ({ userId, email, token }) => {
    const failed = (error: unknown): void => log.error({ error }, "a link to a new password could not be mailed");
    void mail(userId, email, token, config, postgres).then((outcome) => {
      if (outcome.kind === "failed") failed(outcome.error);
    }, failed);
  };
}

async function mail(
  userId: string,
  email: string,
  token: string,
  { server, notifications, accounts }: Config,
  postgres: Pick<Pool, "query">,
): Promise<MailOutcome> {
  const { rows } = await postgres.query<{ language: string | null }>("SELECT language FROM users WHERE id = $1", [
    userId,
  ]);
  const language = rows[0]?.language ?? null;
  // In the fragment, so that neither a server's log nor a Referer header contains the token.
  const link = `${server.baseUrl}/reset-password#token=${token}`;
  const minutes = Math.max(1, Math.round(accounts.passwordResetMs / 60_000));
  const text = resetMail({ language, server }, link, minutes);
  return await sendMail(email, randomUUID(), text, notifications, AbortSignal.timeout(sendTimeoutMs));
}

const sendTimeoutMs = 60_000;
