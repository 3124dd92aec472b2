/** The English texts of e-mails to people. Their form is that of every other language. */
export const texts = {
  /** The service, such as Lookout at stats.example.com. */
  service: (host: string) => `Lookout at ${host}`,
  resetPassword: {
    title: (service: string) => `A new password for ${service}`,
    before: "A new password was requested for your account. If it was you, set it here:",
    after: (minutes: number) =>
      `The link works once, for ${minutes === 1 ? "1 minute" : `${minutes} minutes`}. Without it your password stays as it is.`,
  },
  invitation: {
    title: (service: string) => `You are invited to ${service}`,
    before: (role: string) => `You are invited to work in an organization as ${role}. Its name is:`,
    accept: "Accept here:",
    after: "If you did not expect this message, ignore it.",
  },
  roles: { owner: "owner", admin: "admin", member: "member", viewer: "viewer" },
};

export type MailTexts = typeof texts;
