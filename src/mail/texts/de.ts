import type { MailTexts } from "./en.ts";

/** The German texts of e-mails to people. */
export const texts: MailTexts = {
  service: (host) => `Lookout auf ${host}`,
  resetPassword: {
    title: (service) => `Ein neues Passwort für ${service}`,
    before: "Für Ihr Konto wurde ein neues Passwort angefordert. Wenn Sie es waren, legen Sie es hier fest:",
    after: (minutes) =>
      `Der Link gilt einmal, ${minutes === 1 ? "1 Minute" : `${minutes} Minuten`} lang. Ohne ihn bleibt Ihr Passwort, wie es ist.`,
  },
  invitation: {
    title: (service) => `Einladung zu ${service}`,
    before: (role) => `Sie sind in eine Organisation eingeladen, mit der Rolle ${role}. Ihr Name ist:`,
    accept: "Hier nehmen Sie an:",
    after: "Wenn Sie diese Nachricht nicht erwartet haben, beachten Sie sie nicht.",
  },
  roles: { owner: "Eigentümer", admin: "Admin", member: "Mitglied", viewer: "Betrachter" },
};
