import type { MailTexts } from "./en.ts";

/** The French texts of e-mails to people. */
export const texts: MailTexts = {
  service: (host) => `Lookout sur ${host}`,
  resetPassword: {
    title: (service) => `Un nouveau mot de passe pour ${service}`,
    before: "Un nouveau mot de passe a été demandé pour votre compte. Si c’était vous, définissez-le ici :",
    after: (minutes) =>
      `Le lien fonctionne une fois, pendant ${minutes === 1 ? "1 minute" : `${minutes} minutes`}. Sans lui, votre mot de passe reste inchangé.`,
  },
  invitation: {
    title: (service) => `Invitation à ${service}`,
    before: (role) => `Vous êtes invité dans une organisation avec le rôle ${role}. Son nom est :`,
    accept: "Acceptez ici :",
    after: "Si vous n’attendiez pas ce message, ignorez-le.",
  },
  roles: { owner: "propriétaire", admin: "administrateur", member: "membre", viewer: "lecteur" },
};
