import { unlessAborted } from "../concurrency/unlessAborted.ts";
import type { Config } from "../config.ts";

/** A message as text: a title and the lines below it. */
export type MailText = { readonly title: string; readonly lines: readonly string[] };

/** The result of sending a message. The error does not reveal the server's address. */
export type MailOutcome = { readonly kind: "delivered" } | { readonly kind: "failed"; readonly error: string };

/** For each step of the SMTP session, and for all of it. */
const stepTimeoutMs = 10_000;
const timeoutMs = 30_000;

/**
 * Sends a message to one e-mail address over a fresh connection to the operator's mail server. All attempts have the
 * same Message-ID, so that mailboxes can detect duplicates. Whatever the server does is an outcome; only an abort by
 * the caller rejects.
 */
export async function sendMail(
  to: string,
  id: string,
  { title, lines }: MailText,
  { smtpUrl, smtpFrom }: Config["notifications"],
  signal: AbortSignal,
): Promise<MailOutcome> {
  if (smtpUrl === undefined)
    return { kind: "failed", error: "this service has no mail server; its operator can set SMTP_URL and SMTP_FROM" };
  // Loaded with the first message: it takes 19 MB.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
  });
  try {
    const sending = transport.sendMail({
      from: smtpFrom,
      to: { name: "", address: to },
      subject: title,
      text: `${lines.join("\n")}\n`,
      messageId: `<${id}@lookout>`,
      // Prevents out-of-office answers, which nothing here would read (RFC 3834).
      headers: { "Auto-Submitted": "auto-generated" },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    await unlessAborted(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), sending);
    return { kind: "delivered" };
  } catch (failure) {
    signal.throwIfAborted();
    return { kind: "failed", error: `the mail server did not take it: ${answerOf(failure)}` };
  } finally {
    transport.close();
  }
}

/** The server's answer, or the connection error; without the address of the operator's server. */
function answerOf(failure: unknown): string {
  if (!(failure instanceof Error)) return "unknown reason";
  if (failure.name === "TimeoutError") return `no answer within ${timeoutMs} ms`;
  if ("response" in failure && typeof failure.response === "string") return failure.response.slice(0, 300);
  return "code" in failure && typeof failure.code === "string" ? failure.code : "unknown reason";
}
