import { validationError } from "../../../../errors/errors.ts";
import { sendMail } from "../../../../mail/sendMail.ts";
import { notificationText } from "../../message/notificationText.ts";
import type { ChannelKindRules } from "./channelKind.ts";

/** One address without a display name. What else is valid is up to the mail server (RFC 5321 4.1.2). */
const emailAddress = /^[^\s@<>()[\]\\,;:"\p{Cc}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]{0,250}[\p{L}\p{N}])?$/u;

/** Sends the message as mail through the operator's mail server. */
export const email: ChannelKindRules = {
  readTarget: (target, { notifications }) => {
    if (notifications.smtpUrl === undefined)
      throw validationError([
        {
          field: "kind",
          message:
            "cannot be email, since this service has no mail server; its operator can set SMTP_URL and SMTP_FROM. Use webhook or slack until then",
        },
      ]);
    if (!emailAddress.test(target))
      throw validationError([{ field: "target", message: "must be one e-mail address such as ops@example.com" }]);
    return target;
  },
  shownTarget: (target) => target,
  send: ({ deliveryId, target, message }, { notifications }, signal) =>
    sendMail(target, deliveryId, notificationText(message), notifications, signal),
};
