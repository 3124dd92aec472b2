import type { Config } from "../config.ts";
import type { MailText } from "./sendMail.ts";
import { texts as de } from "./texts/de.ts";
import { texts as en, type MailTexts } from "./texts/en.ts";
import { texts as fr } from "./texts/fr.ts";

/** The languages of e-mails to people, by tag. A further one is a file like texts/en.ts and an entry here. */
const languages: Readonly<Record<string, MailTexts>> = { en, de, fr };

/** What an e-mail to a person is written with: the language that the person chose, if any, and where the service is. */
type Writing = { readonly language: string | null; readonly server: Pick<Config["server"], "baseUrl"> };

export function resetMail({ language, server }: Writing, link: string, validMinutes: number): MailText {
  const { service, resetPassword } = textsIn(language);
  return {
    title: resetPassword.title(service(hostOf(server))),
    lines: [resetPassword.before, "", link, "", resetPassword.after(validMinutes)],
  };
}

/** The name of the organization comes from people: on a line of its own it cannot be mistaken for our text. */
export function invitationMail(
  { language, server }: Writing,
  { organization, role, link }: { readonly organization: string; readonly role: string; readonly link: string },
): MailText {
  const { service, invitation, roles } = textsIn(language);
  const names: Readonly<Record<string, string>> = roles;
  return {
    title: invitation.title(service(hostOf(server))),
    lines: [
      invitation.before(names[role] ?? role),
      "",
      organization.replace(/\s+/g, " "),
      "",
      invitation.accept,
      "",
      link,
      "",
      invitation.after,
    ],
  };
}

function textsIn(language: string | null): MailTexts {
  return languages[language ?? "en"] ?? en;
}

function hostOf({ baseUrl }: Writing["server"]): string {
  return new URL(baseUrl).host;
}
